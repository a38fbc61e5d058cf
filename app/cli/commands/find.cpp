// SPDX-License-Identifier: Apache-2.0
// remat find: ops and what they make, by the filter language of the window.
#include "app/cli/opened_plans.h"
#include "app/cli/output.h"
#include "app/cli/table.h"

#include "core/base/units.h"
#include "core/graph/phase_name.h"
#include "core/views/find_ops.h"
#include "core/views/graph_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace remat::cli {

namespace {

struct FindFlags {
    std::string model, filter, plan;
    CostFlags costs;
    bool json = false;
};

struct Found {
    const CostedModel &model;
    const std::vector<OpFacts> &facts;
    const OpFates *fates; ///< fates of ops in the plan; none without a plan
    std::vector<OpId> ops;
};

/// Without what a filter cannot be answered here; empty when it can.
std::string missingFor(const Filter &filter, bool plan)
{
    for (const FilterTerm &term : filter.terms) {
        const std::string word(wordOf(term.field));
        if (term.field == FilterField::Pinned)
            return "pinned asks what was decided by hand, which sessions of the window keep and plans do not. Leave it "
                   "out, or search in the window.";
        if (asksPlan(term) && !plan)
            return word + " asks what a plan does. Name the plan with --plan FILE; `remat plan` makes one.";
    }
    return {};
}

nlohmann::json toJson(const Found &found, const std::string &filter)
{
    const Graph &graph = found.model.graph();
    nlohmann::json ops = nlohmann::json::array();
    for (const OpId id : found.ops) {
        const Op &op = graph.op(id);
        const OpFacts &facts = found.facts[id.index()];
        nlohmann::json storages = nlohmann::json::array();
        for (const StorageId output : op.outputs)
            storages.push_back({{"name", graph.storage(output).name},
                                {"type", graph.storage(output).type},
                                {"bytes", graph.storage(output).bytes}});
        ops.push_back({{"op", op.name},
                       {"name", facts.name},
                       {"kind", op.kind},
                       {"module", op.module},
                       {"source", op.source},
                       {"phase", phaseName(op.phase)},
                       {"bytes", facts.bytes},
                       {"time_us", found.model.costs->time(id)},
                       {"storages", std::move(storages)}});
        if (!found.fates) continue;
        ops.back()["state"] = nodeStateName(found.fates->states[id.index()]);
        ops.back()["times"] = 1 + found.fates->recomputations[id.index()];
    }
    return {{"filter", filter}, {"searched_ops", graph.ops.size()}, {"ops", std::move(ops)}};
}

void print(const Found &found)
{
    const Graph &graph = found.model.graph();
    std::vector<std::string> heads{"op", "name", "kind", "phase", "makes", ">bytes", ">time"};
    if (found.fates) heads.insert(heads.end(), {"state", ">computed"});
    Table table(heads);
    std::int64_t bytes = 0;
    double timeUs = 0;
    for (const OpId id : found.ops) {
        const Op &op = graph.op(id);
        const OpFacts &facts = found.facts[id.index()];
        bytes += facts.bytes;
        timeUs += found.model.costs->time(id);
        std::vector<std::string> cells{op.name,
                                       facts.name,
                                       humanKind(op.kind),
                                       phaseName(op.phase),
                                       op.outputs.empty() ? "–" : graph.storage(op.outputs.front()).type,
                                       formatBytes(facts.bytes),
                                       formatTimeUs(found.model.costs->time(id))};
        if (found.fates) {
            cells.emplace_back(nodeStateName(found.fates->states[id.index()]));
            cells.push_back(formatCount(1 + found.fates->recomputations[id.index()]));
        }
        table.add(std::move(cells));
    }
    const std::string all = formatCount(static_cast<std::int64_t>(graph.ops.size()));
    if (found.ops.empty()) {
        say(stdout, "None of %s ops fits.\n", all.c_str());
        return;
    }
    table.print();
    say(stdout, "%s of %s ops; they make %s and take %s, once each.\n",
        formatCount(static_cast<std::int64_t>(found.ops.size())).c_str(), all.c_str(), formatBytes(bytes).c_str(),
        formatTimeUs(timeUs).c_str());
}

int runFind(const FindFlags &flags)
{
    const auto filter = parseFilter(flags.filter);
    if (!filter) return badInput(filter.error());
    if (const std::string missing = missingFor(*filter, !flags.plan.empty()); !missing.empty())
        return badInput({missing});
    const std::vector<std::string> plans(flags.plan.empty() ? 0 : 1, flags.plan);
    const auto opened = openPlans(flags.model, plans, flags.costs);
    if (!opened) return opened.error().report(flags.json);

    const CostedModel &model = *opened->model;
    const std::vector<OpFacts> facts = opFacts(model.graph());
    OpFates fates;
    if (!opened->plans.empty()) fates = opFates(model.graph(), *opened->plans.front()->timeline);
    Found found{model, facts, opened->plans.empty() ? nullptr : &fates, {}};
    found.ops = findOps(*filter, {model.graph(), *model.costs, facts, found.fates, {}});
    if (flags.json)
        printJson(toJson(found, flags.filter));
    else
        print(found);
    return kDone;
}

/// What stands below the options of `--help`.
std::string filterHelp()
{
    std::size_t width = 0;
    const std::vector<FilterWord> words = filterWords();
    for (const FilterWord &word : words)
        width = std::max(width, word.example.size());
    std::string text =
        "An op fits when it meets every condition. `-` before one excludes what it finds; a word that is\n"
        "none has to be in the op's name, kind or module. Numbers take :, <, <=, =, >= and >.\n\nFilters:\n";
    for (const FilterWord &word : words) {
        if (word.field == FilterField::Pinned) continue; // sessions only
        text.append("  ").append(word.example).append(width + 2 - word.example.size(), ' ').append(word.meaning);
        text += asksPlan(FilterTerm{word.field, false, {}, Comparison::Equal, 0}) ? " (with --plan)\n" : "\n";
    }
    return text;
}

void addFind(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<FindFlags>();
    CLI::App *command =
        app.add_subcommand("find", "ops and what they make, by a filter such as 'kind:addmm size>10MiB'");
    command->add_option("MODEL", flags->model, "trace (.pt2) or graph (.json)")->required();
    command->add_option("FILTER", flags->filter, "conditions between blanks, all of them in one pair of quotes")
        ->required();
    command->add_option("--plan", flags->plan, "plan (.json): also says what it does with every op");
    flags->costs.add(*command);
    command->add_flag("--json", flags->json, "print one JSON object");
    command->footer(filterHelp());
    command->callback([flags, &action] { action = [flags] { return runFind(*flags); }; });
}

} // namespace

const Command &command::find()
{
    static const Command command = {.order = 90, .add = addFind};
    return command;
}

} // namespace remat::cli
