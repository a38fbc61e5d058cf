// SPDX-License-Identifier: Apache-2.0
#include "app/cli/solve_flags.h"

#include "app/cli/interrupt.h"
#include "app/cli/number_option.h"
#include "app/cli/settings.h"
#include "solvers/tools/has_option.h"

#include <algorithm>
#include <thread>

namespace remat::cli {

void SolveFlags::add(CLI::App &command, const std::string &setText, const std::string &limitText)
{
    const auto list = [&](const char *flag, std::vector<std::string> &values, const std::string &text) {
        command.add_option(flag, values, text)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    };
    list("--set", set, setText);
    const std::string names = ": NAME of an op, a storage or a module; may be repeated";
    list("--keep", pins.keep, "stays on the device until its last use" + names);
    list("--recompute", pins.recompute, "is dropped after the forward pass and computed again" + names);
    list("--never", pins.never, "is never computed again" + names);
    addNumber(command, "--time-limit", timeLimitSeconds, 0.001, 1e6, limitText);
    addWhole(command, "--threads", threads, 1, 1024, "worker threads; default all cores");
    addSeed(command, "--seed", seed, "the same seed gives the same plan");
}

SolveContext SolveFlags::context() const
{
    SolveContext context;
    context.stop = &stopOnInterrupt();
    context.threads = threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    context.seed = seed;
    return context;
}

void setForUpdates(const Planner &planner, const Updates &updates, std::map<std::string, std::string> &settings)
{
    if (updates.onHost && hasOption(planner, "parameters")) settings.try_emplace("parameters", "on");
}

Expected<ChosenPlanner> SolveFlags::choose(const std::string &solver, const Updates &updates) const
{
    auto planner = findPlanner(solver);
    if (!planner) return tl::unexpected(planner.error());
    auto settings = parseSettings(set);
    if (!settings) return tl::unexpected(settings.error());
    setForUpdates(**planner, updates, *settings);
    auto options = makeOptions((*planner)->info.options, *settings);
    if (!options) return tl::unexpected(options.error());
    return ChosenPlanner{*planner, std::move(*options)};
}

} // namespace remat::cli
