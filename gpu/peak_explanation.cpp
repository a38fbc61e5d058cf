#include "gpu/peak_explanation.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace remat {
namespace {

constexpr std::size_t kMostReasons = 5;

std::int64_t expectedBytes(const Graph &graph, OpId op)
{
    std::int64_t bytes = 0;
    for (const StorageId storage : graph.op(op).outputs)
        bytes += graph.storage(storage).bytes;
    return bytes;
}

/// Why one computation took more than predicted, as a sentence.
std::string reasonAbove(const Graph &graph, OpId op, std::int64_t workspace, std::int64_t made, std::int64_t rest)
{
    const std::string &name = graph.op(op).name;
    if (workspace >= made && workspace >= rest)
        return name + " needs " + formatBytes(workspace, Rounding::Up) +
               " of workspace that the cost table does not know.";
    if (made >= rest) return name + " makes " + formatBytes(made, Rounding::Up) + " more than the trace says.";
    return "When " + name + " runs, the storages held weigh " + formatBytes(rest, Rounding::Up) +
           " more than the trace says.";
}

std::string reasonBelow(const Graph &graph, const CostTable &costs, OpId op, const StepMeasurement &measured)
{
    const std::string &name = graph.op(op).name;
    const std::int64_t workspace = costs.workspace(op) - measured.workspaceBytes;
    const std::int64_t made = expectedBytes(graph, op) - measured.madeBytes;
    if (workspace > 0 && workspace >= made)
        return name + ", which makes the predicted peak, needs " + formatBytes(workspace) +
               " less workspace than the cost table says.";
    if (made > 0)
        return name + ", which makes the predicted peak, makes " + formatBytes(made) + " less than the trace says.";
    return "When " + name + " runs, which makes the predicted peak, the storages held weigh less than the trace says.";
}

} // namespace

PeakExplanation explainPeak(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps,
                            const Simulation &simulated, const Replay &measured)
{
    PeakExplanation result;
    const auto predicted = static_cast<double>(simulated.peakBytes);
    const double difference = static_cast<double>(measured.peakBytes) - predicted;
    if (std::abs(difference) <= kPeakTolerance * predicted) return result;
    result.withinTolerance = false;
    if (difference < 0) {
        const Step &peak = steps[simulated.peakStep];
        if (peak.kind == StepKind::Compute)
            result.reasons.push_back(reasonBelow(graph, costs, peak.op, measured.steps[simulated.peakStep]));
        return result;
    }
    const auto limit = static_cast<std::int64_t>(predicted * (1 + kPeakTolerance));
    std::map<OpId, std::pair<std::int64_t, std::string>> reasons; // per op the largest
    for (std::size_t index = 0; index < steps.size(); ++index) {
        if (steps[index].kind != StepKind::Compute || measured.steps[index].heldBytes <= limit) continue;
        const OpId op = steps[index].op;
        const StepMeasurement &step = measured.steps[index];
        const std::int64_t over = step.heldBytes - simulated.steps[index].heldBytes;
        const std::int64_t workspace = std::max<std::int64_t>(0, step.workspaceBytes - costs.workspace(op));
        const std::int64_t made = step.madeBytes - expectedBytes(graph, op);
        if (step.heldBytes - workspace > limit) result.workspaceExplains = false;
        auto &[largest, reason] = reasons[op];
        if (over <= largest) continue;
        largest = over;
        reason = reasonAbove(graph, op, workspace, made, over - workspace - made);
    }
    std::vector<std::pair<std::int64_t, std::string>> sorted;
    for (auto &[op, reason] : reasons)
        if (!reason.second.empty()) sorted.push_back(std::move(reason));
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    for (std::size_t index = 0; index < std::min(sorted.size(), kMostReasons); ++index)
        result.reasons.push_back(std::move(sorted[index].second));
    return result;
}

bool workspaceKnown(const CostSource &costs, const ValidationRecord &run)
{
    // A profile's source is named after the title of its device (`profileCosts`), number of threads included.
    return costs.kind == "profile" && !run.deviceTitle.empty() && costs.device == run.deviceTitle;
}

} // namespace remat
