// SPDX-License-Identifier: Apache-2.0
// remat export: a plan in the forms other programs read.
#include "app/cli/command.h"
#include "app/cli/output.h"

#include "core/base/text.h"
#include "core/exports/exporter.h"
#include "core/plan/checker.h"

#include <nlohmann/json.hpp>

namespace remat::cli {

namespace {

struct ExportFlags {
    std::string model, plan, format;
    Output output;
    CostFlags costs;
    bool json = false;
};

int runExport(const ExportFlags &flags)
{
    auto format = findExportFormat(flags.format);
    if (!format) return badInput(format.error());
    if (auto ready = flags.output.check({flags.model, flags.plan, flags.costs.profile}, flags.json); !ready)
        return badInput(ready.error());
    auto opened = openPlanWithCosts(flags.model, flags.plan, flags.costs);
    if (!opened) return opened.error().report(flags.json);
    const ModelWithCosts &subject = opened->subject;
    if (const Verdict verdict = checkPlan(subject.graph(), subject.costs, opened->plan); !verdict.ok)
        return PlanRefusal{{verdict.sentence}, kNo}.report(flags.json);
    auto text = (*format)->write({*subject.model, subject.costs, opened->plan});
    if (!text) return badInput(text.error());
    if (auto written = flags.output.write(*text); !written) return badInput(written.error());
    if (flags.output.isStandard()) return kDone;
    if (flags.json)
        printJson({{"format", (*format)->name}, {"file", flags.output.path}, {"bytes", text->size()}});
    else
        say(stdout, "Saved to %s: %s.\n", printable(flags.output.path).c_str(), (*format)->sentence.c_str());
    return kDone;
}

void addExport(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<ExportFlags>();
    std::string names;
    for (const ExportFormat &format : exportFormats())
        names += (names.empty() ? "" : ", ") + format.name;
    CLI::App *command = app.add_subcommand("export", "a plan for other programs: " + names);
    command->add_option("MODEL", flags->model, "trace (.pt2) or graph (.json)")->required();
    command->add_option("PLAN", flags->plan, "plan (.json)")->required();
    command->add_option("--as", flags->format, "one of " + names)->required();
    flags->output.add(*command, "file to write")->required();
    flags->costs.add(*command);
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runExport(*flags); }; });
}

} // namespace

const Command &command::export_plan()
{
    static const Command command = {.order = 140, .add = addExport};
    return command;
}

} // namespace remat::cli
