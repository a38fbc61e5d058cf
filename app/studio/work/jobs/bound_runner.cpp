// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/bound_runner.h"

#include <algorithm>
#include <utility>

namespace remat::studio {

namespace {

/// Budgets between floor and keep-all, a power of two: coarse first, then the middles. One takes a second or more on
/// large graphs, so there are fewer, and all of them take less than ten.
int stepsFor(const CostedModel &model)
{
    constexpr std::size_t kLarge = 4'000, kLarger = 8'000, kHuge = 30'000;
    const std::size_t ops = model.graph().ops.size();
    return ops > kHuge ? 2 : ops > kLarger ? 4 : ops > kLarge ? 8 : 32;
}

double overheadBound(const CostedModel &model, std::int64_t budgetBytes)
{
    const double timeUs = bestTimeBound(model.graph(), *model.costs, budgetBytes).timeUs;
    return model.keepAllTimeUs > 0 ? std::max(timeUs / model.keepAllTimeUs - 1, 0.0) : 0;
}

} // namespace

BoundRunner::BoundRunner(Document &document, QThreadPool &pool, QObject *parent)
    : QObject(parent), m_document(document), m_tracker(pool)
{
    connect(&m_document, &Document::modelChanged, this, &BoundRunner::forget);
    connect(&m_tracker, &JobTracker::runningChanged, this, &BoundRunner::runningChanged);
    // Plans that follow a drag are measured by it.
    connect(&m_document, &Document::budgetDragChanged, this, [this] {
        if (m_document.draggingBudget()) want();
    });
}

void BoundRunner::forget()
{
    m_tracker.cancel();
    std::erase_if(m_known, [](const Known &known) { return known.model.expired(); });
    if (m_model && m_points.size() == static_cast<std::size_t>(stepsFor(*m_model)) + 1)
        m_known.push_back({m_model, std::move(m_points)});
    m_points.clear();
    m_model = m_document.model();
    bool again = std::exchange(m_wanted, false);
    const auto known = std::find_if(m_known.begin(), m_known.end(),
                                    [this](const Known &each) { return each.model.lock() == m_model; });
    if (m_model && known != m_known.end()) {
        m_points = std::move(known->points);
        m_known.erase(known);
        m_wanted = std::exchange(again, false);
    }
    Q_EMIT pointsChanged();
    if (again) want();
}

void BoundRunner::want()
{
    const auto model = m_document.model();
    if (m_wanted || !model) return;
    m_wanted = true;
    m_tracker.start(
        [this, model](const Job &job) {
            const double low = static_cast<double>(model->floor.bytes),
                         high = static_cast<double>(model->keepAllPeakBytes);
            const int steps = stepsFor(*model);
            for (int step = steps; step >= 1; step /= 2)
                for (int i = 0; i <= steps && !job.stop().stopRequested(); i += step) {
                    if (step < steps && i % (2 * step) == 0) continue; // known from a coarser round
                    const auto budget = static_cast<std::int64_t>(low + (high - low) * i / steps);
                    const BoundPoint point{budget, overheadBound(*model, budget)};
                    job.post([this, point] {
                        const auto place = std::lower_bound(
                            m_points.begin(), m_points.end(), point,
                            [](const BoundPoint &a, const BoundPoint &b) { return a.budgetBytes < b.budgetBytes; });
                        m_points.insert(place, point);
                        Q_EMIT pointsChanged();
                    });
                }
            return true;
        },
        [](bool) {});
}

double BoundRunner::knownOverhead(std::int64_t budgetBytes) const
{
    const auto place = std::find_if(m_points.begin(), m_points.end(),
                                    [&](const BoundPoint &point) { return point.budgetBytes >= budgetBytes; });
    return place == m_points.end() ? 0 : place->overhead;
}

void BoundRunner::cancel()
{
    m_tracker.cancel();
}

} // namespace remat::studio
