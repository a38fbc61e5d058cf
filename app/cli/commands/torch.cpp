// SPDX-License-Identifier: Apache-2.0
// remat torch: where LibTorch is, and the one command that gets it.
#include "app/cli/command.h"
#include "app/cli/output.h"

#include "core/base/text.h"
#include "gpu/torch_install.h"
#include "gpu/torch_location.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

namespace remat::cli {

namespace {

struct TorchFlags {
    bool install = false, cpu = false, cuda = false, json = false;
};

int showPlaces(const TorchFlags &flags)
{
    const std::vector<TorchPlace> places = torchPlaces();
    const Expected<TorchPlace> chosen = chooseTorch(places);
    if (flags.json) {
        nlohmann::json list = nlohmann::json::array();
        for (const TorchPlace &place : places)
            list.push_back({{"folder", place.folder.string()},
                            {"from", place.from},
                            {"version", place.version},
                            {"refusal", place.refusal}});
        printJson({{"built_for", builtTorchVersion()},
                   {"found", chosen ? chosen->folder.string() : ""},
                   {"sentence", chosen ? "" : chosen.error().message},
                   {"places", list}});
    } else if (chosen) {
        say(stdout, "LibTorch %s in %s (%s)\n", printable(chosen->version).c_str(),
            printable(chosen->folder.string()).c_str(), chosen->from.c_str());
    } else {
        say(stdout, "%s\n", printable(chosen.error().message).c_str());
    }
    return chosen ? kDone : kNo;
}

/// Becomes the script that installs. Returns only where that fails.
int install(const TorchFlags &flags)
{
    const TorchKind kind = flags.cuda ? TorchKind::Cuda : flags.cpu ? TorchKind::Cpu : torchKindWanted();
    Expected<TorchInstall> install = torchInstall(kind);
    if (!install) return badInput(install.error());
    say(stderr, "Getting LibTorch %s for %s into %s: a download of about %s.\n", install->version.c_str(),
        kind == TorchKind::Cuda ? "the GPU" : "the CPU", install->folder.c_str(), install->size.c_str());
    std::vector<char *> words{install->program.data()};
    for (std::string &argument : install->arguments)
        words.push_back(argument.data());
    words.push_back(nullptr);
    execv(install->program.c_str(), words.data());
    return badInput({"/bin/sh could not be started."});
}

void addTorch(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<TorchFlags>();
    CLI::App *command = app.add_subcommand("torch", "where LibTorch is, which runs graphs; --install gets it");
    CLI::Option *wanted = command->add_flag("--install", flags->install,
                                            "get it from PyPI into a folder of its own; says the size, asks nothing");
    CLI::Option *cpu = command->add_flag("--cpu", flags->cpu, "for the CPU alone, even where there is a GPU");
    command->add_flag("--cuda", flags->cuda, "with CUDA's libraries, even where there is no GPU")
        ->needs(wanted)
        ->excludes(cpu);
    cpu->needs(wanted);
    command->add_flag("--json", flags->json, "print one JSON object")->excludes(wanted);
    command->callback(
        [flags, &action] { action = [flags] { return flags->install ? install(*flags) : showPlaces(*flags); }; });
}

} // namespace

const Command &command::torch()
{
    static const Command command = {.order = 180, .add = addTorch};
    return command;
}

} // namespace remat::cli
