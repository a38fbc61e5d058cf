// SPDX-License-Identifier: Apache-2.0
#include "gpu/runtime.h"

#include "core/base/turn.h"
#include "core/graph/allowed_operators.h"
#include "gpu/run_messages.h"
#include "gpu/run_process.h"
#include "gpu/run_trust.h"
#include "gpu/updated_model.h"

#include "core/plan/checker.h"
#include "core/plan/eager_verdict.h"

#include <map>
#include <mutex>

namespace remat {
namespace {

/// Loading LibTorch, and a GPU's libraries, from a slow disk.
constexpr double kAskTimeLimitSeconds = 300;

RuntimeInfo askRuntime(int gpu)
{
    RunContext context;
    RunRequest request;
    request.gpu = gpu;
    context.timeLimitSeconds = kAskTimeLimitSeconds;
    RuntimeInfo none;
    Expected<RunReply> reply = runInProcess(request, context);
    if (!reply)
        none.sentence = reply.error().message;
    else if (auto *info = std::get_if<RuntimeInfo>(&*reply))
        return std::move(*info);
    return none;
}

/// Runs the job, one at a time, since each one takes the machine's memory and cores.
template <class T>
Expected<T> run(RunRequest request, const RunContext &context)
{
    static std::mutex busy;
    const auto turn = takeTurn(busy, [&context] { return context.stop && context.stop->stopRequested(); });
    if (!turn.owns_lock()) return fail("Stopped.");
    request.gpu = context.gpu;
    request.threads = context.threads;
    request.seed = context.seed;
    Expected<RunReply> reply = runInProcess(request, context);
    if (!reply) return tl::unexpected(reply.error());
    if (auto *outcome = std::get_if<T>(&*reply)) return std::move(*outcome);
    return fail("remat-run gave an answer to another question. Build the programs again.");
}

/// The model can be run as far as one can see without LibTorch.
Expected<void> checkModel(const Model &model)
{
    if (!model.program)
        return fail(model.graph.name + " is a graph without operators to run. Only traces (.pt2) can be run; make one "
                                       "with `python -m remat_studio.trace`.");
    return checkOperators(*model.program);
}

/// What keep-all takes, but for workspaces, which are not known here.
Expected<MemoryNeed> keepAllNeed(const Model &model)
{
    CostTable noCosts;
    noCosts.timeUs.assign(model.graph.ops.size(), 0);
    noCosts.workspaceBytes.assign(model.graph.ops.size(), 0);
    const std::vector<Step> steps = keepAllPlan(model.graph).steps;
    return memoryNeed(model, model.graph, noCosts, {&steps});
}

} // namespace

Expected<DeviceFindings> examineDevice(RunDevice device, double linkBytesPerSecond, double linkLatencyUs,
                                       const RunContext &context)
{
    RunRequest request;
    request.job = RunJob::Device;
    request.device = device;
    request.costs.linkBytesPerSecond = linkBytesPerSecond;
    request.costs.linkLatencyUs = linkLatencyUs;
    return run<DeviceFindings>(std::move(request), context);
}

RuntimeInfo runtimeInfo(int gpu)
{
    static std::mutex mutex;
    static std::map<int, RuntimeInfo> known;
    const std::lock_guard lock(mutex);
    RuntimeInfo &info = known[gpu];
    if (!info.available) info = askRuntime(gpu);
    return info;
}

Expected<Profile> profileModel(const Model &model, RunDevice device, const SamplingLimits &limits,
                               const RunContext &context)
{
    if (auto runs = checkModel(model); !runs) return tl::unexpected(runs.error());
    RunRequest request;
    request.job = RunJob::Profile;
    request.device = device;
    request.sampling = limits;
    request.model = model;
    const Expected<MemoryNeed> need = keepAllNeed(model);
    if (!need) return tl::unexpected(need.error());
    request.need = *need;
    Expected<Profile> profile = run<Profile>(std::move(request), context);
    if (!profile) return profile;
    if (!isPossible(*profile, model.graph.ops.size()))
        return fail("remat-run measured what cannot be. Measure again, and do not trust the trace.");
    profile->fingerprint = model.graph.fingerprint;
    profile->graphName = model.graph.name;
    return profile;
}

Expected<std::int64_t> roomForPlans(const Model &model, const Graph &graph, const CostTable &costs,
                                    const std::vector<Step> &steps, RunDevice device, const RunContext &context)
{
    const Expected<Model> run = updatedModel(model, context.updates);
    if (!run) return tl::unexpected(run.error());
    const Expected<MemoryNeed> need = memoryNeed(*run, graph, costs, {&steps, &steps});
    if (!need) return tl::unexpected(need.error());
    std::int64_t freeBytes = freeHostBytes();
    if (device == RunDevice::Cuda) {
        const RuntimeInfo info = runtimeInfo(context.gpu);
        freeBytes = info.cuda ? info.cudaMemoryBytes : -1; // the run itself says why there is no GPU
    }
    return roomBytes(*need, device, freeBytes, context.simulated.memoryBytes);
}

Expected<ValidationRecord> validatePlan(const Model &traced, const CostTable &costs, const Plan &plan, RunDevice device,
                                        const RunContext &context)
{
    if (auto runs = checkModel(traced); !runs) return tl::unexpected(runs.error());
    Expected<Model> updated = updatedModel(traced, context.updates);
    if (!updated) return tl::unexpected(updated.error());
    const Model &model = *updated;
    const Verdict verdict = checkPlan(model.graph, costs, plan);
    if (!verdict.ok) return fail(verdict.sentence);
    RunRequest request;
    request.job = RunJob::Validate;
    request.device = device;
    request.memory = context.memory;
    request.repeats = context.repeats;
    request.model = model;
    request.costs = costs;
    request.plan.steps = plan.steps;
    request.plan.budgetBytes = plan.budgetBytes;
    request.plan.parametersPlanned = plan.parametersPlanned;
    request.compareWithCpu = context.compareWithCpu;
    request.simulated = context.simulated;
    request.reference = context.reference;
    const Graph graph = plan.parametersPlanned ? withPlannedParameters(model.graph) : model.graph;
    const std::vector<Step> keepAll = keepAllPlan(graph).steps;
    const Expected<MemoryNeed> need = memoryNeed(model, graph, costs, {&keepAll, &plan.steps});
    if (!need) return tl::unexpected(need.error());
    if (!context.reference.empty()) {
        Plan reference;
        reference.steps = context.reference;
        reference.parametersPlanned = plan.parametersPlanned;
        const Verdict found = checkPlan(model.graph, costs, reference);
        if (!found.ok) return fail("The plan to compare with is none of this graph: " + found.sentence);
    }
    request.need = *need;
    if (context.whole) {
        Expected<Model> whole = updatedModel(*context.whole, context.updates);
        if (!whole) return tl::unexpected(whole.error());
        const Expected<MemoryNeed> wholeNeed = keepAllNeed(*whole);
        if (!wholeNeed) return tl::unexpected(wholeNeed.error());
        request.wholeNeed = *wholeNeed;
        request.pieces = context.pieces;
        request.whole.push_back(std::move(*whole));
    }
    Expected<ValidationRecord> record = run<ValidationRecord>(std::move(request), context);
    if (record && !isPossible(*record))
        return fail("remat-run measured what cannot be. Validate again, and do not trust the trace.");
    if (record) {
        record->eagerVerdict = traced.eager.verdict;
        record->eagerSentence = eagerSentence(traced);
        record->passed = record->passed && !eagerDiffers(traced);
    }
    return record;
}

} // namespace remat
