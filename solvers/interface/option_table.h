// SPDX-License-Identifier: Apache-2.0
// The options of a planner as a plain struct: each row of a table ties a record to the member that it fills.
#pragma once

#include "solvers/interface/options.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace remat {

/// The options of one planner, or a part of them that several planners share. The default of an option is what its
/// member is in `Options()`, and stands nowhere else. Rows are made by the functions below and put together in the
/// order in which forms show them:
///
///     struct DropOptions { int most = 1000; };
///     const OptionTable<DropOptions> table = {numberOption(&DropOptions::most, "most", …), …};
///
/// Immutable once made; any thread.
template <class Options>
class OptionTable
{
public:
    /// A record without its default, and the way to its member and back.
    struct Row {
        OptionRecord record;
        std::function<OptionValue(const Options &)> get;
        std::function<void(const OptionValue &, Options &)> put;
    };

    explicit OptionTable(Row row) : m_rows{std::move(row)} {}
    OptionTable(std::initializer_list<OptionTable> parts)
    {
        for (const OptionTable &part : parts)
            m_rows.insert(m_rows.end(), part.m_rows.begin(), part.m_rows.end());
    }

    /// For `PlannerInfo`.
    std::vector<OptionRecord> records() const
    {
        std::vector<OptionRecord> records;
        records.reserve(m_rows.size());
        for (const Row &row : m_rows) {
            const OptionValue standard = row.get(Options());
            records.push_back(row.record);
            records.back().defaultNumber = standard.number;
            records.back().defaultChoice = standard.choice;
        }
        return records;
    }

    /// What was set, as the planner uses it. `set` is made from these records, or from these and others.
    Options read(const OptionSet &set) const
    {
        Options options;
        for (const Row &row : m_rows)
            row.put(set.value(row.record.name), options);
        return options;
    }

    /// The same, but forms show them only to those who ask for more.
    OptionTable advanced() const
    {
        OptionTable table = *this;
        for (Row &row : table.m_rows)
            row.record.advanced = true;
        return table;
    }

    /// As a part of a larger table, whose options hold these ones in `member`.
    template <class Whole>
    OptionTable<Whole> in(Options Whole::*member) const
    {
        OptionTable<Whole> whole = {};
        for (const Row &row : m_rows)
            whole.m_rows.push_back(
                {row.record, [get = row.get, member](const Whole &from) { return get(from.*member); },
                 [put = row.put, member](const OptionValue &value, Whole &to) { put(value, to.*member); }});
        return whole;
    }

private:
    template <class>
    friend class OptionTable;

    std::vector<Row> m_rows;
};

/// On or off.
template <class Options>
OptionTable<Options> flagOption(bool Options::*member, std::string name, std::string label, std::string text,
                                bool advanced = false)
{
    using Row = typename OptionTable<Options>::Row;
    OptionRecord record = optionRecord(OptionType::Bool, std::move(name), std::move(label), std::move(text), advanced);
    record.maximum = 1;
    return OptionTable<Options>(
        Row{record,
            [member](const Options &from) {
                return OptionValue{from.*member ? 1. : 0., {}};
            },
            [member](const OptionValue &value, Options &to) { to.*member = value.number != 0; }});
}

/// A number from `minimum` to `maximum`, both included: a whole one for a member of type `int`, a real one for
/// `double`.
template <class Options, class Number>
requires std::is_same_v<Number, int> || std::is_same_v<Number, double> OptionTable<Options>
numberOption(Number Options::*member, std::string name, std::string label, double minimum, double maximum,
             std::string unit, std::string text, bool advanced = false)
{
    using Row = typename OptionTable<Options>::Row;
    const OptionType type = std::is_same_v<Number, int> ? OptionType::Int : OptionType::Real;
    OptionRecord record = optionRecord(type, std::move(name), std::move(label), std::move(text), advanced);
    record.minimum = minimum;
    record.maximum = maximum;
    record.unit = std::move(unit);
    const auto put = [member](const OptionValue &value, Options &to) {
        to.*member = static_cast<Number>(value.number);
    };
    return OptionTable<Options>(Row{record,
                                    [member](const Options &from) {
                                        return OptionValue{double(from.*member), {}};
                                    },
                                    put});
}

/// One of several values, each with the name that it is chosen by.
template <class Options, class Choice>
OptionTable<Options> choiceOption(Choice Options::*member, std::string name, std::string label,
                                  std::vector<std::pair<std::string, std::type_identity_t<Choice>>> choices,
                                  std::string text, bool advanced = false)
{
    using Row = typename OptionTable<Options>::Row;
    OptionRecord record =
        optionRecord(OptionType::Choice, std::move(name), std::move(label), std::move(text), advanced);
    for (const auto &choice : choices)
        record.choices.push_back(choice.first);
    const auto get = [member, choices](const Options &from) {
        const auto found =
            std::find_if(choices.begin(), choices.end(), [&](const auto &each) { return each.second == from.*member; });
        REMAT_ASSERT(found != choices.end(), "the default is one of the choices");
        return OptionValue{0, found->first};
    };
    const auto put = [member, choices](const OptionValue &value, Options &to) {
        const auto found =
            std::find_if(choices.begin(), choices.end(), [&](const auto &each) { return each.first == value.choice; });
        REMAT_ASSERT(found != choices.end(), "makeOptions lets only known choices through");
        to.*member = found->second;
    };
    return OptionTable<Options>(Row{record, get, put});
}

/// One of several names.
template <class Options>
OptionTable<Options> nameOption(std::string Options::*member, std::string name, std::string label,
                                const std::vector<std::string> &choices, std::string text, bool advanced = false)
{
    std::vector<std::pair<std::string, std::string>> named;
    named.reserve(choices.size());
    for (const std::string &choice : choices)
        named.emplace_back(choice, choice);
    return choiceOption(member, std::move(name), std::move(label), std::move(named), std::move(text), advanced);
}

} // namespace remat
