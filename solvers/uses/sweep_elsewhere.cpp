// SPDX-License-Identifier: Apache-2.0
#include "solvers/uses/sweep_elsewhere.h"

#include "core/base/child_process.h"
#include "core/base/number.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/io/json_cursor.h"
#include "core/io/plan_text.h"
#include "core/plan/checker.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace {

constexpr int kPollMs = 50;
constexpr double kGraceSeconds = 5; ///< to say what went wrong

std::vector<std::string> argumentsOf(const SweepElsewhere &where, const SweepRequest &request)
{
    std::string budgets, planners;
    for (const std::int64_t bytes : request.budgetBytes)
        budgets += fmt::format("{}{}B", budgets.empty() ? "" : ",", bytes);
    for (const SweepEntry &entry : request.entries)
        planners += (planners.empty() ? "" : ",") + entry.planner->info.name;
    std::vector<std::string> arguments{"sweep",
                                       "--lines",
                                       "--dask=" + where.dask,
                                       "--budgets=" + budgets,
                                       "--solver=" + planners,
                                       "--time-limit=" + shortNumber(request.secondsPerPlan, 9)};
    if (where.profile)
        arguments.push_back("--profile=" + where.profile->string());
    else if (!where.device.empty())
        arguments.push_back("--device=" + where.device);
    const Graph &graph = *request.graph;
    for (const StorageId storage : request.pins.keep)
        arguments.push_back("--keep=" + graph.storage(storage).name);
    for (const OpId op : request.pins.recompute)
        arguments.push_back("--recompute=" + graph.op(op).name);
    for (const OpId op : request.pins.never)
        arguments.push_back("--never=" + graph.op(op).name);
    arguments.insert(arguments.end(), {"--", where.model.string()});
    return arguments;
}

} // namespace

Expected<SweepPoint> readSweepLine(std::string_view line, const SweepRequest &request)
{
    Expected<JsonDocument> document = JsonDocument::parse(line, "a line of a sweep");
    if (!document) return tl::unexpected(document.error());
    const JsonCursor root = document->root();
    const std::string planner = root["planner"].text(), status = root["status"].text();
    SweepPoint point;
    point.budgetBytes = point.madeForBytes = root["budget_bytes"].integer(1);
    point.message = root["message"].text();
    const JsonCursor plan = root.find("plan");
    const std::string text = plan ? plan.text() : "";
    if (document->failed()) return document->failure();
    const auto entry = std::find_if(request.entries.begin(), request.entries.end(),
                                    [&](const SweepEntry &each) { return each.planner->info.name == planner; });
    const auto &budgets = request.budgetBytes;
    if (entry == request.entries.end() || std::find(budgets.begin(), budgets.end(), point.budgetBytes) == budgets.end())
        return fail(
            fmt::format("A line of the sweep is about {}, or a budget, that was not asked for.", quotedName(planner)));
    point.entry = static_cast<std::size_t>(entry - request.entries.begin());
    point.failed = status == "failed";
    for (const SolveStatus each : {SolveStatus::Optimal, SolveStatus::Feasible, SolveStatus::Infeasible})
        if (status == statusName(each)) point.status = each;
    if (text.empty()) return point;
    Expected<Plan> read = parsePlan(text, "the plan of " + planner, *request.graph);
    if (!read) return tl::unexpected(read.error());
    const Verdict verdict = checkPlan(*request.graph, *request.costs, *read);
    if (verdict.ok && verdict.peakBytes <= point.budgetBytes)
        point.plan = std::make_shared<const Plan>(std::move(*read));
    else
        point.message = "A plan came that the checker refuses: " +
                        (verdict.ok ? std::string("it is over the budget.") : verdict.sentence);
    return point;
}

Expected<void> sweepElsewhere(const SweepElsewhere &where, const SweepRequest &request, const StopToken *stop,
                              const SweepListener &listener)
{
    const std::filesystem::path program = helperProgramPath("remat");
    if (program.empty())
        return fail("The program remat, which sweeps on other machines, is not where it was installed.");
    ChildProgram description;
    description.path = program.string();
    description.arguments = argumentsOf(where, request);
    description.mostErrorBytes = std::size_t(1) << 16;
    Expected<ChildProcess> child = ChildProcess::start(description);
    if (!child) return tl::unexpected(child.error());
    std::vector<int> done(request.entries.size(), 0);
    std::string incoming;
    for (bool speaks = true; speaks;) {
        if (stop && stop->stopRequested()) return {}; // its end ends the child and all that it asked for
        speaks = child->receive(kPollMs);
        incoming += child->takeBytes();
        std::size_t begin = 0;
        for (std::size_t end; (end = incoming.find('\n', begin)) != std::string::npos; begin = end + 1) {
            const Expected<SweepPoint> point =
                readSweepLine(std::string_view(incoming).substr(begin, end - begin), request);
            if (!point) return tl::unexpected(point.error());
            SweepProgress progress;
            progress.entry = point->entry;
            progress.done = ++done[point->entry];
            progress.total = static_cast<int>(request.budgetBytes.size());
            progress.budgetBytes = point->budgetBytes;
            progress.finished = &*point;
            if (listener) listener(progress);
        }
        incoming.erase(0, begin);
    }
    if (child->saidTooMuch()) return fail("The sweep on {} said more than any sweep does.", where.dask);
    const ChildEnd end = child->end(kGraceSeconds);
    if (end.exitCode == 0 || end.exitCode == 1) return {};
    const std::string why = child->lastError();
    return fail(why.empty() ? fmt::format("The sweep on {} ended and said nothing.", where.dask) : why);
}

} // namespace remat
