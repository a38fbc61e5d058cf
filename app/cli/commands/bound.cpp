// SPDX-License-Identifier: Apache-2.0
// remat bound: what no plan can beat, which bound says so, and at which op.
#include "app/cli/chunk_flag.h"
#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "app/cli/number_option.h"
#include "app/cli/output.h"
#include "core/base/memory_units.h"

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/chunk/title.h"
#include "solvers/bounds/sharp_bound.h"
#include "solvers/chunk/floor.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
namespace remat::cli {

namespace {

struct BoundFlags {
    std::string model, budget, plan;
    double timeLimit = 20;
    CostFlags costs;
    UpdateFlags updates;
    ChunkFlag chunk;
    bool quick = false, json = false;
};

/// What a person asked, and what is proven.
struct Answer {
    const ModelWithCosts &subject;
    const Graph &graph;
    double keepAllUs = 0;
    std::int64_t keepAllPeakBytes = 0, budgetBytes = 0;
    std::vector<PeakBound> peaks;
    std::int64_t leastInChunksBytes = 0; ///< what no chunking needs less than; 0: not known
    SharpBound times;
    TimeBound anyOrder;

    /// The words for the chunks of the graph; empty where it is as it was traced.
    std::string chunks() const { return subject.from.given() ? chunkingTitle(subject.from.chunking) : std::string(); }
    bool infeasible() const { return times.best.infeasible; }
    /// Over keep-all without chunks.
    double overhead(const TimeBound &bound) const
    {
        const double withChunksUs = subject.keepAll.timeUs - keepAllUs;
        return keepAllUs > 0 ? (bound.extraUs + withChunksUs) / keepAllUs : 0.0;
    }
    std::string name(OpId op) const { return op ? graph.op(op).name : ""; }
    std::string source(OpId op) const { return op ? graph.op(op).source : ""; }
};

nlohmann::json peakJson(const Answer &answer, const PeakBound &peak)
{
    return {{"bytes", peak.bytes},
            {"op", answer.name(peak.op)},
            {"source", answer.source(peak.op)},
            {"method", peak.method},
            {"holds_for", holdsForName(peak.holdsFor)}};
}

nlohmann::json timeJson(const Answer &answer, const TimeBound &bound)
{
    return {{"time_us", bound.timeUs},
            {"extra_us", bound.extraUs},
            {"overhead", answer.overhead(bound)},
            {"method", bound.method},
            {"infeasible", bound.infeasible},
            {"cut", answer.name(bound.cut)},
            {"source", answer.source(bound.cut)},
            {"holds_for", holdsForName(bound.holdsFor)},
            {"valid_for", holdsForSentence(bound.holdsFor)}};
}

nlohmann::json toJson(const Answer &answer)
{
    nlohmann::json peaks = nlohmann::json::array(), times = nlohmann::json::array();
    for (const PeakBound &peak : answer.peaks)
        peaks.push_back(peakJson(answer, peak));
    for (const MethodResult &result : answer.times.all) {
        nlohmann::json entry = result.bound ? timeJson(answer, *result.bound) : nlohmann::json::object();
        entry["method"] = result.method->name;
        entry["looks_at"] = result.method->title;
        entry["paper"] = result.method->source;
        entry["computed"] = result.bound.has_value();
        entry["seconds"] = result.seconds;
        entry["iterations"] = result.iterations;
        times.push_back(std::move(entry));
    }
    nlohmann::json object{{"budget_bytes", answer.budgetBytes},
                          {"feasible_by_bound", !answer.infeasible()},
                          {"peak", peakJson(answer, answer.peaks.front())},
                          {"peaks", std::move(peaks)},
                          {"time", timeJson(answer, answer.times.best)},
                          {"times", std::move(times)},
                          {"any_order", timeJson(answer, answer.anyOrder)}};
    if (answer.leastInChunksBytes > 0) {
        if (!answer.chunks().empty()) object["chunks"] = answer.chunks();
        object["least_in_chunks_bytes"] = answer.leastInChunksBytes;
    }
    return object;
}

/// `, binds at mul_73 (model.py:41 …)`.
std::string bindsAt(const Answer &answer, OpId op)
{
    if (!op) return "";
    const std::string source = answer.source(op);
    return printable(
        fmt::format(", binds at {}{}", answer.name(op), source.empty() ? "" : fmt::format(" ({})", source)));
}

void printPeaks(const Answer &answer)
{
    say(stdout, "peak\n");
    for (const PeakBound &peak : answer.peaks)
        say(stdout, "  at least %9s  %-18s %s. %s\n", formatMemory(peak.bytes).c_str(), peak.method.c_str(),
            peak.op ? ("at " + printable(answer.name(peak.op))).c_str() : "outputs of the graph",
            holdsForSentence(peak.holdsFor));
}

void printTimes(const Answer &answer)
{
    say(stdout, "time over keep-all, for plans without offloads in the graph's order\n");
    for (const MethodResult &result : answer.times.all) {
        if (!result.bound) {
            say(stdout, "  not computed       %s, %s\n", result.method->name.c_str(), result.method->title.c_str());
            continue;
        }
        const bool best = result.method->name == answer.times.best.method;
        const std::string share = result.bound->infeasible ? "no plan" : formatShare(answer.overhead(*result.bound));
        say(stdout, "%c at least %9s  %-18s %s%s, %.2f s\n", best ? '*' : ' ', share.c_str(),
            result.method->name.c_str(), result.method->title.c_str(),
            result.bound->cut ? (", at " + printable(answer.name(result.bound->cut))).c_str() : "", result.seconds);
    }
}

void print(const Answer &answer)
{
    const TimeBound &best = answer.times.best;
    say(stdout, "budget  %s (%s of the keep-all peak)\n", formatMemory(answer.budgetBytes).c_str(),
        formatMemoryShare(static_cast<double>(answer.budgetBytes) / static_cast<double>(answer.keepAllPeakBytes))
            .c_str());
    if (!answer.chunks().empty())
        say(stdout, "chunks  %s; what follows holds for plans of this chunked graph\n", answer.chunks().c_str());
    printPeaks(answer);
    if (answer.leastInChunksBytes > 0)
        say(stdout, "  at least %9s  in up to %d chunks, by the rules of `remat chunk --rules`. For every chunking.\n",
            formatMemory(answer.leastInChunksBytes).c_str(), kMostPieces);
    if (answer.infeasible()) {
        say(stdout, "No plan%s fits %s (%s%s).\n",
            best.holdsFor == HoldsFor::EveryPlan  ? ""
            : best.holdsFor == HoldsFor::AnyOrder ? " without offloads"
                                                  : " without offloads in the graph's order",
            formatMemory(answer.budgetBytes).c_str(), best.method.c_str(), bindsAt(answer, best.cut).c_str());
        return;
    }
    printTimes(answer);
    say(stdout, "best    %s, overhead %s (%s%s)\n        %s\n", formatTimeUs(best.timeUs).c_str(),
        formatShare(answer.overhead(best), Rounding::Down).c_str(), best.method.c_str(),
        bindsAt(answer, best.cut).c_str(), holdsForSentence(best.holdsFor));
    if (best.holdsFor >= HoldsFor::AnyOrder) return;
    const TimeBound &any = answer.anyOrder;
    say(stdout, "any order  %s, overhead %s (%s%s)\n        %s\n", formatTimeUs(any.timeUs).c_str(),
        formatShare(answer.overhead(any), Rounding::Down).c_str(), any.method.c_str(), bindsAt(answer, any.cut).c_str(),
        holdsForSentence(any.holdsFor));
}

int answerFor(const BoundFlags &flags, const ModelWithCosts &subject, const Plan *plan, std::int64_t leastInChunks = 0)
{
    auto budget = parseBudget(flags.budget, subject.base().peakBytes);
    if (!budget) return badInput(budget.error());
    sayLacks(subject);
    BoundProblem problem{subject.graph(), subject.costs};
    problem.budgetBytes = *budget;
    problem.plan = plan;
    problem.onlyQuick = flags.quick;
    problem.stop = &stopOnInterrupt();
    problem.deadline = Deadline(flags.timeLimit);
    const Answer answer{subject,
                        subject.graph(),
                        subject.base().timeUs,
                        subject.base().peakBytes,
                        *budget,
                        peakBounds(subject.graph(), subject.costs),
                        leastInChunks,
                        sharpBound(problem),
                        anyOrderBound(subject.graph(), subject.costs, *budget, problem.stopCheck())};
    if (flags.json)
        printJson(toJson(answer));
    else
        print(answer);
    return answer.infeasible() ? kNo : kDone;
}

/// Bounds of the graph in chunks: those that are named, or as few as bring its floor to the budget.
int answerInChunks(const BoundFlags &flags, ModelWithCosts subject)
{
    const auto setting = chunkSetting(subject, flags.costs, flags.chunk);
    if (!setting) return badInput(setting.error());
    const auto budget = parseBudget(flags.budget, subject.keepAll.peakBytes);
    if (!budget) return badInput(budget.error());
    const auto chunking = flags.chunk.isAuto()
                              ? Expected<Chunking>(chunkingForFloor(subject.asRead(), *budget, *setting))
                              : chunkingByName(flags.chunk.text, subject.asRead(), *setting);
    if (!chunking) return badInput(chunking.error());
    const auto least = floorInChunks(subject.asRead(), *setting, kMostPieces);
    if (!least) return badInput(least.error());
    if (!chunking->regions.empty()) {
        auto chunked = inChunks(std::move(subject), *chunking, flags.costs);
        if (!chunked) return badInput(chunked.error());
        subject = std::move(*chunked);
    }
    return answerFor(flags, subject, nullptr, least->bytes);
}

/// What no chunking of a graph needs less than; 0 where nothing says how it can be cut, and with `--chunk off`.
std::int64_t leastInChunks(const BoundFlags &flags, const ModelWithCosts &subject)
{
    const auto setting = chunkSetting(subject, flags.costs);
    if (!setting || !flags.chunk.isByItself()) return 0;
    const auto least = floorInChunks(subject.asRead(), *setting, kMostPieces);
    return least ? least->bytes : 0;
}

int runBound(const BoundFlags &flags)
{
    if (flags.chunk.given() && !flags.plan.empty())
        return badInput({"A plan says its own chunks: leave out --chunk or --plan."});
    if (flags.chunk.given()) {
        auto subject = openModelWithCosts(flags.model, flags.costs, flags.updates);
        return subject ? answerInChunks(flags, std::move(*subject)) : badInput(subject.error());
    }
    if (flags.plan.empty()) {
        auto subject = openModelWithCosts(flags.model, flags.costs, flags.updates);
        return subject ? answerFor(flags, *subject, nullptr, leastInChunks(flags, *subject))
                       : badInput(subject.error());
    }
    auto opened = openPlanWithCosts(flags.model, flags.plan, flags.costs, flags.updates);
    return opened ? answerFor(flags, opened->subject, &opened->plan) : opened.error().report(flags.json);
}

void addBound(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<BoundFlags>();
    CLI::App *command =
        app.add_subcommand("bound", "the least peak and the least time that are possible, with their proof");
    command->add_option("MODEL", flags->model, "trace (.pt2) or graph (.json)")->required();
    command->add_option("--budget", flags->budget, "`4GiB`, or `60%` of the keep-all peak")->required();
    command->add_option("--plan", flags->plan,
                        "a plan (.json): where it comes close to the budget, bounds are looked for first");
    addNumber(*command, "--time-limit", flags->timeLimit, 0, 1e6, "seconds for the slow bounds");
    command->add_flag("--quick", flags->quick, "only the fast bounds");
    flags->costs.add(*command);
    flags->updates.add(*command);
    flags->chunk.add(*command);
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runBound(*flags); }; });
}

} // namespace

const Command &command::bound()
{
    static const Command command = {.order = 50, .add = addBound};
    return command;
}

} // namespace remat::cli
