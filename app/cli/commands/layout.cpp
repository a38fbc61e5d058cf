// remat layout: an address for everything a plan allocates.
#include "app/cli/command.h"
#include "app/cli/output.h"

#include "core/addresses/layout.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/csv.h"

#include <nlohmann/json.hpp>

namespace remat::cli {

namespace {

struct LayoutFlags {
    std::string model, plan;
    Output output;
    CostFlags costs;
    bool json = false;
};

/// MiniMalloc's columns, then what the instance is.
std::string toCsv(const Graph &graph, const std::vector<MemoryInstance> &instances, const MemoryLayout &layout)
{
    std::string text = "id,lower,upper,size,offset,kind,name\n";
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const MemoryInstance &instance = instances[i];
        const bool workspace = static_cast<bool>(instance.workspaceOf);
        text += std::to_string(i) + ',' + std::to_string(instance.firstStep) + ',' + std::to_string(instance.endStep) +
                ',' + std::to_string(instance.bytes) + ',' + std::to_string(layout.offsets[i]) + ',';
        text += workspace ? "workspace," : "storage,";
        text += csvField(workspace ? graph.op(instance.workspaceOf).name : graph.storage(instance.storage).name) + '\n';
    }
    return text;
}

int runLayout(const LayoutFlags &flags)
{
    if (auto ready = flags.output.check({flags.model, flags.plan, flags.costs.profile}, flags.json); !ready)
        return badInput(ready.error());
    auto opened = openPlanSession(flags.model, flags.plan, flags.costs);
    if (!opened) return opened.error().report(flags.json);
    const Session &session = opened->session;
    if (auto possible = simulate(session.graph(), session.costs, opened->plan.steps); !possible)
        return PlanRefusal{possible.error(), kNo}.report(flags.json);

    const auto instances = memoryInstances(session.graph(), session.costs, opened->plan.steps);
    const MemoryLayout layout = layOut(instances);
    if (flags.output.given())
        if (auto written = flags.output.write(toCsv(session.graph(), instances, layout)); !written)
            return badInput(written.error());
    if (flags.json) {
        printJson({{"height_bytes", layout.heightBytes},
                   {"load_bytes", layout.loadBytes},
                   {"fragmentation", layout.fragmentation()},
                   {"instances", instances.size()}});
    } else {
        std::FILE *to = flags.output.notes();
        say(to, "%s instances lie in %s of addresses; %s are in use at once at the peak. Fragmentation %s.\n",
            formatCount(static_cast<std::int64_t>(instances.size())).c_str(),
            formatBytes(layout.heightBytes, Rounding::Up).c_str(), formatBytes(layout.loadBytes, Rounding::Up).c_str(),
            formatShare(layout.fragmentation(), Rounding::Up).c_str());
        if (flags.output.given() && !flags.output.isStandard())
            say(to, "Saved to %s.\n", printable(flags.output.path).c_str());
    }
    return kDone;
}

} // namespace

void addLayout(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<LayoutFlags>();
    CLI::App *command = app.add_subcommand("layout", "addresses for everything a plan allocates; height and "
                                                     "fragmentation");
    command->add_option("MODEL", flags->model, "trace (.pt2) or graph (.json)")->required();
    command->add_option("PLAN", flags->plan, "plan (.json)")->required();
    flags->output.add(*command, "CSV file to write: id, first step, step after the last, bytes, offset, kind, name");
    flags->costs.add(*command);
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runLayout(*flags); }; });
}

} // namespace remat::cli
