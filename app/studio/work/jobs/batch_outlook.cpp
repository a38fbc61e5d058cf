// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/batch_outlook.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/jobs/quick_planner.h"
#include "app/studio/work/jobs/thread_priority.h"
#include "core/plan/simulator.h"
#include "solvers/uses/largest_batch.h"

#include <algorithm>

namespace remat::studio {

namespace {

constexpr std::int64_t kPrecision = 50; ///< batches are told to one in so many

/// Without a plan where none was found for a smaller batch already: the greedy would look for it for seconds.
std::optional<BatchFigures> figuresOf(const CostedModel &model, const OtherBatch &other, std::int64_t batch,
                                      std::int64_t budgetBytes, const Pins &pins, std::int64_t mostWithPlan,
                                      const StopToken &stop)
{
    const auto sized = modelOfBatch(model, other, batch);
    if (!sized) return {};
    BatchFigures figures;
    figures.batch = batch;
    figures.keepAllPeakBytes = (*sized)->keepAll->peakBytes;
    figures.floorBytes = (*sized)->floor.bytes;
    if (batch > mostWithPlan) return figures;
    if (const QuickPlan quick = makeQuickPlan(**sized, budgetBytes, pins, 0, 0, stop); quick.entry) {
        figures.planPeakBytes = quick.entry->timeline->peakBytes;
        figures.overhead = quick.entry->timeline->timeUs / (*sized)->keepAllTimeUs - 1;
    }
    return figures;
}

/// What the search for limits shares.
struct LimitsAsked {
    std::shared_ptr<const CostedModel> model;
    std::shared_ptr<const OtherBatch> other;
    std::shared_ptr<const PlanEntry> plan; ///< may be none
    std::int64_t budgetBytes = 0;
    Pins pins;
};

BatchLimits limitsOf(const LimitsAsked &asked, const StopToken &stop)
{
    const BatchLine &line = asked.other->line;
    BatchLimits limits;
    limits.most = line.dimension == 0 ? kMostSamples : std::max(line.batch, line.otherBatch);
    const auto largest = [&](std::int64_t least, std::int64_t precision, const auto &fits) {
        const auto found =
            largestBatch(least, limits.most, line.batch, precision, [&](std::int64_t batch) -> Expected<bool> {
                if (stop.stopRequested()) return false;
                const auto sized = modelOfBatch(*asked.model, *asked.other, batch);
                return sized && fits(**sized);
            });
        return found ? *found : least - 1;
    };
    limits.asItIs =
        largest(1, 0, [&](const CostedModel &sized) { return sized.keepAll->peakBytes <= asked.budgetBytes; });
    limits.withPlan = largest(limits.asItIs + 1, kPrecision, [&](const CostedModel &sized) {
        return makeQuickPlan(sized, asked.budgetBytes, asked.pins, 0, 0, stop).entry != nullptr;
    });
    if (asked.plan)
        limits.thisPlan = largest(1, 0, [&](const CostedModel &sized) {
            const auto replayed = simulate(sized.graph(), *sized.costs, asked.plan->plan->steps);
            return replayed && replayed->peakBytes <= asked.budgetBytes;
        });
    return limits;
}

} // namespace

BatchOutlook::BatchOutlook(Document &document, QThreadPool &pool, QObject *parent)
    : QObject(parent), m_document(document), m_reader(pool), m_looker(pool), m_limiter(pool)
{
    connect(&m_document, &Document::modelChanged, this, &BatchOutlook::takeModel);
    for (const auto signal : {&Document::budgetChanged, &Document::currentPlanChanged, &Document::pinsChanged,
                              &Document::budgetDragChanged})
        connect(&m_document, signal, this, &BatchOutlook::spoil);
}

void BatchOutlook::cancel()
{
    m_reader.cancel();
    m_looker.cancel();
    m_limiter.cancel();
}

void BatchOutlook::takeModel()
{
    const auto model = m_document.model();
    if (model == m_model) return;
    const bool sameGraph =
        model && m_model && !m_path.isEmpty() && model->graph().fingerprint == m_model->graph().fingerprint;
    m_model = model;
    cancel();
    if (sameGraph) return open(m_path); // under other costs
    m_path.clear();
    m_other.reset();
    m_problem.clear();
    m_batch = 0;
    m_figures.reset();
    m_limits.reset();
    Q_EMIT changed();
}

void BatchOutlook::open(const QString &path)
{
    const auto model = m_document.model();
    if (!model) return;
    m_model = model;
    m_reader.start([model, path](const Job &) { return readOtherBatch(*model, toPath(path)); },
                   [this, path](const Expected<OtherBatch> &other) {
                       m_path = path;
                       take(other);
                   });
}

void BatchOutlook::take(const Expected<OtherBatch> &other)
{
    m_looker.cancel();
    m_limiter.cancel();
    m_figures.reset();
    m_limits.reset();
    m_problem = other ? QString() : toQString(other.error().message);
    m_other = other ? std::make_shared<const OtherBatch>(*other) : nullptr;
    if (!m_other) m_batch = 0;
    if (m_other && m_batch == 0) m_batch = m_other->line.batch;
    spoil();
    Q_EMIT changed();
}

void BatchOutlook::moveTo(std::int64_t batch)
{
    if (!m_other || batch == m_batch) return;
    m_batch = std::max<std::int64_t>(batch, 1);
    look();
}

void BatchOutlook::look()
{
    if (!m_other) return;
    m_again = m_looker.running();
    if (m_again) return;
    const bool limitsHold = m_limits && !m_limiter.running() && !m_document.draggingBudget();
    const std::int64_t most = limitsHold ? m_limits->withPlan + m_limits->withPlan / kPrecision : kMostSamples;
    m_looker.start([model = m_model, other = m_other, batch = m_batch, budget = m_document.budgetBytes(),
                    pins = m_document.pins(),
                    most](const Job &job) { return figuresOf(*model, *other, batch, budget, pins, most, job.stop()); },
                   [this](const std::optional<BatchFigures> &figures) {
                       m_figures = figures;
                       Q_EMIT changed();
                       if (m_again) look();
                   });
}

void BatchOutlook::spoil()
{
    if (!m_other) return;
    m_limiter.cancel();
    if (!m_document.draggingBudget()) limit(); // where a drag ends is looked at once it does
    look();
}

void BatchOutlook::limit()
{
    LimitsAsked asked{m_model, m_other, m_document.currentPlan(), m_document.budgetBytes(), m_document.pins()};
    m_limiter.start(
        [asked = std::move(asked)](const Job &job) {
            yieldToInput();
            return limitsOf(asked, job.stop());
        },
        [this](const BatchLimits &limits) {
            m_limits = limits;
            Q_EMIT changed();
        });
}

} // namespace remat::studio
