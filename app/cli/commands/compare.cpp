// SPDX-License-Identifier: Apache-2.0
// remat compare: what two plans of one model do differently.
#include "app/cli/opened_plans.h"
#include "app/cli/output.h"
#include "app/cli/table.h"
#include "core/base/memory_units.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/views/compare_verdict.h"
#include "core/views/comparison_text.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <array>

namespace remat::cli {

namespace {

constexpr std::array<const char *, 3> kLevels = {"storages", "ops", "clusters"}; ///< by CompareLevel

struct CompareFlags {
    std::string model, a, b;
    std::string by = kLevels.front();
    CostFlags costs;
    bool json = false;
};

/// One plan, measured.
struct Compared {
    const PlanEntry &plan;
    PlanUse use;
    PlanFigures figures;
};

struct Comparing {
    const Graph &graph;
    const char *level;
    Compared a, b;
    PlanComparison comparison;
    CompareVerdict verdict;
};

nlohmann::json toJson(const Compared &side)
{
    nlohmann::json atPeak = nlohmann::json::object();
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        if (side.use.peakBytesOf[i] > 0) atPeak[categoryName(static_cast<Category>(i))] = side.use.peakBytesOf[i];
    const PlanFigures &figures = side.figures;
    nlohmann::json object{{"file", side.plan.title},
                          {"solver", side.plan.plan->origin.solver},
                          {"budget_bytes", figures.budgetBytes},
                          {"peak_bytes", figures.peakBytes},
                          {"time_us", figures.timeUs},
                          {"overhead", figures.overhead},
                          {"bound_overhead", nullptr},
                          {"recomputed_ops", figures.recomputedOps},
                          {"kept_bytes", figures.keptBytes},
                          {"offloaded_bytes", figures.offloadedBytes},
                          {"held_at_peak", std::move(atPeak)}};
    if (figures.boundOverhead) object["bound_overhead"] = *figures.boundOverhead;
    return object;
}

nlohmann::json toJson(const CompareSide &side)
{
    return {{"state", nodeStateName(side.state)},
            {"held_bytes", side.heldBytes},
            {"recompute_us", side.recomputeUs},
            {"recomputations", side.recomputations}};
}

nlohmann::json toJson(const Comparing &c)
{
    nlohmann::json rows = nlohmann::json::array();
    for (const DifferenceRow &row : c.comparison.rows) {
        nlohmann::json ops = nlohmann::json::array(), storages = nlohmann::json::array();
        for (const OpId op : row.ops)
            ops.push_back(c.graph.op(op).name);
        for (const StorageId storage : row.storages)
            storages.push_back(c.graph.storage(storage).name);
        rows.push_back({{"module", row.module},
                        {"name", row.name},
                        {"uses", row.uses},
                        {"a", toJson(row.a)},
                        {"b", toJson(row.b)},
                        {"bytes", row.bytes()},
                        {"time_us", row.timeUs()},
                        {"ops", std::move(ops)},
                        {"storages", std::move(storages)}});
    }
    nlohmann::json object{{"a", toJson(c.a)},
                          {"b", toJson(c.b)},
                          {"better", nullptr},
                          {"verdict", fmt::format("{}. {}", c.verdict.title, c.verdict.sentence)},
                          {"why", c.verdict.why},
                          {"unequal", c.verdict.unequal},
                          {"by", c.level},
                          {"differ", c.comparison.items},
                          {"differ_in_state", c.comparison.states},
                          {"differences", std::move(rows)}};
    const BetterPlan better = c.verdict.better;
    if (better != BetterPlan::Neither) object["better"] = better == BetterPlan::First ? "a" : "b";
    return object;
}

void printPlan(const char *letter, const PlanEntry &plan)
{
    const std::int64_t budget = plan.plan->budgetBytes;
    say(stdout, "%s  %s, %s%s, %s\n", letter, printable(plan.plan->origin.solver).c_str(),
        budget > 0 ? "budget " : "without a budget", budget > 0 ? formatMemory(budget).c_str() : "",
        printable(plan.title).c_str());
}

void print(const Comparing &c)
{
    printPlan("A", c.a.plan);
    printPlan("B", c.b.plan);
    Table figures({"", ">A", ">B", ">A − B"});
    for (const FigureRow &row : figureRows(c.a.figures, c.b.figures, {}))
        figures.add({row.label, row.a, row.b, row.change});
    figures.print();
    say(stdout, "%s. %s\n", c.verdict.title.c_str(), c.verdict.sentence.c_str());
    for (const std::string &why : c.verdict.why)
        say(stdout, "  %s\n", printable(why).c_str());
    for (const std::string &condition : c.verdict.unequal)
        say(stdout, "Unequal: %s\n", printable(condition).c_str());
    const auto count = [](std::size_t number) { return formatCount(static_cast<std::int64_t>(number)); };
    if (c.comparison.rows.empty()) {
        say(stdout, "Both do the same with all %s.\n", c.level);
        return;
    }
    say(stdout, "%s %s in %s groups, largest first; %s of them differ in state. Negative: less in A.\n",
        formatCount(c.comparison.items).c_str(), c.level, count(c.comparison.rows.size()).c_str(),
        formatCount(c.comparison.states).c_str());
    Table table({"module", "name", ">uses", "A", "B", ">bytes at the peaks", ">recomputing"});
    for (const DifferenceRow &row : c.comparison.rows)
        table.add({row.module.empty() ? "–" : row.module, row.name, std::to_string(row.uses),
                   nodeStateName(row.a.state), nodeStateName(row.b.state), signedBytes(row.bytes()),
                   signedTime(row.timeUs())});
    table.print();
}

int runCompare(const CompareFlags &flags)
{
    const auto opened = openPlans(flags.model, {flags.a, flags.b}, flags.costs);
    if (!opened) return opened.error().report(flags.json);
    const CostedModel &model = *opened->model;
    const Graph &graph = model.graph();
    const auto compared = [&](const PlanEntry &plan) {
        PlanUse use = planUse(graph, plan);
        const PlanFigures figures = planFigures(model, plan, use);
        return Compared{plan, std::move(use), figures};
    };
    Comparing comparing{graph, flags.by.c_str(), compared(*opened->plans[0]), compared(*opened->plans[1]), {}, {}};
    const auto level = std::find(kLevels.begin(), kLevels.end(), flags.by) - kLevels.begin();
    const OpBlocks blocks(*model.open);
    comparing.comparison =
        comparePlans(graph, blocks, comparing.a.use, comparing.b.use, static_cast<CompareLevel>(level));
    comparing.verdict = compareVerdict(model, *opened->plans[0], *opened->plans[1]);
    if (flags.json)
        printJson(toJson(comparing));
    else
        print(comparing);
    return kDone;
}

void addCompare(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<CompareFlags>();
    CLI::App *command = app.add_subcommand("compare", "what two plans do differently, and which is better where");
    command->add_option("MODEL", flags->model, "trace (.pt2) or graph (.json)")->required();
    command->add_option("A", flags->a, "plan (.json)")->required();
    command->add_option("B", flags->b, "plan (.json) that A is compared with")->required();
    command->add_option("--by", flags->by, "what differences are listed by")
        ->check(CLI::IsMember(std::vector<std::string>(kLevels.begin(), kLevels.end())))
        ->capture_default_str();
    flags->costs.add(*command);
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runCompare(*flags); }; });
}

} // namespace

const Command &command::compare()
{
    static const Command command = {.order = 80, .add = addCompare};
    return command;
}

} // namespace remat::cli
