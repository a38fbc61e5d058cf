// SPDX-License-Identifier: Apache-2.0
// remat profile: measures every op through LibTorch; or compares or merges two such measurements.
#include "app/cli/command.h"
#include "app/cli/here.h"
#include "app/cli/number_option.h"
#include "app/cli/output.h"
#include "app/cli/progress_bar.h"
#include "app/cli/run_flags.h"
#include "app/cli/stored_profiles.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/costs/profile_merge.h"
#include "core/io/plan_text.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace remat::cli {

namespace {

struct ProfileFlags {
    std::string model;
    std::vector<std::string> compared, merged; ///< two files each, or none
    Output output;
    RunFlags run;
    SamplingLimits limits;
    std::string spread = "2%";
    bool json = false;
};

/// `2%` as a share. Fails with a sentence.
Expected<double> readSpread(const std::string &text)
{
    std::string_view digits = text;
    if (digits.ends_with('%')) digits.remove_suffix(1);
    const auto percent = readTypedNumber(digits);
    if (percent && *percent > 0 && *percent <= 100) return *percent / 100;
    return fail("--spread {} is no share above 0% and up to 100%. Write it as in --spread 2%.", text);
}

/// What planning makes of the difference between whole steps and the sum of their ops.
std::string correctionText(const StepCorrection &correction)
{
    if (correction.scale == 1 && correction.addUs == 0)
        return "no further from the sum of the ops than from each other: ops count as measured";
    return fmt::format("planning scales ops by {} and adds {} each for what lies between them",
                       shortNumber(correction.scale, 4), formatTimeUs(correction.addUs));
}

/// What was measured less well than it was asked to be.
std::vector<std::string> doubtTexts(const Profile &profile, const EqualOps &equal, const Graph &graph)
{
    std::vector<std::string> lines;
    const ProfileDoubts doubts = doubtsOf(profile, equal);
    if (doubts.above > 0)
        lines.push_back(fmt::format("{} distinct ops stayed above a spread of {}, {} of the time: most of all {}, {}; "
                                    "more steps (--repeats, --measure-seconds) or --merge help",
                                    formatCount(doubts.above), formatShare(profile.spreadLimit),
                                    formatShare(doubts.timeShare), graph.op(doubts.worstOp).name,
                                    formatShare(doubts.worst)));
    if (doubts.outliers > 0)
        lines.push_back(fmt::format("{} of {} single times lie far off their median, which they hardly move",
                                    formatCount(doubts.outliers), formatCount(doubts.samples)));
    return lines;
}

nlohmann::json linkJson(const Profile &profile)
{
    const LinkFit fit = fitLink(profile.link);
    nlohmann::json copies = nlohmann::json::array();
    for (const LinkSpeed &speed : profile.link)
        copies.push_back({{"bytes", speed.bytes}, {"to_host_us", speed.toHostUs}, {"to_device_us", speed.toDeviceUs}});
    return {{"copies", std::move(copies)}, {"bytes_per_second", fit.bytesPerSecond}, {"latency_us", fit.latencyUs}};
}

/// Writes the profile where it is to go, and says what it holds.
int give(const Profile &profile, const Model &model, const ProfileFlags &flags)
{
    if (auto written = flags.output.write(profileText(profile, model.graph)); !written)
        return badInput(written.error());
    const EqualOps equal = equalOps(model);
    const StepTimes &step = profile.step;
    const StepCorrection correction = stepCorrection(profile);
    const double sumUs = sumOfOpsUs(profile);
    const double keepAllUs = sumUs * correction.scale + correction.addUs * static_cast<double>(profile.ops.size());
    if (flags.json) {
        const ProfileDoubts doubts = doubtsOf(profile, equal);
        printJson({{"device", profile.device},
                   {"device_title", profile.deviceTitle},
                   {"torch", profile.torchVersion},
                   {"ops", profile.ops.size()},
                   {"distinct_ops", equal.classes},
                   {"ops_time_us", sumUs},
                   {"keep_all_time_us", keepAllUs},
                   {"steps", profile.repeats},
                   {"step", {{"time_us", step.timeUs}, {"spread_us", step.spreadUs}, {"between_us", step.betweenUs}}},
                   {"step_correction", {{"scale", correction.scale}, {"add_us", correction.addUs}}},
                   {"spread_limit", profile.spreadLimit},
                   {"above_limit", {{"ops", doubts.above}, {"time_share", doubts.timeShare}, {"worst", doubts.worst}}},
                   {"samples", doubts.samples},
                   {"outliers", doubts.outliers},
                   {"link", linkJson(profile)},
                   {"clocks",
                    {{"known", profile.clocks.known()},
                     {"governor", profile.clocks.governor},
                     {"least_mhz", profile.clocks.leastMhz},
                     {"most_mhz", profile.clocks.mostMhz},
                     {"memory_mhz", profile.clocks.memoryMhz}}},
                   {"alias_mismatches", profile.aliasMismatches},
                   {"output", flags.output.path}});
        return kDone;
    }
    std::FILE *to = flags.output.notes();
    say(to, "%s ops measured on %s, %s together; %s of them are distinct, equal ones share their times\n",
        formatCount(static_cast<std::int64_t>(profile.ops.size())).c_str(), printable(profile.deviceTitle).c_str(),
        formatTimeUs(sumUs).c_str(), formatCount(equal.classes).c_str());
    say(to, "  whole steps %s, %s of them, quartiles %s apart; %s\n", formatTimeUs(step.timeUs).c_str(),
        formatCount(profile.repeats).c_str(), formatTimeUs(step.spreadUs).c_str(), correctionText(correction).c_str());
    for (const std::string &line : doubtTexts(profile, equal, model.graph))
        say(to, "  %s\n", printable(line).c_str());
    const LinkFit fit = fitLink(profile.link);
    say(to, "  link        %s\n", fit.known() ? linkText(fit).c_str() : "unknown: that of a device file counts");
    say(to, "  clocks      %s\n", printable(clocksText(profile.clocks)).c_str());
    for (const std::string &mismatch : profile.aliasMismatches)
        say(to, "  %s\n", printable(mismatch).c_str());
    if (!flags.output.isStandard()) say(to, "  saved       %s\n", printable(flags.output.path).c_str());
    return kDone;
}

Expected<Profile> merged(const Model &model, const std::string &a, const std::string &b)
{
    const auto ofA = readStoredProfile(a, model.graph);
    if (!ofA) return tl::unexpected(ofA.error());
    const auto ofB = readStoredProfile(b, model.graph);
    if (!ofB) return tl::unexpected(ofB.error());
    return mergeProfiles(model, *ofA, *ofB);
}

int runProfile(ProfileFlags flags)
{
    if (!flags.compared.empty())
        return compareStoredProfiles(flags.model, flags.compared.front(), flags.compared.back(), flags.json);
    if (!flags.output.given())
        return badInput({"The profile needs a file to go to: name it with -o. Two that are there already are compared "
                         "with --compare A.json B.json, and become one with --merge A.json B.json -o C.json."});
    const auto spread = readSpread(flags.spread);
    if (!spread) return badInput(spread.error());
    flags.limits.spread = *spread;
    std::vector<std::string> inputs = flags.merged;
    inputs.push_back(flags.model);
    if (auto ready = flags.output.check(inputs, flags.json); !ready) return badInput(ready.error());
    auto model = readModel(flags.model);
    if (!model) return badInput(model.error());
    const Expected<Profile> profile = [&]() -> Expected<Profile> {
        if (!flags.merged.empty()) return merged(*model, flags.merged.front(), flags.merged.back());
        ProgressBar bar;
        return profileModel(*model, flags.run.runDevice(), flags.limits, flags.run.context(bar));
    }();
    if (!profile) return badInput(profile.error());
    if (flags.merged.empty() && flags.run.runDevice() != RunDevice::Simulated) rememberProfile(*model, *profile);
    return give(*profile, *model, flags);
}

void addProfile(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<ProfileFlags>();
    CLI::App *command = app.add_subcommand("profile", "measures time and workspace of every op; or compares or "
                                                      "merges two profiles");
    command->add_option("MODEL", flags->model, "trace (.pt2); with --compare or --merge a graph (.json) too")
        ->required();
    flags->run.add(*command);
    addWhole(*command, "--repeats", flags->limits.mostSteps, 1, 1000,
             "most steps that are run; each times every op, and equal ops share their times")
        ->default_str(std::to_string(flags->limits.mostSteps));
    command
        ->add_option("--spread", flags->spread,
                     "ends once the standard error of each op's median time is below this share of it")
        ->capture_default_str();
    addNumber(*command, "--measure-seconds", flags->limits.mostSeconds, 0.001, 1e6,
              "no step begins after so many seconds, but three run in any case");
    CLI::Option *output = flags->output.add(*command, "profile file to write");
    CLI::Option *compare =
        command
            ->add_option("--compare", flags->compared,
                         "two profiles of the model (.json): measures nothing, but says what differs between them, by "
                         "kind of op and by op")
            ->type_name("A B")
            ->expected(2)
            ->excludes(output);
    command
        ->add_option("--merge", flags->merged,
                     "two profiles of the model (.json), of the same device and versions: measures nothing, but writes "
                     "what they say together")
        ->type_name("A B")
        ->expected(2)
        ->excludes(compare);
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runProfile(*flags); }; });
}

} // namespace

const Command &command::profile()
{
    static const Command command = {.order = 120, .add = addProfile};
    return command;
}

} // namespace remat::cli
