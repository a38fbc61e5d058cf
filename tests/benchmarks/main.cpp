// SPDX-License-Identifier: Apache-2.0
// remat-benchmark: measures one graph and prints a table; tests/benchmarks/run.py calls it for many.
#include "tests/benchmarks/machine.h"
#include "tests/benchmarks/measures.h"
#include "tests/support/graph_file.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <sstream>

namespace {

using namespace remat;
using namespace remat::bench;

Expected<std::vector<const Planner *>> plannersOf(const std::string &names)
{
    if (names == "all") return planners();
    std::vector<const Planner *> chosen;
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ',');) {
        const Expected<const Planner *> planner = findPlanner(name);
        if (!planner) return tl::unexpected(planner.error());
        chosen.push_back(*planner);
    }
    if (chosen.empty()) return fail("--solver names no planner.");
    return chosen;
}

Expected<std::vector<Row>> measured(const std::string &what, const std::string &graph, const Settings &settings)
{
    const Expected<Instance> instance = makeInstance(graph);
    if (!instance) return tl::unexpected(instance.error());
    if (what == "quality") return measureQuality(*instance, settings);
    if (what == "growth") return measureGrowth(*instance, settings);
    if (what == "course") return measureCourse(*instance, settings);
    if (what == "work") return measureWork(*instance);
    return measureSpeed(*instance);
}

int run(int argc, char **argv)
{
    CLI::App app{"Measures planners, simulator and readers on one graph, as CSV on standard output.",
                 "remat-benchmark"};
    std::string what, graph, solvers = "all";
    std::vector<std::string> set;
    Settings settings;
    settings.budgetPercents = {50};
    bool names = false;
    app.add_flag("--planners", names, "print the planners instead, those of moments first");
    app.add_option("WHAT", what, "what to measure; `write` prints the graph as remat-graph/1 instead")
        ->check(CLI::IsMember({"quality", "growth", "course", "speed", "work", "write"}));
    app.add_option("GRAPH", graph, "a sample, a file, layered:24, random:1000:7, chain:200 or u:5x3");
    app.add_option("--solver", solvers, "planners, separated by commas, or `all`")->capture_default_str();
    app.add_option("--percent", settings.budgetPercents, "budgets in percent of the keep-all peak")->delimiter(',');
    app.add_option("--set", set, "KEY=VALUE, an option of the planners of quality and course");
    app.add_option("--time-limit", settings.secondsPerPlan, "seconds for each plan")->capture_default_str();
    app.add_option("--threads", settings.threads, "worker threads of quality and course")->capture_default_str();
    app.add_option("--seed", settings.seed, "of planners that draw")->capture_default_str();
    app.add_option("--bisections", settings.bisections, "of the smallest peak")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    if (names) {
        for (const bool patient : {false, true})
            for (const Planner *planner : planners())
                if (planner->info.usesTime == patient)
                    std::printf("%s %s\n", planner->info.name.c_str(), patient ? "patient" : "quick");
        return 0;
    }
    if (what == "write") {
        const Expected<Instance> instance = makeInstance(graph);
        std::fprintf(instance ? stdout : stderr, "%s\n",
                     (instance ? test::graphText(instance->graph()) : instance.error().message).c_str());
        return instance ? 0 : 2;
    }
    for (const std::string &each : set) {
        const std::size_t equals = std::min(each.find('='), each.size());
        settings.set[each.substr(0, equals)] = each.substr(std::min(equals + 1, each.size()));
    }
    Expected<std::vector<Row>> rows = std::vector<Row>{};
    const Expected<std::vector<const Planner *>> chosen = plannersOf(solvers);
    const double yardstick = yardstickSeconds();
    if (chosen) {
        settings.planners = *chosen;
        rows = measured(what, graph, settings);
    }
    if (!chosen || !rows) {
        std::fprintf(stderr, "%s\n", (chosen ? rows.error() : chosen.error()).message.c_str());
        return 2;
    }
    // The machine may have become slower or faster meanwhile; the faster yardstick is the truer one.
    std::printf("%s", reportCsv(*rows, std::min(yardstick, yardstickSeconds())).c_str());
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    try {
        return run(argc, argv);
    } catch (const std::exception &exception) {
        std::fprintf(stderr, "remat-benchmark stopped on an unexpected failure: %s\n", exception.what());
        return 2;
    }
}
