// SPDX-License-Identifier: Apache-2.0
// remat: the engine on the command line.
#include "app/cli/command.h"
#include "app/cli/output.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/version.h"

#include <exception>
#include <sstream>

namespace {

int run(int argc, char **argv)
{
    CLI::App app{
        "Plans rematerialization of PyTorch training graphs: opens a traced model, plans under a memory budget,\n"
        "checks the plan, runs it, and saves it.",
        "remat"};
    app.require_subcommand(1);
    app.set_version_flag("--version", "remat " + remat::programVersion());

    remat::cli::Action action;
    for (const remat::cli::Command *command : remat::cli::commands())
        command->add(app, action);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &ended) { // help and version as well
        std::ostringstream out, err;
        const int code = app.exit(ended, out, err);
        remat::cli::say(stdout, "%s", out.str().c_str());
        remat::cli::say(stderr, "%s", err.str().c_str());
        return code == 0 ? remat::cli::kDone : remat::cli::kBadInput;
    }
    return action();
}

} // namespace

int main(int argc, char **argv)
{
    remat::cli::openStandardStreams();
    remat::failOnTooLargeFiles();
    int code = remat::cli::kBadInput;
    try {
        code = run(argc, argv);
    } catch (const std::exception &exception) {
        remat::cli::say(stderr, "remat stopped on an unexpected failure: %s\n",
                        remat::printable(exception.what()).c_str());
    }
    return remat::cli::checkedOutput(code);
}
