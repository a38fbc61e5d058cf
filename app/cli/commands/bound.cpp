// remat bound: what no plan can beat, and which op says so.
#include "app/cli/command.h"

#include "core/base/units.h"
#include "core/bounds/bounds.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace remat::cli {

namespace {

struct Flags {
    std::string model, budget;
    CostFlags costs;
    bool json = false;
};

int run(const Flags &flags)
{
    auto session = openSession(flags.model, flags.costs);
    if (!session) return badInput(session.error());
    auto budget = parseBudget(flags.budget, session->keepAll.peakBytes);
    if (!budget) return badInput(budget.error());

    const Graph &graph = session->graph();
    const PeakBound peak = workingSetBound(graph, session->costs);
    const TimeBound time = bestTimeBound(graph, session->costs, *budget);
    const double keepAllUs = session->keepAll.timeUs;
    const std::string peakOp = peak.op ? graph.op(peak.op).name : "";
    const std::string needs = peak.op ? "op " + peakOp + " alone needs" : "the outputs alone need";
    const std::string cutOp = time.cut ? graph.op(time.cut).name : "";
    const bool infeasible = time.infeasible || peak.bytes > *budget;
    if (flags.json) {
        printJson({{"budget_bytes", *budget},
                   {"feasible_by_bound", !infeasible},
                   {"peak", {{"bytes", peak.bytes}, {"op", peakOp}, {"method", "working-set"}}},
                   {"time",
                    {{"time_us", time.timeUs},
                     {"extra_us", time.extraUs},
                     {"overhead", keepAllUs > 0 ? time.extraUs / keepAllUs : 0.0},
                     {"method", time.method},
                     {"cut", cutOp},
                     {"valid_for", holdsForSentence(time.holdsFor)}}}});
    } else {
        std::printf(
            "budget        %s (%s of the keep-all peak)\n", formatBytes(*budget).c_str(),
            formatShare(static_cast<double>(*budget) / static_cast<double>(session->keepAll.peakBytes)).c_str());
        std::printf("peak  at least %s: %s that much (working set)\n", formatBytes(peak.bytes, Rounding::Down).c_str(),
                    needs.c_str());
        if (peak.bytes > *budget) {
            std::printf("No plan fits %s: %s %s.\n", formatBytes(*budget).c_str(), needs.c_str(),
                        formatBytes(peak.bytes).c_str());
        } else if (infeasible) {
            std::printf("No plan with its first computations in the graph's order fits %s (%s, binds at %s).\n",
                        formatBytes(*budget).c_str(), time.method.c_str(), cutOp.c_str());
        } else {
            std::printf("time  at least %s, overhead %s (%s%s%s)\n", formatTimeUs(time.timeUs).c_str(),
                        formatShare(keepAllUs > 0 ? time.extraUs / keepAllUs : 0.0, Rounding::Down).c_str(),
                        time.method.c_str(), cutOp.empty() ? "" : ", binds at ", cutOp.c_str());
            std::printf("      %s\n", holdsForSentence(time.holdsFor));
        }
    }
    return infeasible ? kNo : kDone;
}

} // namespace

void addBound(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<Flags>();
    CLI::App *command = app.add_subcommand("bound", "lower bounds on peak and on time, and which one binds");
    command->add_option("MODEL", flags->model, "trace (.pt2) or graph (.json)")->required();
    command->add_option("--budget", flags->budget, "`4GiB`, or `60%` of the keep-all peak")->required();
    flags->costs.add(*command);
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

} // namespace remat::cli
