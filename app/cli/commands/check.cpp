// SPDX-License-Identifier: Apache-2.0
// remat check: the independent checker of plans, and what a certificate of training comes to.
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "core/base/memory_units.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/certificate.h"
#include "core/io/file_kind.h"
#include "core/plan/eager_verdict.h"
#include "core/plan/plan_verdict.h"

#include <nlohmann/json.hpp>

namespace remat::cli {

namespace {

struct CheckFlags {
    std::string model, plan, certificate;
    CostFlags costs;
    UpdateFlags updates;
    bool json = false;
};

void print(const Certificate &certificate, const Certified &found)
{
    const auto peak = [](std::int64_t bytes) { return formatMemory(bytes); };
    say(stdout, "%s\n", printable(found.sentence).c_str());
    say(stdout, "  graph       %s\n", printable(certificate.graphName).c_str());
    say(stdout, "  peak        %s measured, %s predicted", peak(certificate.measuredPeakBytes).c_str(),
        peak(certificate.predictedPeakBytes).c_str());
    if (certificate.outsideBytes > 0) say(stdout, " and %s beside the plan", peak(certificate.outsideBytes).c_str());
    if (certificate.plainPeakBytes) say(stdout, ", %s plainly", peak(*certificate.plainPeakBytes).c_str());
    say(stdout, "\n  time        %s measured, %s predicted", formatTimeUs(certificate.measuredSeconds * 1e6).c_str(),
        formatTimeUs(certificate.predictedTimeUs).c_str());
    if (certificate.plainPeakBytes) say(stdout, ", %s plainly", formatTimeUs(certificate.plainSeconds * 1e6).c_str());
    if (certificate.timeOverBound)
        say(stdout, "\n  bound       no plan in this order is faster by more than %s",
            formatShare(*certificate.timeOverBound, Rounding::Up).c_str());
    say(stdout, "\n  made with   %s, PyTorch %s, %s\n", printable(certificate.writtenBy).c_str(),
        printable(certificate.torchVersion).c_str(), printable(certificate.device).c_str());
}

nlohmann::json toJson(const Certificate &certificate, const Certified &found)
{
    nlohmann::json object{{"ok", found.holds},
                          {"sentence", found.sentence},
                          {"fingerprint", certificate.fingerprint},
                          {"budget_bytes", certificate.budgetBytes},
                          {"outside_bytes", certificate.outsideBytes},
                          {"predicted_peak_bytes", certificate.predictedPeakBytes},
                          {"measured_peak_bytes", certificate.measuredPeakBytes},
                          {"compared", certificate.compared},
                          {"different", certificate.different},
                          {"written_by", certificate.writtenBy},
                          {"torch", certificate.torchVersion}};
    if (certificate.equal) object["equal"] = *certificate.equal;
    return object;
}

/// Says what a certificate comes to; `isOf`: whether it is of the model and the plan that were given with it.
int runCertificate(const Certificate &certificate, const Expected<void> &isOf, bool json)
{
    const Certified found = isOf ? certified(certificate) : Certified{false, isOf.error().message};
    if (json)
        printJson(toJson(certificate, found));
    else
        print(certificate, found);
    return found.holds ? kDone : kNo;
}

int runCertificateOf(const CheckFlags &flags)
{
    const auto certificate = readCertificate(flags.certificate.empty() ? flags.model : flags.certificate);
    if (!certificate) return badInput(certificate.error());
    if (flags.certificate.empty()) return runCertificate(*certificate, {}, flags.json);
    const auto model = readModel(flags.model);
    if (!model) return badInput(model.error());
    if (flags.plan.empty())
        return runCertificate(*certificate, certificateIsOf(*certificate, model->graph, nullptr), flags.json);
    const auto plan = readPlanOf(model->graph, flags.plan);
    if (!plan) return plan.error().report(flags.json);
    return runCertificate(*certificate, certificateIsOf(*certificate, model->graph, &*plan), flags.json);
}

int runCheck(const CheckFlags &flags)
{
    if (!flags.certificate.empty() || (flags.plan.empty() && fileKind(flags.model) == FileKind::Certificate))
        return runCertificateOf(flags);
    if (flags.plan.empty()) return badInput({"Name the plan after the model: remat check MODEL PLAN."});
    auto opened = openPlanWithCosts(flags.model, flags.plan, flags.costs, flags.updates);
    if (!opened) return opened.error().report(flags.json);
    const ModelWithCosts &subject = opened->subject;
    const Plan &plan = opened->plan;
    const Verdict found = checkPlan(subject.graph(), subject.costs, plan);
    VerdictFacts facts = verdictFacts(plan, found);
    facts.model = &subject.asRead();
    VerdictFacts withoutRun = facts;
    withoutRun.run = nullptr;
    const PlanVerdict checked = planVerdict(withoutRun), all = planVerdict(facts);
    const std::string sentence = checked.sentence + (found.ok ? "" : opened->doubt);
    const double overhead = subject.base().timeUs > 0 ? found.timeUs / subject.base().timeUs - 1 : 0;
    const bool holds = found.ok && !eagerDiffers(subject.asRead());
    if (flags.json) {
        nlohmann::json object{{"ok", holds},
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
        return holds ? kDone : kNo;
    }
    say(stdout, "%s\n", printable(sentence).c_str());
    if (!found.ok) return kNo;
    say(stdout, "  peak        %s (%s of keep-all%s)\n", formatMemory(found.peakBytes).c_str(),
        formatMemoryShare(shareOf(found.peakBytes, subject.base().peakBytes)).c_str(),
        subject.graph().parametersPlanned ? ", parameters included" : "");
    say(stdout, "  time        %s, overhead %s\n", formatTimeUs(found.timeUs).c_str(), formatShare(overhead).c_str());
    if (plan.validated) say(stdout, "  %s: %s\n", printable(all.title).c_str(), printable(all.sentence).c_str());
    return holds ? kDone : kNo;
}

void addCheck(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<CheckFlags>();
    CLI::App *command = app.add_subcommand(
        "check", "whether a plan breaks a rule, by the independent checker; exit 1 with the first that it breaks");
    command
        ->add_option("MODEL", flags->model, "trace (.pt2) or graph (.json); alone, a certificate of training (.json)")
        ->required();
    command->add_option("PLAN", flags->plan, "plan (.json)");
    command->add_option("--certificate", flags->certificate,
                        "file of `verify` in training: what it certifies, and whether it is of MODEL and PLAN");
    flags->costs.add(*command);
    flags->updates.add(*command);
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runCheck(*flags); }; });
}

} // namespace

const Command &command::check()
{
    static const Command command = {.order = 60, .add = addCheck};
    return command;
}

} // namespace remat::cli
