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

/// Records of each type, for planners that declare their options.
OptionRecord flagOption(std::string name, std::string label, bool standard, std::string text, bool advanced = false);
OptionRecord integerOption(std::string name, std::string label, int standard, int minimum, int maximum,
                           std::string unit, std::string text, bool advanced = false);
OptionRecord realOption(std::string name, std::string label, double standard, double minimum, double maximum,
                        std::string unit, std::string text, bool advanced = false);
/// The first choice is the default.
OptionRecord choiceOption(std::string name, std::string label, std::vector<std::string> choices, std::string text,
                          bool advanced = false);

/// Values by option name. Build with `makeOptions`, which fills defaults and checks what was set.
class OptionSet
{
public:
    bool has(const std::string &name) const; ///< number, flag or choice
    bool flag(const std::string &name) const;
    int integer(const std::string &name) const;
    double real(const std::string &name) const;
    const std::string &choice(const std::string &name) const;
    /// What was set to something else than its default, as text: goes into plan files.
    const std::map<std::string, std::string> &changed() const { return m_changed; }

private:
    friend Expected<OptionSet> makeOptions(const std::vector<OptionRecord> &records,
                                           const std::map<std::string, std::string> &set);
    std::map<std::string, double> m_numbers;
    std::map<std::string, std::string> m_choices;
    std::map<std::string, std::string> m_changed;
};

/// Defaults of `records` with `set` put over them. Fails with a sentence on unknown names (with the nearest known one),
/// wrong types and values out of range.
Expected<OptionSet> makeOptions(const std::vector<OptionRecord> &records,
                                const std::map<std::string, std::string> &set);

} // namespace remat
