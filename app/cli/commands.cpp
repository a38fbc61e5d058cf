// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"

#include <algorithm>

namespace remat::cli {

std::vector<const Command *> commands()
{
    std::vector<const Command *> all = {
#define REMAT_COMMAND(name) &command::name(),
#include "command_list.inc"
#undef REMAT_COMMAND
    };
    std::sort(all.begin(), all.end(), [](const Command *a, const Command *b) { return a->order < b->order; });
    return all;
}

} // namespace remat::cli
