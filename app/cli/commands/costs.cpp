// SPDX-License-Identifier: Apache-2.0
// remat costs: the table every planner reads.
#include "app/cli/command.h"
#include "app/cli/output.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <nlohmann/json.hpp>

namespace remat::cli {

namespace {

nlohmann::json toJson(const Session &session)
{
    nlohmann::json times = nlohmann::json::object(), workspaces = nlohmann::json::object();
    nlohmann::json bytes = nlohmann::json::object();
    for (std::size_t i = 0; i < session.graph().ops.size(); ++i) {
        const std::string &name = session.graph().ops[i].name;
        times[name] = session.costs.timeUs[i];
        workspaces[name] = session.costs.workspaceBytes[i];
    }
    for (const Storage &storage : session.graph().storages)
        bytes[storage.name] = storage.bytes;
    return {{"time_us", times}, {"bytes", bytes}, {"workspace_bytes", workspaces}};
}

void print(const Session &session)
{
    say(stdout, "%12s  %12s  %12s  %s\n", "time", "makes", "workspace", "op");
    for (std::size_t i = 0; i < session.graph().ops.size(); ++i) {
        const Op &op = session.graph().ops[i];
        std::int64_t made = 0;
        for (const StorageId output : op.outputs)
            made += session.graph().storage(output).bytes;
        say(stdout, "%9.3f us  %12s  %12s  %s\n", session.costs.timeUs[i], formatBytes(made).c_str(),
            formatBytes(session.costs.workspaceBytes[i]).c_str(), printable(op.name).c_str());
    }
}

int runCosts(const std::string &path, const CostFlags &flags, const UpdateFlags &updates, bool json)
{
    auto session = openSession(path, flags, updates);
    if (!session) return badInput(session.error());
    if (json)
        printJson(toJson(*session));
    else
        print(*session);
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
