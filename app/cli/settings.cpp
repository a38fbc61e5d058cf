// SPDX-License-Identifier: Apache-2.0
#include "app/cli/settings.h"

#include <fmt/core.h>

namespace remat::cli {

Expected<std::map<std::string, std::string>> parseSettings(const std::vector<std::string> &set)
{
    std::map<std::string, std::string> values;
    for (const std::string &item : set) {
        const std::size_t equals = item.find('=');
        if (equals == std::string::npos || equals == 0)
            return fail(
                fmt::format("--set {} has no value. Write --set KEY=VALUE; `remat solvers` lists the keys.", item));
        values[item.substr(0, equals)] = item.substr(equals + 1);
    }
    return values;
}

} // namespace remat::cli
