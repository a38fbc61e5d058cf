// SPDX-License-Identifier: Apache-2.0
// What people type: amounts, budgets, options of planners, filters.
#include "core/base/memory_units.h"
#include "tests/fuzz/targets/all.h"

#include "app/cli/settings.h"
#include "core/base/budget.h"
#include "core/base/budget_list.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/csv.h"
#include "core/views/find_ops.h"
#include "solvers/interface/option_table.h"
#include "tests/fuzz/exercise.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace remat::fuzz {

namespace {

constexpr std::int64_t kPeak = std::int64_t(10) * kGiB;

/// The fields of one line of a table, read back by RFC 4180.
std::vector<std::string> fieldsOf(const std::string &line)
{
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i + 1 < line.size() || (i < line.size() && quoted); ++i) {
        const char c = line[i];
        if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
            fields.back() += line[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

} // namespace

bool readAmounts(std::string_view input)
{
    bool accepted = true;
    if (const auto budget = parseBudget(input, kPeak); budget)
        require(*budget > 0, "a budget that is not above 0");
    else
        accepted = refusedWith(budget.error().message);
    for (const std::int64_t peak : {std::int64_t(0), std::int64_t(1), std::int64_t(1) << 62}) {
        if (const auto budget = parseBudget(input, peak); budget)
            require(*budget > 0, "a budget that is not above 0");
        else
            refusedWith(budget.error().message);
    }
    if (const auto budgets = parseBudgets(input, kPeak); budgets) {
        require(!budgets->empty() && budgets->size() <= kMaxBudgets, "a list of no budgets or too many");
        for (std::size_t i = 0; i < budgets->size(); ++i)
            require((*budgets)[i] > 0 && (i == 0 || (*budgets)[i] < (*budgets)[i - 1]), "budgets out of order");
        accepted = true;
    } else {
        refusedWith(budgets.error().message);
    }
    // The bytes themselves as numbers to be written.
    double number = 0;
    std::int64_t whole = 0;
    if (input.size() >= sizeof number) {
        std::copy_n(input.data(), sizeof number, reinterpret_cast<char *>(&number));
        std::copy_n(input.data(), sizeof whole, reinterpret_cast<char *>(&whole));
    }
    for (const Rounding rounding : {Rounding::Nearest, Rounding::Up, Rounding::Down}) {
        refusedWith(formatBytes(whole, rounding));
        refusedWith(formatShare(number, rounding));
    }
    refusedWith(formatTimeUs(number));
    refusedWith(formatCount(whole));
    refusedWith(formatExactBytes(whole));
    refusedWith(formatMemory(whole, kPeak));
    return accepted;
}

/// One field a line.
bool writeTable(std::string_view input)
{
    std::vector<std::string> fields;
    std::istringstream parts{std::string(input)};
    for (std::string part; std::getline(parts, part, '|');)
        fields.push_back(part);
    if (fields.empty()) return false;
    const std::vector<std::string> read = fieldsOf(csvLine(fields));
    require(read.size() == fields.size(), "a line of a table with another number of fields");
    // Cells may be written on one line and with a mark before a formula; once written so, they stay.
    require(csvLine(read).size() <= csvLine(fields).size() + read.size(), "a line grows when it is written again");
    return true;
}

struct WordsOptions {
    bool parameters = false;
    int rounds = 3, below = -1;
    double share = 0.5, wide = 1;
    std::string order = "graph";
};

const OptionTable<WordsOptions> &wordsOptions()
{
    using Options = WordsOptions;
    static const OptionTable<Options> table = {
        flagOption(&Options::parameters, "parameters", "Plan parameters", "A flag."),
        numberOption(&Options::rounds, "rounds", "Rounds", 0, 1000000, "", "A number of something."),
        numberOption(&Options::below, "below", "Below", -5, 5, "%", "A whole number below 0, too."),
        numberOption(&Options::share, "share", "Share", 0, 1, "", "A share."),
        numberOption(&Options::wide, "wide", "Wide", -1e300, 1e300, "s", "Nearly any number."),
        nameOption(&Options::order, "order", "Order", {"graph", "auto", "best first"}, "One of three.")};
    return table;
}

const std::vector<OptionRecord> &optionRecords()
{
    static const std::vector<OptionRecord> records = wordsOptions().records();
    return records;
}

/// KEY=VALUE a line, for records of every type; remat-stress tries those of every planner.
bool readSettings(std::string_view input)
{
    std::vector<std::string> set;
    std::istringstream lines{std::string(input)};
    for (std::string line; std::getline(lines, line);)
        set.push_back(line);
    const auto settings = cli::parseSettings(set);
    if (!settings) return refusedWith(settings.error().message);
    const auto options = makeOptions(optionRecords(), *settings);
    if (!options) return refusedWith(options.error().message);
    const WordsOptions read = wordsOptions().read(*options);
    require(read.rounds >= 0 && read.rounds <= 1000000 && read.below >= -5 && read.below <= 5 && read.share >= 0 &&
                read.share <= 1 && read.wide >= -1e300 && read.wide <= 1e300,
            "an option out of its range");
    const auto again = makeOptions(optionRecords(), options->changed());
    require(again && again->changed() == options->changed(), "options read back as others");
    return true;
}

bool readFilter(std::string_view input)
{
    const auto filter = parseFilter(input);
    if (!filter) return refusedWith(filter.error().message);
    for (const FilterTerm &term : filter->terms)
        require(std::isfinite(term.number), "a condition with a number that is none");
    pathHolds("transformer.h.11.attn", lowerCase(input));
    static const Graph &graph = knownModel().graph;
    static const CostTable costs = referenceCosts(knownModel());
    static const std::vector<OpFacts> facts = opFacts(graph);
    static const OpFates fates = opFates(graph, *buildTimeline(graph, costs, keepAllPlan(graph).steps));
    require(findOps(*filter, {graph, costs, facts, &fates, {}}).size() <= graph.ops.size(), "more ops than there are");
    return true;
}

} // namespace remat::fuzz
