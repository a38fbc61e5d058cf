// SPDX-License-Identifier: Apache-2.0
#include "solvers/interface/options.h"

#include "core/base/nearest.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <optional>

namespace remat {

namespace {

std::string numberText(double number)
{
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
    return {buffer, end};
}

Error unknownOption(const std::vector<OptionRecord> &records, const std::string &name)
{
    if (records.empty())
        return {fmt::format("There is no option {}: this planner has none. Leave it out.", quotedName(name))};
    std::vector<std::string> names;
    names.reserve(records.size());
    for (const OptionRecord &record : records)
        names.push_back(record.name);
    std::string known;
    for (const OptionRecord &record : records)
        known += (known.empty() ? "" : ", ") + record.name;
    return {fmt::format("There is no option {}. Did you mean \"{}\"? Options: {}.", quotedName(name),
                        nearestName(names, name), known)};
}

Expected<double> readFlag(const OptionRecord &record, const std::string &text)
{
    if (text == "1" || text == "on" || text == "true" || text == "yes") return 1.0;
    if (text == "0" || text == "off" || text == "false" || text == "no") return 0.0;
    return fail("Option \"{}\" is on or off, not \"{}\".", record.name, text);
}

Expected<void> checkChoice(const OptionRecord &record, const std::string &text)
{
    std::string known;
    for (const std::string &choice : record.choices) {
        if (choice == text) return {};
        known.append(known.empty() ? "" : ", ").append(choice);
    }
    return fail("Option \"{}\" is one of {}, not \"{}\".", record.name, known, text);
}

Expected<double> readAmount(const OptionRecord &record, const std::string &text)
{
    const std::optional<double> number = readTypedNumber(text);
    const bool whole = record.type == OptionType::Int;
    if (!number || (whole && *number != std::floor(*number)))
        return fail(
            fmt::format("Option \"{}\" needs a {}, not \"{}\".", record.name, whole ? "whole number" : "number", text));
    if (*number < record.minimum || *number > record.maximum) {
        const std::string unit = record.unit.empty() ? "" : " " + record.unit;
        return fail("Option \"{}\" goes from {} to {}{}; {} is outside.", record.name, numberText(record.minimum),
                    numberText(record.maximum), unit, text);
    }
    return *number;
}

} // namespace

OptionRecord optionRecord(OptionType type, std::string name, std::string label, std::string text, bool advanced)
{
    OptionRecord record;
    record.type = type;
    record.name = std::move(name);
    record.label = std::move(label);
    record.text = std::move(text);
    record.advanced = advanced;
    return record;
}

const OptionValue &OptionSet::value(const std::string &name) const
{
    const auto found = m_values.find(name);
    REMAT_ASSERT(found != m_values.end(), "options are read by the table whose records made them");
    return found->second;
}

Expected<OptionSet> makeOptions(const std::vector<OptionRecord> &records, const std::map<std::string, std::string> &set)
{
    OptionSet options;
    for (const OptionRecord &record : records)
        options.m_values[record.name] = {record.defaultNumber, record.defaultChoice};
    for (const auto &[name, text] : set) {
        const auto record =
            std::find_if(records.begin(), records.end(), [&name = name](const auto &r) { return r.name == name; });
        if (record == records.end()) return tl::unexpected(unknownOption(records, name));
        if (record->type == OptionType::Choice) {
            if (const Expected<void> known = checkChoice(*record, text); !known) return tl::unexpected(known.error());
            if (text != record->defaultChoice) options.m_changed[name] = text;
            options.m_values[name].choice = text;
            continue;
        }
        const Expected<double> number =
            record->type == OptionType::Bool ? readFlag(*record, text) : readAmount(*record, text);
        if (!number) return tl::unexpected(number.error());
        if (*number != record->defaultNumber)
            options.m_changed[name] =
                record->type == OptionType::Bool ? (*number != 0 ? "true" : "false") : numberText(*number);
        options.m_values[name].number = *number;
    }
    return options;
}

} // namespace remat
