// SPDX-License-Identifier: Apache-2.0
// remat plan: a checked plan under a budget.
#include "app/cli/chunk_flag.h"
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/progress_bar.h"
#include "app/cli/solve_flags.h"
#include "core/base/bound_share.h"
#include "core/base/memory_units.h"

#include "core/base/budget.h"
#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/chunk/title.h"
#include "core/io/plan_text.h"
#include "core/plan/energy.h"
#include "core/plan/lane_use.h"
#include "core/plan/pin_names.h"
#include "solvers/chunk/chunks_pay.h"
#include "solvers/uses/address_fit.h"
#include "solvers/uses/record.h"
#include "solvers/uses/smallest_plan.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <array>
#include <memory>
#include <optional>

namespace remat::cli {

namespace {

constexpr std::array<const char *, 2> kFits = {"peak", "addresses"}; ///< what `--fit` knows

struct PlanFlags {
    std::string model, budget, record, start;
    std::string fit = kFits.front();
    Output output;
    std::string solver = "auto";
    SolveFlags solve;
    CostFlags costs;
    UpdateFlags updates;
    ChunkFlag chunk;
    bool orLeast = false, json = false;

    bool fitsAddresses() const { return fit == kFits.back(); }
};

std::string progressNote(const SolveProgress &progress, double keepAllUs)
{
    std::string note;
    if (progress.clustersTotal > 0)
        note += fmt::format("{} of {} clusters  ", progress.clustersDone, progress.clustersTotal);
    if (progress.incumbentTimeUs >= 0 && keepAllUs > 0)
        note += fmt::format("best {}  ", formatShare(progress.incumbentTimeUs / keepAllUs - 1));
    if (progress.gap >= 0) note += "gap " + formatShare(progress.gap);
    return note;
}

struct Summary {
    Simulation simulation;
    double overhead = 0, boundOverhead = 0;
    std::optional<double> anyOrderOverhead; ///< the bound for any order; for plans that are not in the graph's
    std::int64_t offloads = 0, prefetches = 0, offloadedBytes = 0, prefetchedBytes = 0;
    LaneUse lanes;
    double joules = 0, keepAllJoules = 0; ///< 0: the device's energy figures are not known
};

Summary summarise(const ModelWithCosts &subject, const SolveOutcome &outcome)
{
    Summary summary;
    // The plan passed the checker, so the replay cannot fail.
    summary.simulation = *simulate(subject.graph(), subject.costs, outcome.plan->steps);
    summary.lanes = *laneUse(subject.graph(), subject.costs, outcome.plan->steps);
    for (const Step &step : outcome.plan->steps) {
        if (step.kind == StepKind::Offload) {
            ++summary.offloads;
            summary.offloadedBytes += subject.graph().storage(step.storage).bytes;
        } else if (step.kind == StepKind::Prefetch) {
            ++summary.prefetches;
            summary.prefetchedBytes += subject.graph().storage(step.storage).bytes;
        }
    }
    summary.joules = planJoules(subject.graph(), subject.costs, outcome.plan->steps);
    summary.keepAllJoules = planJoules(subject.graph(), subject.costs, keepAllPlan(subject.graph()).steps);
    const double base = subject.base().timeUs;
    summary.overhead = base > 0 ? summary.simulation.timeUs / base - 1 : 0;
    summary.boundOverhead = base > 0 ? std::max(0.0, outcome.boundTimeUs / base - 1) : 0;
    const double anyOrderUs = outcome.plan->predicted.anyOrderBoundTimeUs;
    if (base > 0 && anyOrderUs > 0) summary.anyOrderOverhead = std::max(0.0, anyOrderUs / base - 1);
    return summary;
}

void print(const ModelWithCosts &subject, const SolveOutcome &outcome, const std::optional<AddressFit> &fit,
           std::int64_t budget, const Output &output)
{
    std::FILE *to = output.notes();
    const Summary summary = summarise(subject, outcome);
    const Plan &plan = *outcome.plan;
    say(to, "%s: %s in %s\n", plan.origin.solver.c_str(), statusName(outcome.status),
        formatTimeUs(plan.origin.seconds * 1e6).c_str());
    const bool parameters = subject.graph().parametersPlanned;
    say(to, "  budget      %s (%s of the keep-all peak%s)\n", formatMemory(budget).c_str(),
        formatMemoryShare(shareOf(budget, subject.base().peakBytes)).c_str(),
        parameters ? ", parameters included" : "");
    say(to, "  peak        %s (%s)\n", formatMemory(summary.simulation.peakBytes).c_str(),
        formatMemoryShare(shareOf(summary.simulation.peakBytes, subject.base().peakBytes)).c_str());
    if (subject.unchunked)
        say(to, "  chunks      %s; keep-all of it has a peak of %s and takes %s\n",
            chunkingTitle(subject.from.chunking).c_str(), formatMemory(subject.keepAll.peakBytes).c_str(),
            formatTimeUs(subject.keepAll.timeUs).c_str());
    if (fit) {
        say(to, "  addresses   %s (%s)%s\n", formatMemory(fit->heightBytes).c_str(),
            formatMemoryShare(shareOf(fit->heightBytes, subject.keepAll.peakBytes)).c_str(),
            fit->tries == 1 ? ", at the first try" : "");
        if (fit->tries > 1)
            say(to, "  tries       %d: the planner was asked for %s in the end, so that the addresses fit\n",
                fit->tries, formatMemory(fit->triedBudgetBytes, budget).c_str());
    }
    say(to, "  overhead    %s; no plan %sin this order gets below %s", formatShare(summary.overhead).c_str(),
        subject.unchunked ? "of this chunked graph " : "",
        formatBoundShare(summary.boundOverhead, summary.overhead).c_str());
    if (summary.anyOrderOverhead)
        say(to, ", and none in any order below %s",
            formatBoundShare(*summary.anyOrderOverhead, summary.overhead).c_str());
    say(to, "\n");
    say(to, "  time        %s\n", formatTimeUs(summary.simulation.timeUs).c_str());
    say(to, "  recomputed  %s of %s ops\n", formatCount(summary.simulation.recomputedOps).c_str(),
        formatCount(static_cast<std::int64_t>(subject.graph().ops.size())).c_str());
    if (summary.offloads + summary.prefetches > 0)
        say(to, "  copied      %s to host memory in %s, %s back in %s\n", formatBytes(summary.offloadedBytes).c_str(),
            formatCount(summary.offloads).c_str(), formatBytes(summary.prefetchedBytes).c_str(),
            formatCount(summary.prefetches).c_str());
    if (summary.offloads + summary.prefetches > 0) say(to, "  limited by  %s\n", limitSentence(summary.lanes).c_str());
    if (summary.joules > 0)
        say(to, "  energy      %s J; keep-all takes %s J\n", shortNumber(summary.joules, 4).c_str(),
            shortNumber(summary.keepAllJoules, 4).c_str());
    if (!outcome.message.empty()) say(to, "  %s\n", printable(outcome.message).c_str());
    if (output.given() && !output.isStandard()) say(to, "  saved       %s\n", printable(output.path).c_str());
}

nlohmann::json toJson(const ModelWithCosts &subject, const SolveOutcome &outcome, const std::optional<AddressFit> &fit,
                      std::int64_t budget)
{
    nlohmann::json object{{"status", statusName(outcome.status)},
                          {"budget_bytes", budget},
                          {"parameters_planned", subject.graph().parametersPlanned},
                          {"keep_all_peak_bytes", subject.base().peakBytes},
                          {"keep_all_time_us", subject.base().timeUs},
                          {"lower_bound_time_us", outcome.boundTimeUs},
                          {"message", outcome.message}};
    if (fit) {
        object["height_bytes"] = nullptr;
        if (fit->heightBytes > 0) object["height_bytes"] = fit->heightBytes;
        object["fit_tries"] = fit->tries;
        object["fit_budget_bytes"] = fit->triedBudgetBytes;
    }
    if (subject.unchunked) {
        object["chunks"] = chunkingTitle(subject.from.chunking);
        object["chunked_keep_all"] = {{"peak_bytes", subject.keepAll.peakBytes}, {"time_us", subject.keepAll.timeUs}};
    }
    if (!outcome.plan) {
        if (outcome.smallestPeakBytes > 0) object["smallest_peak_bytes"] = outcome.smallestPeakBytes;
        return object;
    }
    const Summary summary = summarise(subject, outcome);
    object["solver"] = outcome.plan->origin.solver;
    object["seconds"] = outcome.plan->origin.seconds;
    object["peak_bytes"] = summary.simulation.peakBytes;
    object["time_us"] = summary.simulation.timeUs;
    object["overhead"] = summary.overhead;
    object["lower_bound_overhead"] = summary.boundOverhead;
    if (summary.anyOrderOverhead) object["any_order_bound_overhead"] = *summary.anyOrderOverhead;
    object["recomputed_ops"] = summary.simulation.recomputedOps;
    object["offloaded_bytes"] = summary.offloadedBytes;
    object["prefetched_bytes"] = summary.prefetchedBytes;
    if (summary.offloads + summary.prefetches > 0) {
        const LaneUse &use = summary.lanes;
        object["limited_by"] = limitName(use);
        object["lanes_us"] = {{"compute", use.computeUs},
                              {"recompute", use.recomputeUs},
                              {"to_host", use.toHostUs},
                              {"from_host", use.fromHostUs},
                              {"host", use.hostUs}};
    }
    if (summary.joules > 0) {
        object["energy_joules"] = summary.joules;
        object["keep_all_energy_joules"] = summary.keepAllJoules;
    }
    object["checked"] = true;
    return object;
}

SolveContext makeContext(const PlanFlags &flags, const ModelWithCosts &subject, ProgressBar &bar)
{
    SolveContext context = flags.solve.context();
    context.deadline = Deadline(flags.solve.timeLimitSeconds);
    context.progress = [&bar, keepAllUs = subject.keepAll.timeUs](const SolveProgress &progress) {
        bar.show(progress.activity, progress.fraction, progressNote(progress, keepAllUs));
    };
    return context;
}

/// The plan with its chunks, and from then on the model is of the graph in these.
Expected<SolveOutcome> solveInChunks(const PlanFlags &flags, const Planner &planner, const SolveRequest &request,
                                     const SolveContext &context, ModelWithCosts &subject)
{
    const auto setting = chunkSetting(subject, flags.costs, flags.chunk);
    if (!setting) return tl::unexpected(setting.error());
    auto planned = [&]() -> Expected<ChunkedOutcome> {
        if (flags.chunk.isAuto() || flags.chunk.isByItself())
            return planInChunks(planner, subject.asRead(), *setting, request, context);
        const auto chunking = chunkingByName(flags.chunk.text, subject.asRead(), *setting);
        if (!chunking) return tl::unexpected(chunking.error());
        return planChunking(planner, subject.asRead(), *chunking, *setting, request, context);
    }();
    if (!planned) return tl::unexpected(planned.error());
    const bool parameters = request.graph->parametersPlanned; // the graph goes with the model
    if (const Chunking chunking = planned->chunked.chunking; !chunking.regions.empty()) {
        auto chunked = inChunks(std::move(subject), chunking, flags.costs);
        if (!chunked) return tl::unexpected(chunked.error());
        subject = std::move(*chunked);
        if (parameters) subject.planParameters();
    }
    if (planned->outcome.plan) {
        planned->outcome.plan->predicted.keepAllPeakBytes = subject.base().peakBytes;
        planned->outcome.plan->predicted.keepAllTimeUs = subject.base().timeUs;
    }
    return std::move(planned->outcome);
}

bool isBelowFloor(const ModelWithCosts &subject, std::int64_t budget)
{
    return budget < workingSetBound(subject.graph(), subject.costs).bytes;
}

/// Automatic takes chunks by itself where no plan of whole ops fits or is as fast, and nothing else that was asked for
/// speaks against them.
bool takesChunks(const PlanFlags &flags, const ModelWithCosts &subject, const Planner &planner,
                 const SolveRequest &request, const SolveContext &context)
{
    if (!flags.chunk.isByItself() || flags.orLeast || !flags.start.empty() || flags.solver != "auto" ||
        !flags.record.empty() || flags.fitsAddresses())
        return false;
    const auto setting = chunkSetting(subject, flags.costs, flags.chunk);
    return setting && chunksPay(planner, subject.asRead(), *setting, request, context);
}

/// A way out of a budget that no plan of the whole graph can meet.
std::string hint(const PlanFlags &flags, const ModelWithCosts &subject, std::int64_t budget)
{
    if (flags.chunk.given() || !subject.asRead().program || !isBelowFloor(subject, budget)) return {};
    const auto setting = chunkSetting(subject, flags.costs, flags.chunk);
    if (!setting) return {};
    const Chunking chunking = chunkingForFloor(subject.asRead(), budget, *setting);
    const auto chunked = inSetting(subject.asRead(), chunking, *setting);
    if (chunking.regions.empty() || !chunked) return {};
    return fmt::format(" In chunks ({}) no op needs more than {}: --chunk auto.", chunkingTitle(chunking),
                       formatMemory(chunked->floor.bytes));
}

int runPlan(const PlanFlags &flags)
{
    if (flags.chunk.given() && (flags.fitsAddresses() || !flags.record.empty()))
        return badInput({"--chunk plans several graphs, of which --record and --fit addresses know one. Leave one of "
                         "them out, or plan a trace that `remat chunk` has written."});
    if (flags.orLeast && (flags.fitsAddresses() || !flags.record.empty() || flags.chunk.given()))
        return badInput({"--or-least solves for other budgets, of which --record, --fit addresses and --chunk know "
                         "nothing. Leave one of them out."});
    if (!flags.start.empty() && (flags.fitsAddresses() || !flags.record.empty() || flags.chunk.given()))
        return badInput({"--start is for one solve of whole ops, of which --record, --fit addresses and --chunk know "
                         "nothing. Leave one of them out."});
    if (flags.fitsAddresses() && !flags.record.empty())
        return badInput({"A story tells of one solve, and --fit addresses may take several. Leave one of them out."});
    auto chosen = flags.solve.choose(flags.solver, flags.updates.updates());
    if (!chosen) return badInput(chosen.error());
    auto subject = openModelWithCosts(flags.model, flags.costs, flags.updates);
    if (!subject) return badInput(subject.error());
    sayLacks(*subject);
    if (plansParameters(chosen->options)) subject->planParameters();
    auto budget = parseBudget(flags.budget, subject->keepAll.peakBytes);
    if (!budget) return badInput(budget.error());
    if (const auto setting = chunkSetting(*subject, flags.costs, flags.chunk); !setting && !flags.chunk.whole.empty())
        return badInput(setting.error());
    auto pins = pinsByName(subject->graph(), flags.solve.pins);
    if (!pins) return badInput(pins.error());
    if (auto ready = flags.output.check({flags.model, flags.costs.profile}, flags.json); !ready)
        return badInput(ready.error());

    SolveRequest request;
    request.graph = &subject->graph();
    request.costs = &subject->costs;
    if (subject->model->program) request.program = &*subject->model->program;
    request.budgetBytes = *budget;
    request.options = chosen->options;
    request.pins = std::move(*pins);
    if (!flags.start.empty()) {
        auto start = readPlanOf(subject->graph(), flags.start);
        if (!start) return start.error().report(flags.json);
        request.start = std::make_shared<const Plan>(std::move(*start));
    }
    Story story;
    std::optional<AddressFit> fit;
    Expected<SolveOutcome> outcome = [&]() -> Expected<SolveOutcome> {
        ProgressBar bar;
        const SolveContext context = makeContext(flags, *subject, bar);
        if (flags.chunk.given() || takesChunks(flags, *subject, *chosen->planner, request, context))
            return solveInChunks(flags, *chosen->planner, request, context, *subject);
        if (flags.fitsAddresses()) {
            auto fitted = solveToFit(*chosen->planner, request, context);
            if (!fitted) return tl::unexpected(fitted.error());
            fit = std::move(*fitted);
            return std::move(fit->outcome);
        }
        if (flags.record.empty()) return solve(*chosen->planner, request, context);
        auto recorded = solveAndRecord(*chosen->planner, request, context);
        if (!recorded) return tl::unexpected(recorded.error());
        story = std::move(recorded->story);
        return std::move(recorded->outcome);
    }();
    if (!outcome) return badInput(outcome.error());
    std::string missed;
    if (flags.orLeast && !outcome->plan) {
        SolveContext context = flags.solve.context();
        context.deadline = Deadline(flags.solve.timeLimitSeconds);
        auto smallest = smallestPlan(*chosen->planner, request, context, *outcome, subject->keepAll.peakBytes);
        if (!smallest) return badInput(smallest.error());
        if (smallest->outcome.plan) {
            missed = fmt::format("{} {}", outcome->message, smallest->sentence);
            outcome = std::move(smallest->outcome);
        }
    }
    if (!flags.record.empty())
        if (auto written = writeFileAtomically(flags.record, storyText(story)); !written)
            return badInput(written.error());

    if (outcome->plan && flags.output.given()) {
        if (auto written = flags.output.write(planText(*outcome->plan, subject->graph(), subject->from)); !written)
            return badInput(written.error());
    }
    if (flags.json) {
        nlohmann::json answer = toJson(*subject, *outcome, fit, *budget);
        if (!missed.empty()) answer["missed"] = missed;
        printJson(answer);
    } else if (outcome->plan) {
        if (!missed.empty()) say(flags.output.notes(), "%s\n", printable(missed).c_str());
        print(*subject, *outcome, fit, outcome->plan->budgetBytes, flags.output);
    } else
        say(flags.output.notes(), "%s%s\n", printable(outcome->message).c_str(),
            printable(hint(flags, *subject, *budget)).c_str());
    return outcome->plan ? kDone : kNo;
}

void addPlan(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<PlanFlags>();
    CLI::App *command = app.add_subcommand("plan", "a checked plan under a memory budget");
    command->add_option("MODEL", flags->model, "trace (.pt2) or graph (.json)")->required();
    command->add_option("--budget", flags->budget, "`4GiB`, or `60%` of the keep-all peak")->required();
    command->add_option("--planner,--solver", flags->solver, "planner; `remat solvers` lists them")
        ->capture_default_str();
    flags->solve.add(*command, "KEY=VALUE, an option of the planner; may be given several times", "seconds");
    flags->costs.add(*command);
    flags->updates.add(*command);
    flags->chunk.add(*command);
    flags->output.add(*command, "plan file to write");
    command->add_option("--record", flags->record,
                        "story file to write: how the planner came to its plan, on small graphs");
    command
        ->add_option("--fit", flags->fit,
                     "what has to stay within the budget: the peak, or the layout of addresses, too. Until the layout "
                     "fits, the planner is asked for a smaller peak, up to 8 times within the time limit")
        ->check(CLI::IsMember(std::vector<std::string>(kFits.begin(), kFits.end())))
        ->capture_default_str();
    command->add_option("--start", flags->start,
                        "plan of this graph, over the budget or not, that planners which improve plans begin with");
    command->add_flag("--or-least", flags->orLeast,
                      "if no plan fits the budget: writes the smallest plan of whole ops that was found, and says so");
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runPlan(*flags); }; });
}

} // namespace

const Command &command::plan()
{
    static const Command command = {.order = 30, .add = addPlan};
    return command;
}

} // namespace remat::cli
