// SPDX-License-Identifier: Apache-2.0
#include "core/exports/report.h"

#include "core/base/memory_units.h"
#include "core/base/units.h"
#include "core/base/version.h"
#include "core/bounds/plan_bound.h"
#include "core/exports/exporter.h"
#include "core/exports/html.h"
#include "core/exports/quoted.h"
#include "core/exports/svg_chart.h"
#include "core/plan/eager_verdict.h"
#include "core/plan/plan_verdict.h"
#include "core/plan/timeline.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

namespace remat {

namespace {

using html::Cell;

constexpr std::size_t kMostRows = 15;

/// A plan with everything that is said of it.
struct JudgedPlan {
    std::string title;
    const Plan *plan = nullptr;
    Verdict verdict;
    PlanVerdict said; ///< under the plan's own budget
    Simulation simulation;
    MemoryTimeline timeline;
    TimeBound bound;
    double overhead = 0;
};

Cell number(std::string text)
{
    return {std::move(text), true};
}

double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

std::int64_t plannedStorages(const Graph &graph)
{
    std::int64_t count = 0;
    for (std::size_t i = 0; i < graph.storages.size(); ++i)
        count += graph.planned(StorageId(i)) ? 1 : 0;
    return count;
}

Expected<JudgedPlan> judged(const Model &model, const Graph &graph, const CostTable &costs, const ReportPlan &given,
                            double keepAllTimeUs)
{
    JudgedPlan result;
    result.plan = given.plan;
    result.title = given.title.empty() ? given.plan->origin.solver : given.title;
    result.verdict = checkPlan(graph, costs, *given.plan);
    if (!result.verdict.ok) return fail(result.verdict.sentence);
    VerdictFacts facts = verdictFacts(*given.plan, result.verdict);
    facts.model = &model;
    result.said = planVerdict(facts);
    auto simulation = simulatePlan(graph, costs, *given.plan);
    if (!simulation) return tl::unexpected(simulation.error());
    auto timeline = planTimeline(graph, costs, *given.plan);
    if (!timeline) return tl::unexpected(timeline.error());
    result.simulation = std::move(*simulation);
    result.timeline = std::move(*timeline);
    result.bound = boundForPlan(graph, costs, *given.plan);
    result.overhead = ratio(result.simulation.timeUs, keepAllTimeUs) - 1;
    return result;
}

std::string figures(const std::vector<JudgedPlan> &plans, const Simulation &keepAll, const Graph &graph)
{
    std::vector<Cell> head = {{""}};
    for (const JudgedPlan &each : plans)
        head.push_back(number(each.title));
    std::vector<std::vector<Cell>> rows;
    const auto row = [&](const std::string &name, auto figure) {
        std::vector<Cell> cells = {{name}};
        for (const JudgedPlan &each : plans)
            cells.push_back(number(figure(each)));
        rows.push_back(std::move(cells));
    };
    row("Budget", [](const JudgedPlan &each) {
        return each.plan->budgetBytes > 0 ? formatMemory(each.plan->budgetBytes) : std::string("–");
    });
    row("Verdict", [](const JudgedPlan &each) { return each.said.title; });
    row("Peak", [&](const JudgedPlan &each) {
        return fmt::format("{} ({})", formatMemory(each.simulation.peakBytes),
                           formatMemoryShare(ratio(static_cast<double>(each.simulation.peakBytes),
                                                   static_cast<double>(keepAll.peakBytes))));
    });
    row("Overhead", [](const JudgedPlan &each) { return formatShare(each.overhead); });
    row("Lower bound on overhead", [&](const JudgedPlan &each) {
        return formatShare(std::max(0.0, ratio(each.bound.timeUs, keepAll.timeUs) - 1), Rounding::Down);
    });
    row("Time per step", [](const JudgedPlan &each) { return formatTimeUs(each.simulation.timeUs); });
    row("Recomputed", [&](const JudgedPlan &each) {
        return fmt::format("{} of {} ops", formatCount(each.simulation.recomputedOps),
                           formatCount(static_cast<std::int64_t>(graph.ops.size())));
    });
    row("Measured peak", [](const JudgedPlan &each) {
        const auto &run = each.plan->validated;
        return run ? formatMemory(run->measuredPeakBytes) : std::string("not run");
    });
    row("Measured overhead", [](const JudgedPlan &each) {
        const auto &run = each.plan->validated;
        return run && run->measuredKeepAllTimeUs > 0 ? formatShare(run->measuredTimeUs / run->measuredKeepAllTimeUs - 1)
                                                     : std::string("not run");
    });
    return html::table(head, rows);
}

std::string legend(const MemoryTimeline &timeline)
{
    std::string text = "<p class=\"legend\">";
    for (std::size_t category = 0; category < kCategoryCount; ++category) {
        const auto &band = timeline.bytes[category];
        if (std::all_of(band.begin(), band.end(), [](std::int64_t bytes) { return bytes == 0; })) continue;
        text += fmt::format("<span><i style=\"background: var(--c{})\"></i>{}</span>", category,
                            categoryName(static_cast<Category>(category)));
    }
    return text + "<span>- - Keep-all</span></p>\n";
}

std::string atThePeak(const JudgedPlan &plan, const Graph &graph)
{
    std::vector<std::vector<Cell>> rows;
    std::size_t rest = 0;
    std::int64_t restBytes = 0;
    for (const LiveRange &range : aliveAt(graph, plan.timeline, plan.timeline.peakSample)) {
        const Storage &storage = graph.storage(range.storage);
        if (storage.bytes == 0) continue;
        if (rows.size() == kMostRows) {
            ++rest;
            restBytes += storage.bytes;
            continue;
        }
        rows.push_back({{storage.name},
                        {storage.producer ? graph.op(storage.producer).module : std::string()},
                        {categoryName(range.category)},
                        number(formatBytes(storage.bytes))});
    }
    if (rest > 0)
        rows.push_back(
            {{formatCount(static_cast<std::int64_t>(rest)) + " more"}, {}, {}, number(formatBytes(restBytes))});
    return html::table({{"Storage"}, {"Module"}, {"Category"}, number("Bytes")}, rows);
}

std::string recomputed(const JudgedPlan &plan, const Graph &graph, const CostTable &costs)
{
    struct Sum {
        double timeUs = 0;
        std::int64_t computations = 0;
        std::int64_t bytes = 0;
    };
    std::map<std::string, Sum> modules;
    for (std::size_t i = 0; i < plan.timeline.op.size(); ++i) {
        if (!plan.timeline.recompute[i]) continue;
        const OpId op = plan.timeline.op[i];
        Sum &sum = modules[graph.op(op).module];
        sum.timeUs += costs.time(op);
        ++sum.computations;
        for (const StorageId output : graph.op(op).outputs)
            sum.bytes += graph.storage(output).bytes;
    }
    if (modules.empty()) return "<p>Nothing is computed twice.</p>\n";
    std::vector<std::pair<std::string, Sum>> sorted(modules.begin(), modules.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto &a, const auto &b) { return a.second.timeUs > b.second.timeUs; });
    std::vector<std::vector<Cell>> rows;
    for (const auto &[name, sum] : sorted) {
        if (rows.size() == kMostRows) break;
        rows.push_back({{name.empty() ? "(no module)" : name},
                        number(formatCount(sum.computations)),
                        number(formatTimeUs(sum.timeUs)),
                        number(formatBytes(sum.bytes))});
    }
    std::string text =
        html::table({{"Module"}, number("Recomputations"), number("Time"), number("Bytes made again")}, rows);
    if (sorted.size() > rows.size())
        text += fmt::format("<p>and {} modules more.</p>\n",
                            formatCount(static_cast<std::int64_t>(sorted.size() - rows.size())));
    return text;
}

std::string howMade(const JudgedPlan &plan, const Model &model, const CostTable &costs)
{
    const PlanOrigin &origin = plan.plan->origin;
    std::string command = "remat plan " + shellQuoted(model.path.filename().string());
    if (plan.plan->budgetBytes > 0) command += " --budget " + std::to_string(plan.plan->budgetBytes);
    command += " --solver " + shellQuoted(origin.solver);
    for (const auto &[key, value] : origin.options)
        command += " --set " + shellQuoted(fmt::format("{}={}", key, value));
    if (costs.source.kind == "profile")
        command += " --profile PROFILE.json";
    else if (!costs.source.link.empty())
        command += " --device " + shellQuoted(costs.source.link);
    std::string text = fmt::format("<pre>{}</pre>\n<p>", html::escaped(command + " -o plan.json"));
    text += html::escaped(
        fmt::format("Planned in {}, status {}. Every step was replayed by the checker, in program version {}.",
                    formatTimeUs(origin.seconds * 1e6), origin.status.empty() ? std::string("unknown") : origin.status,
                    programVersion()));
    text += "</p><p>" + html::escaped(plan.said.title + ": ");
    if (const auto &run = plan.plan->validated; run && plan.said.wasRun)
        text += html::escaped(fmt::format("run on {} with PyTorch {}. ", run->deviceTitle, run->torchVersion));
    text += html::escaped(plan.said.sentence);
    return text + "</p>\n";
}

std::string whichIsBetter(const std::vector<CompareVerdict> &verdicts)
{
    std::string text;
    for (const CompareVerdict &verdict : verdicts) {
        text += fmt::format("<p><b>{}.</b> {}</p>\n", html::escaped(verdict.title), html::escaped(verdict.sentence));
        if (!verdict.why.empty()) {
            text += "<ul>\n";
            for (const std::string &why : verdict.why)
                text += fmt::format("<li>{}</li>\n", html::escaped(why));
            text += "</ul>\n";
        }
        for (const std::string &condition : verdict.unequal)
            text += fmt::format("<p class=\"wrong\">Made under unequal conditions: {}</p>\n", html::escaped(condition));
    }
    return text;
}

} // namespace

Expected<std::string> reportOfPlans(const Model &model, const CostTable &costs, const std::vector<ReportPlan> &plans,
                                    const std::vector<CompareVerdict> &verdicts)
{
    if (plans.empty()) return fail("There is no plan to report on. Solve first.");
    // All plans of a report are judged alike: where one counts parameters, keep-all does too.
    const bool planned = plans.front().plan->parametersPlanned;
    const Graph graph = planned ? withPlannedParameters(model.graph) : model.graph;
    const Plan kept = keepAllPlan(graph);
    auto keepAll = simulate(graph, costs, kept.steps);
    if (!keepAll) return tl::unexpected(keepAll.error());
    auto keepAllLine = buildTimeline(graph, costs, kept.steps);
    if (!keepAllLine) return tl::unexpected(keepAllLine.error());
    std::vector<JudgedPlan> all;
    for (const ReportPlan &each : plans) {
        auto made = judged(model, graph, costs, each, keepAll->timeUs);
        if (!made) return tl::unexpected(made.error());
        all.push_back(std::move(*made));
    }

    std::string body = fmt::format("<h1>{}</h1>\n<p>", html::escaped(graph.name));
    body += html::escaped(
        fmt::format("{} ops, {} storages. Keep-all: peak {}, {} per step. Times of {}. Graph {}.",
                    formatCount(static_cast<std::int64_t>(graph.ops.size())), formatCount(plannedStorages(graph)),
                    formatMemory(keepAll->peakBytes), formatTimeUs(keepAll->timeUs),
                    costs.source.kind == "profile" ? std::string("a profile") : "the device " + costs.source.device,
                    graph.fingerprint));
    body += "</p>\n";
    if (eagerDiffers(model)) body += fmt::format("<p class=\"wrong\">{}</p>\n", html::escaped(eagerSentence(model)));
    body += html::section("Figures", figures(all, *keepAll, graph));
    if (!verdicts.empty()) body += html::section("Which is better", whichIsBetter(verdicts));
    if (all.size() > 1) {
        std::vector<svg::Point> points;
        points.reserve(all.size());
        for (const JudgedPlan &each : all)
            points.push_back({each.title, each.simulation.peakBytes, each.overhead,
                              std::max(0.0, ratio(each.bound.timeUs, keepAll->timeUs) - 1)});
        body += html::section("Trade-off", svg::tradeOff(points, keepAll->peakBytes) +
                                               "<p>A short line under a point is what no plan within its budget is "
                                               "faster than.</p>\n");
    }
    for (const JudgedPlan &each : all) {
        const std::string prefix = all.size() > 1 ? each.title + ": " : std::string();
        const auto title = [&prefix](std::string text) {
            if (prefix.empty())
                text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
            return prefix + text;
        };
        body +=
            html::section(title("memory over time"),
                          svg::timeline(each.timeline, *keepAllLine, each.plan->budgetBytes) + legend(each.timeline));
        body += html::section(title("what makes the peak"), atThePeak(each, graph));
        body += html::section(title("what is computed again"), recomputed(each, graph, costs));
        body += html::section(title("how it was made"), howMade(each, model, costs));
    }
    return html::page(graph.name + " – plan report", body, {".wrong { color: #c62828; font-weight: bold; }\n", {}});
}

} // namespace remat
