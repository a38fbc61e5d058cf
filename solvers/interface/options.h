// SPDX-License-Identifier: Apache-2.0
// Options of planners as data: form, flags, JSON, tooltips and help come from the one record.
#pragma once

#include "core/base/expected.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace remat {

enum class OptionType { Bool, Int, Real, Choice };

/// One option of a planner.
struct OptionRecord {
    std::string name;  ///< `time-limit`: as `--set` takes it
    std::string label; ///< `Time limit`: as the form shows it
    OptionType type = OptionType::Int;
    double defaultNumber = 0;        ///< Bool: 0 or 1
    double minimum = 0, maximum = 0; ///< for Int and Real, both inclusive
    std::string unit;                ///< `s`, `%`; may be empty
    std::string defaultChoice;
    std::vector<std::string> choices; ///< for Choice
    std::string text;                 ///< a sentence that says what it does
    bool advanced = false;
};

/// A record without range and default.
OptionRecord optionRecord(OptionType type, std::string name, std::string label, std::string text, bool advanced);

/// The value of one option: `number` for Bool (0 or 1), Int and Real, `choice` for Choice.
struct OptionValue {
    double number = 0;
    std::string choice;
};

/// Values by option name, as a person set them. Build with `makeOptions`, which fills defaults and checks what was set.
/// A planner reads them all at once, into a struct of its own (solvers/interface/option_table.h).
class OptionSet
{
public:
    bool has(const std::string &name) const { return m_values.contains(name); }
    /// For who knows records only; it must be there.
    const OptionValue &value(const std::string &name) const;
    /// What was set to something else than its default, as text: goes into plan files.
    const std::map<std::string, std::string> &changed() const { return m_changed; }

private:
    friend Expected<OptionSet> makeOptions(const std::vector<OptionRecord> &records,
                                           const std::map<std::string, std::string> &set);

    std::map<std::string, OptionValue> m_values;
    std::map<std::string, std::string> m_changed;
};

/// Defaults of `records` with `set` put over them. Fails with a sentence on unknown names (with the nearest known one),
/// wrong types and values out of range.
Expected<OptionSet> makeOptions(const std::vector<OptionRecord> &records,
                                const std::map<std::string, std::string> &set);

} // namespace remat
