// SPDX-License-Identifier: Apache-2.0
#include "solvers/uses/fit.h"

#include "core/base/memory_units.h"
#include "core/base/units.h"
#include "core/plan/simulator.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

FitNeeds fitNeeds(const Graph &graph, const CostTable &costs, std::int64_t keepAllPeakBytes,
                  const KnownOptimizer &optimizer)
{
    FitNeeds needs;
    for (const Storage &storage : graph.storages) {
        if (isResident(storage.kind)) needs.residentBytes += storage.bytes;
        if (storage.kind == StorageKind::Parameter) needs.parametersBytes += storage.bytes;
        if (storage.kind == StorageKind::ParameterGradient) needs.gradientsBytes += storage.bytes;
    }
    needs.optimizerBytes = needs.gradientsBytes * optimizer.states;
    needs.updateBytes = needs.gradientsBytes * optimizer.temporaries;
    needs.stepBytes = keepAllPeakBytes;
    CostTable bare = costs;
    std::fill(bare.workspaceBytes.begin(), bare.workspaceBytes.end(), 0);
    if (const auto simulated = simulate(graph, bare, keepAllPlan(graph).steps))
        needs.workspaceBytes = keepAllPeakBytes - simulated->peakBytes;
    return needs;
}

std::int64_t leftForStep(const FitNeeds &needs, std::int64_t memoryBytes, double reserve)
{
    const auto kept = static_cast<std::int64_t>(static_cast<double>(memoryBytes) * reserve);
    return memoryBytes - kept - needs.residentBytes - needs.optimizerBytes;
}

const char *fitVerdictName(FitVerdict verdict)
{
    switch (verdict) {
    case FitVerdict::Fits:
        return "fits";
    case FitVerdict::FitsWithPlan:
        return "fits with a plan";
    case FitVerdict::NoPlanFound:
        return "no plan found";
    case FitVerdict::CannotFit:
        break;
    }
    return "cannot fit";
}

Expected<DeviceFit> judgeFit(const FitNeeds &needs, std::int64_t memoryBytes, double reserve, const Planner &planner,
                             SolveRequest request, const SolveContext &context)
{
    DeviceFit fit;
    fit.memoryBytes = memoryBytes;
    const std::int64_t budget = leftForStep(needs, memoryBytes, reserve);
    fit.budgetBytes = std::max<std::int64_t>(budget, 0);
    if (budget <= 0) {
        fit.reason = "Parameters, inputs and states alone take more than it has.";
        return fit;
    }
    if (needs.gradientsBytes + needs.updateBytes > budget) {
        fit.reason = "The update alone takes more than it has: gradients and temporaries.";
        return fit;
    }
    if (needs.stepBytes <= budget) {
        fit.verdict = FitVerdict::Fits;
        return fit;
    }
    const std::vector<PeakBound> bounds = peakBounds(*request.graph, *request.costs);
    const PeakBound *proven = nullptr;
    for (const PeakBound &bound : bounds)
        if (bound.holdsFor >= HoldsFor::AnyOrder && (!proven || bound.bytes > proven->bytes)) proven = &bound;
    if (proven && proven->bytes > budget) {
        fit.reason = fmt::format("Every plan holds {} ({}), and {} are left for the step.", formatMemory(proven->bytes),
                                 proven->method, formatBytes(budget, Rounding::Down));
        return fit;
    }
    request.budgetBytes = budget;
    const auto outcome = solve(planner, request, context);
    if (!outcome) return tl::unexpected(outcome.error());
    if (!outcome->plan) {
        fit.verdict = FitVerdict::NoPlanFound;
        fit.reason = outcome->message;
        return fit;
    }
    const auto simulated = simulatePlan(*request.graph, *request.costs, *outcome->plan);
    if (!simulated) return tl::unexpected(simulated.error());
    fit.verdict = FitVerdict::FitsWithPlan;
    fit.overhead = simulated->timeUs / keepAllTimeUs(*request.costs) - 1;
    return fit;
}

} // namespace remat
