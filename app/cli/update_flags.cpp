// SPDX-License-Identifier: Apache-2.0
#include "app/cli/update_flags.h"

#include <vector>

namespace remat::cli {

void UpdateFlags::add(CLI::App &command)
{
    std::vector<std::string> names;
    names.reserve(knownOptimizers().size());
    for (const KnownOptimizer &known : knownOptimizers())
        names.emplace_back(known.name);
    command
        .add_option("--optimizer", optimizer,
                    "the step holds the updates of this optimizer: an op for each parameter, and states that count "
                    "and move as parameters do")
        ->check(CLI::IsMember(names));
    command.add_option("--optimizer-at", at, "right after each gradient, or when the backward pass has ended")
        ->check(CLI::IsMember({"gradient", "end"}))
        ->capture_default_str();
    command.add_option("--optimizer-on", on, "where updates run; on the host the states stay there")
        ->check(CLI::IsMember({"device", "host"}))
        ->capture_default_str();
}

Updates UpdateFlags::updates() const
{
    return {optimizer, at == "end" ? UpdateAt::End : UpdateAt::Gradient, on == "host"};
}

} // namespace remat::cli
