// SPDX-License-Identifier: Apache-2.0
#include "app/cli/here.h"

#include "app/cli/output.h"
#include "app/cli/progress_bar.h"
#include "app/cli/run_flags.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/machine_json.h"

#include <unordered_map>

namespace remat::cli {

namespace {

/// Enough for workspaces, which are the same each time, and for times to plan with; `remat profile` measures better.
constexpr SamplingLimits kFewSteps{.mostSteps = 3, .spread = 0.1, .mostSeconds = 20, .leastSteps = 1};

/// What is known of a device so far; a file that cannot be read is written anew.
MachineCosts knownOf(const std::string &device, const std::string &deviceTitle, const std::string &torchVersion)
{
    const auto costs = readMachine(machineFile(machineFolder(), deviceTitle, torchVersion));
    return costs ? *costs : MachineCosts{device, deviceTitle, torchVersion, {}};
}

void remember(const MachineCosts &costs)
{
    if (const auto written = writeMachine(machineFolder(), costs); !written)
        say(stderr, "What was measured is not remembered: %s\n", printable(written.error().message).c_str());
}

} // namespace

Expected<Profile> profileHere(const Model &model)
{
    if (!model.program)
        return fail("`--device here` runs the ops of a model, and {} is a graph as JSON, which has none to "
                    "run. Name another device.",
                    model.graph.name);
    const RuntimeInfo info = runtimeInfo();
    if (!info.available)
        return fail("`--device here` runs the ops of the model, which cannot be done: " + info.sentence);
    MachineCosts costs =
        knownOf(info.cuda ? "cuda" : "cpu", info.cuda ? info.cudaTitle : info.cpuTitle, info.torchVersion);
    const std::size_t unknown = unknownOps(costs, model);
    if (unknown > 0) {
        say(stderr, "%s of the model's distinct ops were never run on this machine: they are measured first.\n",
            formatCount(static_cast<std::int64_t>(unknown)).c_str());
        ProgressBar bar;
        RunFlags run;
        run.device = costs.device;
        const auto profile = profileModel(model, run.runDevice(), kFewSteps, run.context(bar));
        if (!profile) return tl::unexpected(profile.error());
        learnProfile(costs, model, *profile);
        remember(costs);
    }
    return rememberedProfile(costs, model);
}

std::optional<Profile> profileRemembered(const Model &model, const std::string &deviceTitle)
{
    if (!model.program || deviceTitle.empty()) return std::nullopt;
    const auto costs = rememberedMachine(machineFolder(), deviceTitle, model);
    return costs ? std::optional(rememberedProfile(*costs, model)) : std::nullopt;
}

void rememberProfile(const Model &model, const Profile &profile)
{
    MachineCosts costs = knownOf(profile.device, profile.deviceTitle, profile.torchVersion);
    learnProfile(costs, model, profile);
    remember(costs);
}

void rememberRun(const Model &model, const Graph &graph, const std::vector<Step> &steps, const ValidationRecord &record)
{
    if (record.device == "simulated" || record.steps.size() != steps.size()) return;
    std::unordered_map<std::string_view, OpId> ops;
    for (std::size_t op = 0; op < model.graph.ops.size(); ++op)
        ops.emplace(model.graph.ops[op].name, OpId(op));
    std::vector<MeasuredCompute> run;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (steps[step].kind != StepKind::Compute) continue;
        const auto op = ops.find(graph.op(steps[step].op).name);
        const StepMeasurement &measured = record.steps[step];
        if (op != ops.end()) run.push_back({op->second, measured.workspaceBytes, measured.endUs - measured.startUs});
    }
    MachineCosts costs = knownOf(record.device, record.deviceTitle, record.torchVersion);
    learnRun(costs, model, run);
    remember(costs);
}

} // namespace remat::cli
