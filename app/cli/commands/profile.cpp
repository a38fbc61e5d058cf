// remat profile: measures every op through LibTorch.
#include "app/cli/command.h"
#include "app/cli/progress_bar.h"
#include "app/cli/run_flags.h"

#include "core/base/units.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace remat::cli {

namespace {

struct ProfileFlags {
    std::string model, output;
    RunFlags run;
    int repeats = 5;
    bool json = false;
};

int runProfile(const ProfileFlags &flags)
{
    auto model = readModel(flags.model);
    if (!model) return badInput(model.error());
    Expected<Profile> profile = [&] {
        ProgressBar bar;
        return profileModel(*model, flags.run.runDevice(), flags.repeats, flags.run.context(bar));
    }();
    if (!profile) return badInput(profile.error());
    if (auto written = writeProfile(flags.output, *profile, model->graph); !written) return badInput(written.error());

    double totalUs = 0;
    for (const OpMeasurement &op : profile->ops)
        totalUs += op.timeUs;
    if (flags.json) {
        printJson({{"device", profile->device},
                   {"device_title", profile->deviceTitle},
                   {"torch", profile->torchVersion},
                   {"ops", profile->ops.size()},
                   {"keep_all_time_us", totalUs},
                   {"alias_mismatches", profile->aliasMismatches},
                   {"output", flags.output}});
    } else {
        std::printf("%s ops measured on %s, %s a step\n",
                    formatCount(static_cast<std::int64_t>(profile->ops.size())).c_str(), profile->deviceTitle.c_str(),
                    formatTimeUs(totalUs).c_str());
        for (const std::string &mismatch : profile->aliasMismatches)
            std::printf("  %s\n", mismatch.c_str());
        std::printf("  saved       %s\n", flags.output.c_str());
    }
    return kDone;
}

} // namespace

void addProfile(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<ProfileFlags>();
    CLI::App *command = app.add_subcommand("profile", "measures time and workspace of every op");
    command->add_option("MODEL", flags->model, "trace (.pt2)")->required();
    flags->run.add(*command);
    command->add_option("--repeats", flags->repeats, "runs per op; the median counts")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("-o,--output", flags->output, "profile file to write")->required();
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runProfile(*flags); }; });
}

} // namespace remat::cli
