// SPDX-License-Identifier: Apache-2.0
// remat costs: the table every planner reads.
#include "app/cli/command.h"
#include "app/cli/output.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <nlohmann/json.hpp>

namespace remat::cli {

namespace {

nlohmann::json toJson(const ModelWithCosts &subject)
{
    nlohmann::json times = nlohmann::json::object(), workspaces = nlohmann::json::object();
    nlohmann::json bytes = nlohmann::json::object();
    for (std::size_t i = 0; i < subject.graph().ops.size(); ++i) {
        const std::string &name = subject.graph().ops[i].name;
        times[name] = subject.costs.timeUs[i];
        workspaces[name] = subject.costs.workspaceBytes[i];
    }
    for (const Storage &storage : subject.graph().storages)
        bytes[storage.name] = storage.bytes;
    return {{"time_us", times}, {"bytes", bytes}, {"workspace_bytes", workspaces}};
}

void print(const ModelWithCosts &subject)
{
    say(stdout, "%12s  %12s  %12s  %s\n", "time", "makes", "workspace", "op");
    for (std::size_t i = 0; i < subject.graph().ops.size(); ++i) {
        const Op &op = subject.graph().ops[i];
        std::int64_t made = 0;
        for (const StorageId output : op.outputs)
            made += subject.graph().storage(output).bytes;
        say(stdout, "%9.3f us  %12s  %12s  %s\n", subject.costs.timeUs[i], formatBytes(made).c_str(),
            formatBytes(subject.costs.workspaceBytes[i]).c_str(), printable(op.name).c_str());
    }
}

int runCosts(const std::string &path, const CostFlags &flags, const UpdateFlags &updates, bool json)
{
    auto subject = openModelWithCosts(path, flags, updates);
    if (!subject) return badInput(subject.error());
    if (json)
        printJson(toJson(*subject));
    else
        print(*subject);
    return kDone;
}

void addCosts(CLI::App &app, Action &action)
{
    struct Flags {
        std::string model;
        CostFlags costs;
        UpdateFlags updates;
        bool json = false;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App *command = app.add_subcommand("costs", "time and workspace of every op, bytes of every storage");
    command->add_option("MODEL", flags->model, "trace (.pt2) or graph (.json)")->required();
    flags->costs.add(*command);
    flags->updates.add(*command);
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] {
        action = [flags] { return runCosts(flags->model, flags->costs, flags->updates, flags->json); };
    });
}

} // namespace

const Command &command::costs()
{
    static const Command command = {.order = 20, .add = addCosts};
    return command;
}

} // namespace remat::cli
