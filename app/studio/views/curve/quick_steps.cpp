// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/curve/quick_steps.h"

#include "app/studio/work/jobs/quick_planner.h"

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kRestMs = 250; ///< without another budget
/// On larger graphs one quick plan takes seconds, and nobody has asked for these.
constexpr std::size_t kMostOps = 20'000;

/// What the worker brings back.
struct Made {
    std::vector<std::int64_t> budgets;
    std::vector<std::pair<std::int64_t, double>> overheads; ///< peak, overhead
};

} // namespace

QuickSteps::QuickSteps(Document &document, QThreadPool &pool, QObject *parent)
    : QObject(parent), m_document(document), m_tracker(pool)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &QuickSteps::make);
    connect(&m_document, &Document::modelChanged, this, &QuickSteps::forget);
    connect(&m_document, &Document::pinsChanged, this, &QuickSteps::forget);
}

void QuickSteps::forget()
{
    m_tracker.cancel();
    m_rest.stop();
    m_overheads.clear();
    m_made.clear();
    Q_EMIT changed();
}

void QuickSteps::want(const std::vector<std::int64_t> &budgets)
{
    m_wanted = budgets;
    const bool missing =
        std::any_of(budgets.begin(), budgets.end(), [this](std::int64_t budget) { return !m_made.contains(budget); });
    if (missing) m_rest.start();
}

void QuickSteps::make()
{
    const auto model = m_document.model();
    if (!model || model->keepAllTimeUs <= 0 || model->graph().ops.size() > kMostOps) return;
    if (m_document.draggingBudget()) return m_rest.start();
    std::vector<std::int64_t> missing;
    std::copy_if(m_wanted.begin(), m_wanted.end(), std::back_inserter(missing),
                 [this](std::int64_t budget) { return !m_made.contains(budget); });
    if (missing.empty()) return;
    m_tracker.start(
        [model, missing, pins = m_document.pins()](const Job &job) {
            Made made;
            for (const std::int64_t budget : missing) {
                if (!job.wanted()) break;
                const QuickPlan quick = makeQuickPlan(*model, budget, pins, 0, 0, job.stop());
                made.budgets.push_back(budget);
                if (!quick.entry) continue;
                const MemoryTimeline &line = *quick.entry->timeline;
                made.overheads.emplace_back(line.peakBytes, std::max(line.timeUs / model->keepAllTimeUs - 1, 0.0));
            }
            return made;
        },
        [this](const Made &made) {
            for (const std::int64_t budget : made.budgets)
                m_made[budget] = true;
            for (const auto &[peak, overhead] : made.overheads) {
                const auto [place, isNew] = m_overheads.emplace(peak, overhead);
                if (!isNew) place->second = std::min(place->second, overhead);
            }
            Q_EMIT changed();
        });
}

} // namespace remat::studio
