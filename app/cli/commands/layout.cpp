// SPDX-License-Identifier: Apache-2.0
// remat layout: an address for everything a plan allocates.
#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "app/cli/number_option.h"
#include "app/cli/output.h"
#include "core/base/memory_units.h"

#include "core/addresses/layout.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/csv.h"
#include "core/io/layout_csv.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace remat::cli {

namespace {

struct LayoutFlags {
    std::string model, plan;
    Output output;
    CostFlags costs;
    double timeLimit = 10;
    bool json = false;
};

/// MiniMalloc's columns, then what the instance is.
std::string toCsv(const Graph &graph, const std::vector<MemoryInstance> &instances, const MemoryLayout &layout)
{
    std::string text = "id,lower,upper,size,offset,kind,name\n";
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const MemoryInstance &instance = instances[i];
        const bool workspace = static_cast<bool>(instance.workspaceOf);
        text +=
            fmt::format("{},{},{},{},{},", i, instance.firstStep, instance.endStep, instance.bytes, layout.offsets[i]);
        text += workspace ? "workspace," : "storage,";
        text += csvField(workspace ? graph.op(instance.workspaceOf).name : graph.storage(instance.storage).name) + '\n';
    }
    return text;
}

/// Looks until it is proven lowest, or time is up.
Expected<SearchedLayout> layOutAndCheck(const std::vector<MemoryInstance> &instances, const LayoutFlags &flags)
{
    const Deadline deadline(flags.timeLimit);
    LayoutEffort effort;
    effort.mostNodes = std::int64_t(1) << 40;
    effort.stop = [&] { return deadline.passed() || stopOnInterrupt().stopRequested(); };
    SearchedLayout found = layOutWell(instances, effort);
    if (const auto fault = layoutFault(instances, found.layout))
        return fail("The layout is wrong, which is a fault of this program: " + *fault);
    return found;
}

int tell(const LayoutFlags &flags, const SearchedLayout &found, const std::string &csv)
{
    if (flags.output.given())
        if (auto written = flags.output.write(csv); !written) return badInput(written.error());
    const MemoryLayout &layout = found.layout;
    if (flags.json) {
        printJson({{"height_bytes", layout.heightBytes},
                   {"load_bytes", layout.loadBytes},
                   {"bound_bytes", found.boundBytes},
                   {"fragmentation", layout.fragmentation()},
                   {"instances", layout.offsets.size()}});
    } else {
        std::FILE *to = flags.output.notes();
        say(to, "%s instances lie in %s of addresses; %s are in use at once at the peak. Fragmentation %s.%s\n",
            formatCount(static_cast<std::int64_t>(layout.offsets.size())).c_str(),
            formatMemory(layout.heightBytes).c_str(), formatMemory(layout.loadBytes).c_str(),
            formatShare(layout.fragmentation(), Rounding::Up).c_str(),
            found.boundBytes == layout.heightBytes ? " No layout is lower." : "");
        if (flags.output.given() && !flags.output.isStandard())
            say(to, "Saved to %s.\n", printable(flags.output.path).c_str());
    }
    return kDone;
}

bool isTable(const std::string &path)
{
    return path.ends_with(".csv");
}

/// A table of buffers instead of a model and a plan.
int runTable(const LayoutFlags &flags)
{
    if (!flags.plan.empty())
        return badInput({fmt::format("A table of buffers has no plan. Leave {} out.", flags.plan)});
    if (auto ready = flags.output.check({flags.model}, flags.json); !ready) return badInput(ready.error());
    const Expected<BufferTable> table = readBufferTable(std::filesystem::path(flags.model));
    if (!table) return badInput(table.error());
    const Expected<SearchedLayout> found = layOutAndCheck(table->instances, flags);
    if (!found) return badInput(found.error());
    return tell(flags, *found, bufferTableText(*table, found->layout));
}

int runLayout(const LayoutFlags &flags)
{
    if (isTable(flags.model)) return runTable(flags);
    if (flags.plan.empty()) return badInput({"A model needs a plan. `remat plan` makes one."});
    if (auto ready = flags.output.check({flags.model, flags.plan, flags.costs.profile}, flags.json); !ready)
        return badInput(ready.error());
    auto opened = openPlanWithCosts(flags.model, flags.plan, flags.costs);
    if (!opened) return opened.error().report(flags.json);
    const ModelWithCosts &subject = opened->subject;
    if (auto possible = simulate(subject.graph(), subject.costs, opened->plan.steps); !possible)
        return PlanRefusal{possible.error(), kNo}.report(flags.json);

    const auto instances = memoryInstances(subject.graph(), subject.costs, opened->plan.steps);
    const Expected<SearchedLayout> found = layOutAndCheck(instances, flags);
    if (!found) return badInput(found.error());
    return tell(flags, *found, toCsv(subject.graph(), instances, found->layout));
}

void addLayout(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<LayoutFlags>();
    CLI::App *command = app.add_subcommand("layout", "addresses for everything a plan allocates; height and "
                                                     "fragmentation");
    command
        ->add_option(
            "MODEL", flags->model,
            "trace (.pt2) or graph (.json); or a table of buffers as MiniMalloc has them (.csv), which needs no "
            "plan: id,lower,upper,size")
        ->required();
    command->add_option("PLAN", flags->plan, "plan (.json)");
    flags->output.add(*command, "CSV file to write: id, first step, step after the last, bytes, offset, kind, name");
    flags->costs.add(*command);
    addNumber(*command, "--time-limit", flags->timeLimit, 0, 1e9, "seconds to look for lower addresses");
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runLayout(*flags); }; });
}

} // namespace

const Command &command::layout()
{
    static const Command command = {.order = 110, .add = addLayout};
    return command;
}

} // namespace remat::cli
