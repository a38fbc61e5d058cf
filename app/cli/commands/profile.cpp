// remat profile: measures every op through LibTorch; or sets two such measurements beside each other.
#include "app/cli/command.h"
#include "app/cli/number_option.h"
#include "app/cli/output.h"
#include "app/cli/progress_bar.h"
#include "app/cli/run_flags.h"
#include "app/cli/stored_profiles.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/plan_text.h"

#include <nlohmann/json.hpp>

namespace remat::cli {

namespace {

struct ProfileFlags {
    std::string model;
    std::vector<std::string> compared; ///< two files, or none
    Output output;
    RunFlags run;
    int repeats = 5;
    bool json = false;
};

/// What planning makes of the difference between whole steps and the sum of their ops.
std::string correctionText(const StepCorrection &correction)
{
    if (correction.scale == 1 && correction.addUs == 0)
        return "no further from the sum of the ops than from each other: ops count as measured";
    return "planning scales ops by " + shortNumber(correction.scale, 4) + " and adds " +
           formatTimeUs(correction.addUs) + " each for what lies between them";
}

int runProfile(const ProfileFlags &flags)
{
    if (!flags.compared.empty())
        return compareStoredProfiles(flags.model, flags.compared.front(), flags.compared.back(), flags.json);
    if (!flags.output.given())
        return badInput({"The profile needs a file to go to: name it with -o. Two that are there already are compared "
                         "with --compare A.json B.json."});
    if (auto ready = flags.output.check({flags.model}, flags.json); !ready) return badInput(ready.error());
    auto model = readModel(flags.model);
    if (!model) return badInput(model.error());
    Expected<Profile> profile = [&] {
        ProgressBar bar;
        return profileModel(*model, flags.run.runDevice(), flags.repeats, flags.run.context(bar));
    }();
    if (!profile) return badInput(profile.error());
    if (auto written = flags.output.write(profileText(*profile, model->graph)); !written)
        return badInput(written.error());

    const StepTimes &step = profile->step;
    const StepCorrection correction = stepCorrection(*profile);
    const double sumUs = sumOfOpsUs(*profile);
    const double keepAllUs = sumUs * correction.scale + correction.addUs * static_cast<double>(profile->ops.size());
    if (flags.json) {
        printJson({{"device", profile->device},
                   {"device_title", profile->deviceTitle},
                   {"torch", profile->torchVersion},
                   {"ops", profile->ops.size()},
                   {"ops_time_us", sumUs},
                   {"keep_all_time_us", keepAllUs},
                   {"step", {{"time_us", step.timeUs}, {"spread_us", step.spreadUs}, {"between_us", step.betweenUs}}},
                   {"step_correction", {{"scale", correction.scale}, {"add_us", correction.addUs}}},
                   {"alias_mismatches", profile->aliasMismatches},
                   {"output", flags.output.path}});
    } else {
        std::FILE *to = flags.output.notes();
        say(to, "%s ops measured on %s, %s together\n",
            formatCount(static_cast<std::int64_t>(profile->ops.size())).c_str(),
            printable(profile->deviceTitle).c_str(), formatTimeUs(sumUs).c_str());
        say(to, "  whole steps %s, quartiles %s apart; %s\n", formatTimeUs(step.timeUs).c_str(),
            formatTimeUs(step.spreadUs).c_str(), correctionText(correction).c_str());
        for (const std::string &mismatch : profile->aliasMismatches)
            say(to, "  %s\n", printable(mismatch).c_str());
        if (!flags.output.isStandard()) say(to, "  saved       %s\n", printable(flags.output.path).c_str());
    }
    return kDone;
}

} // namespace

void addProfile(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<ProfileFlags>();
    CLI::App *command = app.add_subcommand("profile", "measures time and workspace of every op; or compares two "
                                                      "profiles");
    command->add_option("MODEL", flags->model, "trace (.pt2); with --compare a graph (.json) too")->required();
    flags->run.add(*command);
    addWhole(*command, "--repeats", flags->repeats, 1, 1000, "runs per op; the median counts")
        ->default_str(std::to_string(flags->repeats));
    CLI::Option *output = flags->output.add(*command, "profile file to write");
    command
        ->add_option("--compare", flags->compared,
                     "two profiles of the model (.json): measures nothing, but says what differs between them, by kind "
                     "of op and by op")
        ->type_name("A B")
        ->expected(2)
        ->excludes(output);
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runProfile(*flags); }; });
}

} // namespace remat::cli
