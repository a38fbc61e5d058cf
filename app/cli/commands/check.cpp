// remat check: the independent checker.
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "core/base/memory_units.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/plan/plan_verdict.h"

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
    const Plan &plan = opened->plan;
    const Verdict found = checkPlan(session.graph(), session.costs, plan);
    const VerdictFacts facts = verdictFacts(plan, found);
    VerdictFacts withoutRun = facts;
    withoutRun.run = nullptr;
    const PlanVerdict checked = planVerdict(withoutRun), all = planVerdict(facts);
    const std::string sentence = checked.sentence + (found.ok ? "" : opened->doubt);
    const double overhead = session.keepAll.timeUs > 0 ? found.timeUs / session.keepAll.timeUs - 1 : 0;
    if (flags.json) {
        nlohmann::json object{{"ok", found.ok},
                              {"sentence", sentence},
                              {"verdict", levelName(all.level)},
                              {"budget_bytes", plan.budgetBytes}};
        if (found.ok) {
            object["peak_bytes"] = found.peakBytes;
            object["time_us"] = found.timeUs;
            object["overhead"] = overhead;
            if (plan.validated) object["run"] = {{"title", all.title}, {"sentence", all.sentence}};
        } else {
            object["step"] = found.step;
        }
        printJson(object);
        return found.ok ? kDone : kNo;
    }
    say(stdout, "%s\n", printable(sentence).c_str());
    if (!found.ok) return kNo;
    say(stdout, "  peak        %s (%s of keep-all%s)\n", formatMemory(found.peakBytes).c_str(),
        formatMemoryShare(shareOf(found.peakBytes, session.keepAll.peakBytes)).c_str(),
        session.graph().parametersPlanned ? ", parameters included" : "");
    say(stdout, "  time        %s, overhead %s\n", formatTimeUs(found.timeUs).c_str(), formatShare(overhead).c_str());
    if (plan.validated) say(stdout, "  %s: %s\n", printable(all.title).c_str(), printable(all.sentence).c_str());
    return kDone;
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
