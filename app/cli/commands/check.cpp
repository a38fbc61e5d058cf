// remat check: the independent checker.
#include "app/cli/command.h"
#include "app/cli/output.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/plan/checker.h"

#include <nlohmann/json.hpp>

namespace remat::cli {

namespace {

struct CheckFlags {
    std::string model, plan;
    CostFlags costs;
    bool json = false;
};

int runCheck(const CheckFlags &flags)
{
    auto opened = openPlanSession(flags.model, flags.plan, flags.costs);
    if (!opened) return opened.error().report(flags.json);
    const Session &session = opened->session;
    const Verdict verdict = checkPlan(session.graph(), session.costs, opened->plan);
    const double overhead = session.keepAll.timeUs > 0 ? verdict.timeUs / session.keepAll.timeUs - 1 : 0;
    if (flags.json) {
        nlohmann::json object{{"ok", verdict.ok}, {"sentence", verdict.sentence}};
        if (verdict.ok) {
            object["peak_bytes"] = verdict.peakBytes;
            object["time_us"] = verdict.timeUs;
            object["overhead"] = overhead;
        } else {
            object["step"] = verdict.step;
        }
        printJson(object);
    } else if (verdict.ok) {
        say(stdout, "Every step was replayed. Peak %s (%s of keep-all%s), time %s, overhead %s.\n",
            formatBytes(verdict.peakBytes, Rounding::Up).c_str(),
            formatShare(static_cast<double>(verdict.peakBytes) / static_cast<double>(session.keepAll.peakBytes))
                .c_str(),
            session.graph().parametersPlanned ? ", parameters included" : "", formatTimeUs(verdict.timeUs).c_str(),
            formatShare(overhead).c_str());
    } else {
        say(stdout, "%s\n", printable(verdict.sentence).c_str());
    }
    return verdict.ok ? kDone : kNo;
}

} // namespace

void addCheck(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<CheckFlags>();
    CLI::App *command = app.add_subcommand("check", "the independent checker; exit 1 with the first violation");
    command->add_option("MODEL", flags->model, "trace (.pt2) or graph (.json)")->required();
    command->add_option("PLAN", flags->plan, "plan (.json)")->required();
    flags->costs.add(*command);
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runCheck(*flags); }; });
}

} // namespace remat::cli
