// SPDX-License-Identifier: Apache-2.0
// remat solvers: every planner, its source, its options.
#include "app/cli/command.h"
#include "app/cli/output.h"

#include "solvers/interface/solver.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <cstdio>

namespace remat::cli {

namespace {

const char *typeName(OptionType type)
{
    switch (type) {
    case OptionType::Bool:
        return "bool";
    case OptionType::Int:
        return "int";
    case OptionType::Real:
        return "real";
    case OptionType::Choice:
        return "choice";
    }
    return "";
}

nlohmann::json toJson(const OptionRecord &option)
{
    nlohmann::json object{{"name", option.name}, {"label", option.label},       {"type", typeName(option.type)},
                          {"text", option.text}, {"advanced", option.advanced}, {"unit", option.unit}};
    if (option.type == OptionType::Choice) {
        object["default"] = option.defaultChoice;
        object["choices"] = option.choices;
    } else if (option.type == OptionType::Bool) {
        object["default"] = option.defaultNumber != 0;
    } else {
        object["default"] = option.defaultNumber;
        object["minimum"] = option.minimum;
        object["maximum"] = option.maximum;
    }
    return object;
}

std::string rangeText(const OptionRecord &option)
{
    char text[160] = "";
    if (option.type == OptionType::Choice) {
        std::string list;
        for (const std::string &choice : option.choices)
            list += (list.empty() ? "" : " | ") + choice;
        return fmt::format("{}; default {}", list, option.defaultChoice);
    }
    if (option.type == OptionType::Bool)
        return option.defaultNumber != 0 ? "on | off; default on" : "on | off; default off";
    std::snprintf(text, sizeof text, "%g to %g %s; default %g", option.minimum, option.maximum, option.unit.c_str(),
                  option.defaultNumber);
    return text;
}

int runSolvers(bool json)
{
    if (json) {
        nlohmann::json list = nlohmann::json::array();
        for (const Planner *planner : planners()) {
            const PlannerInfo &info = planner->info;
            nlohmann::json options = nlohmann::json::array();
            for (const OptionRecord &option : info.options)
                options.push_back(toJson(option));
            list.push_back({{"name", info.name},
                            {"title", info.title},
                            {"kind", info.kind},
                            {"text", info.text},
                            {"source", info.source},
                            {"options", options}});
        }
        printJson({{"solvers", list}});
        return kDone;
    }
    for (const Planner *planner : planners()) {
        const PlannerInfo &info = planner->info;
        say(stdout, "%s: %s (%s)\n  %s\n  Source: %s\n", info.name.c_str(), info.title.c_str(), info.kind.c_str(),
            info.text.c_str(), info.source.c_str());
        for (const OptionRecord &option : info.options)
            say(stdout, "    --set %s=%s  %s\n        %s\n", option.name.c_str(), typeName(option.type),
                rangeText(option).c_str(), option.text.c_str());
        say(stdout, "\n");
    }
    return kDone;
}

void addSolvers(CLI::App &app, Action &action)
{
    auto json = std::make_shared<bool>(false);
    CLI::App *command =
        app.add_subcommand("solvers", "every planner, its source, its options with type, range and default");
    command->alias("planners");
    command->add_flag("--json", *json, "print one JSON object");
    command->callback([json, &action] { action = [json] { return runSolvers(*json); }; });
}

} // namespace

const Command &command::solvers()
{
    static const Command command = {.order = 170, .add = addSolvers};
    return command;
}

} // namespace remat::cli
