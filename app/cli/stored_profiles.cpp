// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stored_profiles.h"

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/table.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/costs/profile_comparison.h"
#include "core/views/comparison_text.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

namespace remat::cli {

namespace {

constexpr std::size_t kMostRows = 12; ///< most rows in a table of text

nlohmann::json factsOf(const std::string &file, const StoredProfile &stored)
{
    const Profile &profile = stored.profile;
    return {{"file", file},
            {"device", profile.device},
            {"device_title", profile.deviceTitle},
            {"torch", profile.torchVersion},
            {"written_by", stored.writtenBy},
            {"repeats", profile.repeats},
            {"clocks", clocksText(profile.clocks)}};
}

nlohmann::json stepsJson(const ProfileComparison &c)
{
    const auto step = [](const StepTimes &times) -> nlohmann::json {
        if (times.timeUs <= 0) return nullptr;
        return {{"time_us", times.timeUs}, {"spread_us", times.spreadUs}, {"between_us", times.betweenUs}};
    };
    nlohmann::json steps = {{"a", step(c.aStep)}, {"b", step(c.bStep)}};
    if (!c.hasSteps()) return steps;
    steps["change_us"] = c.stepChangeUs();
    steps["beyond_spread"] = c.stepsBeyondSpread();
    return steps;
}

nlohmann::json linkJson(const ProfileComparison &c)
{
    nlohmann::json link = nlohmann::json::array();
    const auto speed = [](const LinkSpeed &of) -> nlohmann::json {
        return {{"to_host_us", of.toHostUs}, {"to_device_us", of.toDeviceUs}};
    };
    for (const LinkDifference &difference : c.link)
        link.push_back({{"bytes", difference.a.bytes}, {"a", speed(difference.a)}, {"b", speed(difference.b)}});
    return link;
}

nlohmann::json measurementJson(const OpMeasurement &op)
{
    return {{"time_us", op.timeUs}, {"spread_us", op.spreadUs}, {"workspace_bytes", op.workspaceBytes}};
}

nlohmann::json opNames(const Graph &graph, const std::vector<OpId> &ops)
{
    nlohmann::json names = nlohmann::json::array();
    for (const OpId op : ops)
        names.push_back(graph.op(op).name);
    return names;
}

nlohmann::json comparisonJson(const Graph &graph, const ProfileComparison &c)
{
    nlohmann::json differ = nlohmann::json::array(), kinds = differ, ops = differ;
    for (const ProfileFact &fact : c.facts)
        differ.push_back(fact.name);
    for (const KindDifference &kind : c.kinds)
        kinds.push_back({{"kind", kind.kind},
                         {"ops", kind.ops},
                         {"a_us", kind.aUs},
                         {"b_us", kind.bUs},
                         {"change_us", kind.changeUs()}});
    for (const OpDifference &op : c.ops)
        ops.push_back({{"op", graph.op(op.op).name},
                       {"kind", graph.op(op.op).kind},
                       {"a", measurementJson(op.a)},
                       {"b", measurementJson(op.b)},
                       {"change_us", op.changeUs()},
                       {"beyond_spread", op.beyondSpread()}});
    return {{"differ", std::move(differ)},
            {"shared_ops", c.shared},
            {"shared_time_us", {{"a", c.aUs}, {"b", c.bUs}}},
            {"steps", stepsJson(c)},
            {"link", linkJson(c)},
            {"kinds", std::move(kinds)},
            {"ops", std::move(ops)},
            {"only_a", opNames(graph, c.onlyA)},
            {"only_b", opNames(graph, c.onlyB)}};
}

/// Prints the first rows of a table, and how many there are besides.
template <class Row, class Cells>
void printFirst(const std::vector<std::string> &heads, const std::vector<Row> &rows, const Cells &cells)
{
    Table table(heads);
    const std::size_t shown = std::min(rows.size(), kMostRows);
    for (std::size_t i = 0; i < shown; ++i)
        table.add(cells(rows[i]));
    table.print();
    if (rows.size() > shown)
        say(stdout, "  and %s more; --json has all of them\n",
            formatCount(static_cast<std::int64_t>(rows.size() - shown)).c_str());
}

void printOnly(const char *letter, const Graph &graph, const std::vector<OpId> &ops)
{
    if (ops.empty()) return;
    std::string names;
    for (std::size_t i = 0; i < std::min(ops.size(), kMostRows); ++i)
        names += (i > 0 ? ", " : "") + graph.op(ops[i]).name;
    if (ops.size() > kMostRows) names += ", …";
    say(stdout, "Only %s has %s: %s\n", letter,
        ops.size() == 1 ? "one op" : (formatCount(static_cast<std::int64_t>(ops.size())) + " ops").c_str(),
        printable(names).c_str());
}

void printLink(const std::vector<LinkDifference> &link)
{
    if (link.empty()) return;
    Table table({"copies of", ">to the host A", ">B", ">to the device A", ">B"});
    for (const LinkDifference &difference : link)
        table.add({formatBytes(difference.a.bytes), formatTimeUs(difference.a.toHostUs),
                   formatTimeUs(difference.b.toHostUs), formatTimeUs(difference.a.toDeviceUs),
                   formatTimeUs(difference.b.toDeviceUs)});
    table.print();
}

void printSteps(const ProfileComparison &c)
{
    const auto whole = [](const StepTimes &step) {
        if (step.timeUs <= 0) return std::string("were not measured");
        return fmt::format("take {} (quartiles {} apart)", formatTimeUs(step.timeUs), formatTimeUs(step.spreadUs));
    };
    if (c.aStep.timeUs <= 0 && c.bStep.timeUs <= 0) return;
    std::string text = fmt::format("Whole steps {} in A, {} in B", whole(c.aStep), whole(c.bStep));
    if (c.hasSteps())
        text += fmt::format(", A − B {}{}", signedTime(c.stepChangeUs()),
                            c.stepsBeyondSpread() ? ", more than both spreads" : ", within both spreads");
    say(stdout, "%s.\n", text.c_str());
}

void printComparison(const Graph &graph, const ProfileComparison &c)
{
    if (c.facts.empty()) {
        say(stdout, "Same device, versions, repeats, clocks and link.\n");
    } else {
        Table table({"", "A", "B"});
        const auto known = [](const std::string &fact) { return fact.empty() ? std::string("not said") : fact; };
        for (const ProfileFact &fact : c.facts)
            table.add({fact.name, known(fact.a), known(fact.b)});
        table.print();
    }
    printLink(c.link);
    printSteps(c);
    printOnly("A", graph, c.onlyA);
    printOnly("B", graph, c.onlyB);
    if (c.shared > 0)
        say(stdout, "Ops that both measured: %s; they take %s in A, %s in B, A − B %s.\n",
            formatCount(c.shared).c_str(), formatTimeUs(c.aUs).c_str(), formatTimeUs(c.bUs).c_str(),
            signedTime(c.aUs - c.bUs).c_str());
    if (c.ops.empty()) {
        say(stdout, "No op that both measured differs in time or workspace.\n");
        return;
    }
    const auto beyond = std::count_if(c.ops.begin(), c.ops.end(), std::mem_fn(&OpDifference::beyondSpread));
    say(stdout,
        "Ops that differ: %s, of them by more than the spread of both runs: %s. Largest change first; negative: "
        "less in A.\n",
        formatCount(static_cast<std::int64_t>(c.ops.size())).c_str(), formatCount(beyond).c_str());
    if (!c.kinds.empty())
        printFirst({"kind", ">ops", ">A", ">B", ">A − B"}, c.kinds, [](const KindDifference &kind) {
            return std::vector<std::string>{kind.kind, formatCount(kind.ops), formatTimeUs(kind.aUs),
                                            formatTimeUs(kind.bUs), signedTime(kind.changeUs())};
        });
    printFirst({"op", "kind", ">A", ">B", ">A − B", ">both spreads", ">workspace A − B"}, c.ops,
               [&](const OpDifference &op) {
                   return std::vector<std::string>{graph.op(op.op).name,
                                                   graph.op(op.op).kind,
                                                   formatTimeUs(op.a.timeUs),
                                                   formatTimeUs(op.b.timeUs),
                                                   signedTime(op.changeUs()),
                                                   formatTimeUs(op.a.spreadUs + op.b.spreadUs),
                                                   signedBytes(op.a.workspaceBytes - op.b.workspaceBytes)};
               });
}

} // namespace

int compareStoredProfiles(const std::string &modelPath, const std::string &a, const std::string &b, bool json)
{
    const auto model = readModel(modelPath);
    if (!model) return badInput(model.error());
    const Graph &graph = model->graph;
    const auto ofA = readStoredProfile(a, graph);
    if (!ofA) return badInput(ofA.error());
    const auto ofB = readStoredProfile(b, graph);
    if (!ofB) return badInput(ofB.error());
    const ProfileComparison comparison = compareProfiles(graph, *ofA, *ofB);
    if (json) {
        nlohmann::json object = comparisonJson(graph, comparison);
        object["a"] = factsOf(a, *ofA);
        object["b"] = factsOf(b, *ofB);
        printJson(object);
    } else {
        say(stdout, "A  %s\nB  %s\n", printable(a).c_str(), printable(b).c_str());
        printComparison(graph, comparison);
    }
    return kDone;
}

} // namespace remat::cli
