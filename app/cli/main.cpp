// remat: the engine on the command line.
#include "app/cli/command.h"

#include "core/base/file.h"
#include "core/base/version.h"

#include <cstdio>
#include <exception>

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
    remat::cli::addInfo(app, action);
    remat::cli::addCosts(app, action);
    remat::cli::addPlan(app, action);
    remat::cli::addSweep(app, action);
    remat::cli::addBound(app, action);
    remat::cli::addCheck(app, action);
    remat::cli::addLayout(app, action);
    remat::cli::addProfile(app, action);
    remat::cli::addValidate(app, action);
    remat::cli::addExport(app, action);
    remat::cli::addSolvers(app, action);
    remat::cli::addTorch(app, action);

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &success) {
        return app.exit(success);
    } catch (const CLI::ParseError &error) {
        app.exit(error);
        return remat::cli::kBadInput;
    }
    return action();
}

} // namespace

int main(int argc, char **argv)
{
    remat::failOnTooLargeFiles();
    try {
        return run(argc, argv);
    } catch (const std::exception &exception) {
        std::fprintf(stderr, "remat stopped on an unexpected failure: %s\n", exception.what());
        return remat::cli::kBadInput;
    }
}
