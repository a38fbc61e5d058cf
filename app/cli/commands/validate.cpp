// remat validate: runs a plan for real and compares it with keep-all; the verdict goes into the plan file.
#include "app/cli/command.h"
#include "app/cli/progress_bar.h"
#include "app/cli/run_flags.h"

#include "core/base/units.h"
#include "core/plan/plan_verdict.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace remat::cli {

namespace {

struct ValidateFlags {
    std::string model, plan;
    std::string profile;
    RunFlags run;
    bool json = false;
};

nlohmann::json toJson(const ValidationRecord &record, const PlanVerdict &verdict)
{
    nlohmann::json differences = nlohmann::json::array();
    for (const TensorDifference &difference : record.differences)
        differences.push_back({{"name", difference.name}, {"largest_difference", difference.largestDifference}});
    return {{"passed", record.passed},
            {"verdict", levelName(verdict.level)},
            {"sentence", verdict.sentence},
            {"device", record.device},
            {"device_title", record.deviceTitle},
            {"torch", record.torchVersion},
            {"loss_equal", record.lossEqual},
            {"gradients", record.gradients},
            {"gradients_equal", record.gradientsEqual},
            {"buffers", record.buffers},
            {"buffers_equal", record.buffersEqual},
            {"largest_difference", record.largestDifference},
            {"differences", differences},
            {"measured_peak_bytes", record.measuredPeakBytes},
            {"measured_keep_all_peak_bytes", record.measuredKeepAllPeakBytes},
            {"predicted_peak_bytes", record.predictedPeakBytes},
            {"peak_reasons", record.peakReasons},
            {"measured_time_us", record.measuredTimeUs},
            {"measured_keep_all_time_us", record.measuredKeepAllTimeUs}};
}

void print(const ValidationRecord &record, const PlanVerdict &verdict)
{
    std::printf("%s on %s\n  %s\n", record.passed ? "Validated" : verdict.title.c_str(), record.deviceTitle.c_str(),
                verdict.sentence.c_str());
    std::printf("  peak        measured %s, predicted %s; keep-all measured %s\n",
                formatBytes(record.measuredPeakBytes, Rounding::Up).c_str(),
                formatBytes(record.predictedPeakBytes, Rounding::Up).c_str(),
                formatBytes(record.measuredKeepAllPeakBytes, Rounding::Up).c_str());
    std::printf("  time        %s; keep-all %s\n", formatTimeUs(record.measuredTimeUs).c_str(),
                formatTimeUs(record.measuredKeepAllTimeUs).c_str());
    for (const std::string &reason : record.peakReasons)
        std::printf("  %s\n", reason.c_str());
    for (const TensorDifference &difference : record.differences)
        std::printf("  %s differs by %g at most\n", difference.name.c_str(), difference.largestDifference);
}

int runValidate(const ValidateFlags &flags)
{
    CostFlags costs;
    costs.profile = flags.profile;
    auto opened = openPlanSession(flags.model, flags.plan, costs);
    if (!opened) return opened.error().report(flags.json);
    const Session &session = opened->session;
    const Verdict found = checkPlan(session.graph(), session.costs, opened->plan);
    if (!found.ok) {
        const std::string sentence = found.sentence + opened->doubt;
        if (flags.json)
            printJson({{"passed", false}, {"sentence", sentence}, {"step", found.step}});
        else
            std::printf("%s\n", sentence.c_str());
        return kNo;
    }
    Expected<ValidationRecord> record = [&] {
        ProgressBar bar;
        return validatePlan(*session.model, session.costs, opened->plan, flags.run.runDevice(), flags.run.context(bar));
    }();
    if (!record) return badInput(record.error());

    opened->plan.validated = *record;
    if (auto written = writePlan(flags.plan, opened->plan, session.graph()); !written) return badInput(written.error());
    const PlanVerdict verdict = planVerdict(verdictFacts(opened->plan, found));
    if (flags.json)
        printJson(toJson(*record, verdict));
    else
        print(*record, verdict);
    return record->passed ? kDone : kNo;
}

} // namespace

void addValidate(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<ValidateFlags>();
    CLI::App *command =
        app.add_subcommand("validate", "runs the plan; loss, gradients, peak and time against keep-all");
    command->add_option("MODEL", flags->model, "trace (.pt2)")->required();
    command->add_option("PLAN", flags->plan, "plan (.json); the verdict is written into it")->required();
    flags->run.add(*command);
    command->add_option("--profile", flags->profile, "the profile the plan was made with");
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runValidate(*flags); }; });
}

} // namespace remat::cli
