// SPDX-License-Identifier: Apache-2.0
#include "solvers/tools/incumbent.h"

#include <algorithm>

namespace remat {

Incumbent::Incumbent(const FlatGraph &flat, const SolveContext &context, std::int64_t budgetBytes)
    : m_flat(flat), m_context(context), m_budget(budgetBytes), m_evaluator(*flat.graph, *flat.costs)
{
}

SequenceCost Incumbent::offer(std::vector<OpId> sequence)
{
    const std::lock_guard lock(m_mutex);
    const SequenceCost cost = m_evaluator(sequence);
    if (m_smallestPeak == 0 || cost.peakBytes < m_smallestPeak) m_smallestPeak = cost.peakBytes;
    if (cost.peakBytes > m_budget || (m_bestTimeUs >= 0 && cost.timeUs >= m_bestTimeUs - 1e-9)) return cost;
    m_best = std::move(sequence);
    m_bestTimeUs = cost.timeUs;
    m_progress.incumbentTimeUs = cost.timeUs;
    if (m_context.progress) {
        const auto plan = std::make_shared<Plan>();
        plan->steps = withEarliestFrees(*m_flat.graph, m_best);
        tell(plan);
    }
    return cost;
}

bool Incumbent::found() const
{
    const std::lock_guard lock(m_mutex);
    return m_bestTimeUs >= 0;
}

std::vector<OpId> Incumbent::best() const
{
    const std::lock_guard lock(m_mutex);
    return m_best;
}

double Incumbent::bestTimeUs() const
{
    const std::lock_guard lock(m_mutex);
    return m_bestTimeUs;
}

std::int64_t Incumbent::smallestPeakBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_smallestPeak;
}

void Incumbent::setActivity(const std::string &activity, double fraction)
{
    const std::lock_guard lock(m_mutex);
    m_progress.activity = activity;
    m_progress.fraction = fraction;
    tell(nullptr);
}

void Incumbent::setClusters(std::vector<ClusterProgress> clusters)
{
    const std::lock_guard lock(m_mutex);
    m_progress.clusters = std::move(clusters);
    m_progress.clustersTotal = static_cast<int>(m_progress.clusters.size());
    countDone();
    tell(nullptr);
}

std::vector<ClusterProgress> Incumbent::clusters() const
{
    const std::lock_guard lock(m_mutex);
    return m_progress.clusters;
}

void Incumbent::updateCluster(std::size_t cluster, const std::function<void(ClusterProgress &)> &change)
{
    const std::lock_guard lock(m_mutex);
    change(m_progress.clusters[cluster]);
    countDone();
    m_progress.fraction =
        static_cast<double>(m_progress.clustersDone) / static_cast<double>(m_progress.clusters.size());
    tell(nullptr);
}

void Incumbent::countDone()
{
    m_progress.clustersDone = static_cast<int>(std::count_if(m_progress.clusters.begin(), m_progress.clusters.end(),
                                                             [](const ClusterProgress &each) { return each.done; }));
}

void Incumbent::setModelFigures(double incumbentUs, double boundUs, double keepAllUs)
{
    const std::lock_guard lock(m_mutex);
    m_progress.incumbentTimeUs =
        m_bestTimeUs >= 0 && (incumbentUs < 0 || m_bestTimeUs < incumbentUs) ? m_bestTimeUs : incumbentUs;
    m_progress.boundTimeUs = boundUs;
    const double best = m_progress.incumbentTimeUs;
    m_progress.gap = best >= 0 && boundUs > keepAllUs ? std::max(0.0, (best - boundUs) / (boundUs - keepAllUs)) : -1;
    tell(nullptr);
}

void Incumbent::tell(std::shared_ptr<const Plan> plan)
{
    if (!m_context.progress) return;
    SolveProgress snapshot = m_progress;
    snapshot.incumbent = std::move(plan);
    m_context.progress(snapshot);
}

} // namespace remat
