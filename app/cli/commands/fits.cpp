// SPDX-License-Identifier: Apache-2.0
// remat fits: what training takes in memory, and on which devices it fits.
#include "app/cli/chunk_flag.h"
#include "app/cli/command.h"
#include "app/cli/number_option.h"
#include "app/cli/output.h"
#include "app/cli/progress_bar.h"
#include "app/cli/python_side.h"
#include "app/cli/solve_flags.h"

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/chunk/title.h"
#include "core/plan/pin_names.h"
#include "solvers/uses/largest_batch.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace remat::cli {

namespace {

/// As much as a device may have, for what does not depend on which one it is.
constexpr std::int64_t kAnyDeviceBytes = std::int64_t{1} << 40;

struct FitsFlags {
    std::string model, otherBatch, optimizer = "adamw", solver = "auto", codegen;
    std::optional<std::string> memory;
    std::vector<std::string> devices;
    std::int64_t optimizerBytes = -1, updateBytes = -1, gradientsBytes = -1, parametersBytes = -1;
    double reservePercent = 100 * kFitReserve;
    SolveFlags solve;
    CostFlags costs;
    ChunkFlag chunk;
    bool json = false;
};

struct DeviceAnswer {
    Device device;
    DeviceFit fit;
    std::optional<LargestBatches> batches; ///< where a trace of another batch was given
};

Expected<std::vector<Device>> devicesOf(const FitsFlags &flags)
{
    std::vector<Device> devices;
    for (const std::string &name : flags.devices) {
        auto device = findDevice(name);
        if (!device) return tl::unexpected(device.error());
        devices.push_back(std::move(*device));
    }
    if (!devices.empty()) return devices;
    auto all = readDevices();
    if (all) std::erase_if(*all, [](const Device &device) { return device.name == "reference"; });
    return all;
}

void setGiven(std::int64_t given, std::int64_t &value)
{
    if (given >= 0) value = given;
}

/// What `--memory` makes of a device's own memory.
Expected<std::int64_t> memoryOf(const FitsFlags &flags, std::int64_t deviceBytes)
{
    const bool under = flags.memory->find('-') != std::string::npos;
    auto bytes = parseBudget(*flags.memory, deviceBytes);
    if (bytes && !under) return bytes;
    return fail(
        fmt::format("--memory takes bytes with a unit such as 24GiB, or a share of each device's own memory such "
                    "as 50%, not {}.",
                    quotedName(*flags.memory)));
}

/// What no plan of the step needs less than.
struct Floors {
    std::int64_t wholeBytes = 0;
    std::optional<FloorInChunks> chunks;
};

nlohmann::json toJson(const FitNeeds &needs, const Floors &floors, const std::vector<DeviceAnswer> &all)
{
    nlohmann::json devices = nlohmann::json::array();
    for (const DeviceAnswer &one : all) {
        nlohmann::json entry{{"name", one.device.name},
                             {"title", one.device.title},
                             {"memory_bytes", one.fit.memoryBytes},
                             {"budget_bytes", one.fit.budgetBytes},
                             {"verdict", fitVerdictName(one.fit.verdict)},
                             {"reason", one.fit.reason},
                             {"overhead", nullptr}};
        if (one.fit.verdict <= FitVerdict::FitsWithPlan) entry["overhead"] = one.fit.overhead;
        if (one.batches) {
            entry["largest_batch"] = one.batches->asItIs;
            entry["largest_batch_with_plan"] = one.batches->withPlan;
        }
        devices.push_back(std::move(entry));
    }
    return {{"resident_bytes", needs.residentBytes},
            {"parameters_bytes", needs.parametersBytes},
            {"gradients_bytes", needs.gradientsBytes},
            {"optimizer_bytes", needs.optimizerBytes},
            {"update_bytes", needs.updateBytes},
            {"step_bytes", needs.stepBytes},
            {"workspace_bytes", needs.workspaceBytes},
            {"needed_bytes", needs.neededBytes()},
            {"step_floor_bytes", floors.wholeBytes},
            {"chunks", floors.chunks ? nlohmann::json{{"title", floors.chunks->title},
                                                      {"step_floor_bytes", floors.chunks->floorBytes},
                                                      {"least_step_floor_bytes", floors.chunks->leastFloorBytes}}
                                     : nlohmann::json()},
            {"devices", std::move(devices)}};
}

void print(const FitsFlags &flags, const FitNeeds &needs, const Floors &floors, const std::vector<DeviceAnswer> &all)
{
    const auto line = [](const char *what, std::int64_t bytes) {
        say(stdout, "  %-52s %10s\n", what, formatBytes(bytes, Rounding::Up).c_str());
    };
    say(stdout, "training with %s takes\n", printable(flags.optimizer).c_str());
    line("parameters, buffers, inputs", needs.residentBytes);
    line("states of the optimizer", needs.optimizerBytes);
    line("activations and gradients, at the peak of the step", needs.stepBytes);
    if (needs.workspaceBytes > 0) line("  of that workspace of kernels, as measured", needs.workspaceBytes);
    line("gradients and temporaries, in the update", needs.gradientsBytes + needs.updateBytes);
    line("in all, when everything is kept", needs.neededBytes());
    line("no plan of the step needs less than", floors.wholeBytes);
    if (floors.chunks) {
        line(fmt::format("  with {}", floors.chunks->title).c_str(), floors.chunks->floorBytes);
        line(fmt::format("  in any chunks, up to {}", kMostPieces).c_str(), floors.chunks->leastFloorBytes);
    }
    say(stdout, "of each device %s stay free for fragmentation, the driver and workspaces\n",
        formatShare(flags.reservePercent / 100).c_str());
    for (const DeviceAnswer &one : all) {
        std::string said = fitVerdictName(one.fit.verdict);
        if (one.fit.verdict == FitVerdict::FitsWithPlan)
            said += fmt::format(" at {} overhead", formatShare(one.fit.overhead));
        if (!one.fit.reason.empty()) said += ". " + one.fit.reason;
        if (one.batches)
            said += fmt::format("{}Largest batch {}, with a plan {}.", said.ends_with('.') ? " " : ". ",
                                one.batches->asItIs, one.batches->withPlan);
        say(stdout, "  %-40s %10s  %s\n", printable(one.device.title).c_str(), formatBytes(one.fit.memoryBytes).c_str(),
            printable(said).c_str());
    }
}

/// Where no plan of whole ops fits, a plan in chunks; with `--chunk head=8` in those. Leaves the verdict where there is
/// none, and where nobody wants chunks.
Expected<void> fitInChunks(const FitsFlags &flags, const ModelWithCosts &subject, const Device &device,
                           const Planner &planner, SolveRequest request, const SolveContext &context, DeviceFit &fit)
{
    const bool wanted = flags.chunk.given() || (flags.chunk.isByItself() && flags.solver == "auto");
    if (!wanted || fit.verdict <= FitVerdict::FitsWithPlan || fit.budgetBytes <= 0 || !flags.solve.pins.empty())
        return {};
    CostFlags costs = flags.costs;
    costs.device = device.name;
    const auto setting = chunkSetting(subject, costs, flags.chunk);
    if (!setting && flags.chunk.given()) return tl::unexpected(setting.error());
    if (!setting) return {};
    request.budgetBytes = fit.budgetBytes;
    const double keepAllUs = keepAllTimeUs(*request.costs);
    auto planned = [&]() -> Expected<ChunkedOutcome> {
        if (!flags.chunk.given() || flags.chunk.isAuto())
            return planInChunks(planner, subject.asRead(), *setting, request, context);
        const auto chunking = chunkingByName(flags.chunk.text, subject.asRead(), *setting);
        if (!chunking) return tl::unexpected(chunking.error());
        return planChunking(planner, subject.asRead(), *chunking, *setting, request, context);
    }();
    if (!planned) return tl::unexpected(planned.error());
    if (!planned->outcome.plan) return {};
    fit.verdict = FitVerdict::FitsWithPlan;
    fit.overhead = keepAllUs > 0 ? planned->outcome.plan->predicted.timeUs / keepAllUs - 1 : 0;
    fit.reason = fmt::format("In chunks: {}.", chunkingTitle(planned->chunked.chunking));
    return {};
}

/// What is wrong with the chunks that were named, on any device; nothing where none was.
Expected<void> checkChunks(const FitsFlags &flags, const ModelWithCosts &subject)
{
    const bool named = flags.chunk.given() && !flags.chunk.isAuto();
    if (!named && flags.chunk.whole.empty()) return {};
    const auto setting = chunkSetting(subject, flags.costs, flags.chunk);
    if (!setting) return tl::unexpected(setting.error());
    if (!named) return {};
    const auto chunking = chunkingByName(flags.chunk.text, subject.asRead(), *setting);
    if (!chunking) return tl::unexpected(chunking.error());
    return {};
}

/// What the compiler's own code holds, which the Python package asks it.
int runWithKernels(const FitsFlags &flags)
{
    if (!flags.otherBatch.empty() || !flags.costs.profile.empty() || flags.chunk.given() || flags.solver != "auto" ||
        !flags.solve.pins.empty() || flags.optimizerBytes >= 0 || flags.updateBytes >= 0 || flags.gradientsBytes >= 0 ||
        flags.parametersBytes >= 0)
        return badInput({"With --codegen the model's own step is asked, and the compiler's cuts are the plans: only "
                         "--optimizer, --devices, --memory, --reserve, --time-limit and --json go with it."});
    std::vector<std::string> arguments{"fits",
                                       "--codegen",
                                       flags.codegen,
                                       "--optimizer",
                                       flags.optimizer,
                                       "--reserve",
                                       fmt::format("{}", flags.reservePercent),
                                       "--time-limit",
                                       fmt::format("{}", flags.solve.timeLimitSeconds)};
    if (flags.memory) {
        const auto bytes = memoryOf(flags, kAnyDeviceBytes);
        if (!bytes) return badInput(bytes.error());
        if (*memoryOf(flags, 2 * kAnyDeviceBytes) != *bytes)
            return badInput({"With --codegen, --memory takes bytes such as 24GiB, for all devices alike."});
        arguments.insert(arguments.end(), {"--memory", std::to_string(*bytes)});
    }
    for (const std::string &device : flags.devices)
        arguments.insert(arguments.end(), {"--devices", device});
    if (flags.json) arguments.emplace_back("--json");
    arguments.insert(arguments.end(), {"--", flags.model});
    return becomePython(arguments, "torch",
                        "It is PyTorch: install it in a virtual environment, activate that, and ask again.");
}

int runFits(const FitsFlags &flags)
{
    if (!flags.codegen.empty()) return runWithKernels(flags);
    auto chosen = flags.solve.choose(flags.solver);
    if (!chosen) return badInput(chosen.error());
    auto optimizer = findOptimizer(flags.optimizer);
    if (!optimizer) return badInput(optimizer.error());
    auto devices = devicesOf(flags);
    if (!devices) return badInput(devices.error());
    auto subject = openModelWithCosts(flags.model, flags.costs);
    if (!subject) return badInput(subject.error());
    if (plansParameters(chosen->options))
        return badInput(Error{"Plans that move parameters to host memory do not train, so fits knows none: leave the "
                              "option parameters out."});

    if (const auto chunks = checkChunks(flags, *subject); !chunks) return badInput(chunks.error());
    auto pins = pinsByName(subject->graph(), flags.solve.pins);
    if (!pins) return badInput(pins.error());
    std::optional<BatchLine> line;
    if (!flags.otherBatch.empty()) {
        const auto other = readModel(flags.otherBatch);
        if (!other) return badInput(other.error());
        auto compared = batchLine(subject->graph(), other->graph);
        if (!compared) return badInput(compared.error());
        line = std::move(*compared);
    }

    FitNeeds needs = fitNeeds(subject->graph(), subject->costs, subject->keepAll.peakBytes, *optimizer);
    setGiven(flags.optimizerBytes, needs.optimizerBytes);
    setGiven(flags.updateBytes, needs.updateBytes);
    setGiven(flags.gradientsBytes, needs.gradientsBytes);
    setGiven(flags.parametersBytes, needs.parametersBytes);
    std::vector<DeviceAnswer> all;
    ProgressBar bar;
    for (const Device &device : *devices) {
        std::int64_t memory = device.memoryBytes;
        if (flags.memory) {
            auto given = memoryOf(flags, device.memoryBytes);
            if (!given) return badInput(given.error());
            memory = std::min(memory, *given);
        }
        auto costs = readCosts(*subject->model, flags.costs, device.name);
        if (!costs) return badInput(costs.error());
        SolveRequest request;
        request.graph = &subject->graph();
        request.costs = &*costs;
        if (subject->model->program) request.program = &*subject->model->program;
        request.options = chosen->options;
        request.pins = *pins;
        SolveContext context = flags.solve.context();
        context.deadline = Deadline(flags.solve.timeLimitSeconds);
        context.progress = [&](const SolveProgress &progress) {
            bar.show(fmt::format("{}: {}", device.title, progress.activity), progress.fraction, "");
        };
        const double reserve = flags.reservePercent / 100;
        auto fit = judgeFit(needs, memory, reserve, *chosen->planner, request, context);
        if (!fit) return badInput(fit.error());
        context.deadline = Deadline(flags.solve.timeLimitSeconds);
        if (auto cut = fitInChunks(flags, *subject, device, *chosen->planner, request, context, *fit); !cut)
            return badInput(cut.error());
        all.push_back({device, std::move(*fit), {}});
        if (!line) continue;
        const auto batches = largestBatches(*line, needs, memory, reserve, *chosen->planner, request, context);
        if (!batches) return badInput(batches.error());
        all.back().batches = *batches;
    }
    const PeakBound floor = workingSetBound(subject->graph(), subject->costs);
    const Floors floors{floor.bytes, floorWithChunks(*subject, flags.costs, floor)};
    if (flags.json)
        printJson(toJson(needs, floors, all));
    else
        print(flags, needs, floors, all);
    const bool fits = std::any_of(all.begin(), all.end(),
                                  [](const DeviceAnswer &one) { return one.fit.verdict <= FitVerdict::FitsWithPlan; });
    return fits ? kDone : kNo;
}

void addFits(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<FitsFlags>();
    flags->solve.timeLimitSeconds = kFitSeconds;
    CLI::App *command = app.add_subcommand("fits", "what training takes in memory, and on which devices it fits");
    command
        ->add_option(
            "MODEL", flags->model,
            "trace (.pt2) or graph (.json); with --codegen FILE.py:FUNCTION that returns model, arguments, loss")
        ->required();
    command
        ->add_option("--codegen", flags->codegen,
                     "`inductor`: counts what the kernels of PyTorch's compiler hold, to the byte, instead of those of "
                     "eager mode")
        ->check(CLI::IsMember({"inductor"}));
    command->add_option("--optimizer", flags->optimizer, "adamw, adam, momentum, sgd or none")->capture_default_str();
    command->add_option("--other-batch", flags->otherBatch,
                        "trace of the same step with another batch, from which the largest batch that fits follows");
    command->add_option("--devices", flags->devices, "names of device files, with commas; default all")->delimiter(',');
    command
        ->add_option("--memory", flags->memory,
                     "takes each device to have no more memory than this: `24GiB`, or `50%` of its own")
        ->expected(0, 1); // so that none is refused with what it takes
    addNumber(*command, "--reserve", flags->reservePercent, 0, 99, "percent of each device's memory that stays free");
    const auto bytes = [&](const char *flag, std::int64_t &value, const char *text) {
        addWhole(*command, flag, value, 0, std::int64_t{1} << 60, text);
    };
    bytes("--optimizer-bytes", flags->optimizerBytes, "bytes of states, for another optimizer");
    bytes("--update-bytes", flags->updateBytes, "bytes that its update takes for a moment");
    bytes("--gradients-bytes", flags->gradientsBytes, "bytes of all gradients, if some are missing in the graph");
    bytes("--parameters-bytes", flags->parametersBytes, "bytes of all parameters, if some are missing in the graph");
    command->add_option("--planner,--solver", flags->solver, "planner; `remat solvers` lists them")
        ->capture_default_str();
    flags->solve.add(*command, "KEY=VALUE, an option of the planner; may be given several times", "seconds a device");
    flags->chunk.add(*command);
    command->add_option("--profile", flags->costs.profile, "measured costs, made by `remat profile`");
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runFits(*flags); }; });
}

} // namespace

const Command &command::fits()
{
    static const Command command = {.order = 100, .add = addFits};
    return command;
}

} // namespace remat::cli
