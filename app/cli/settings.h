// SPDX-License-Identifier: Apache-2.0
// What `--set` says.
#pragma once

#include "core/base/expected.h"

#include <map>
#include <string>
#include <vector>

namespace remat::cli {

/// Reads `KEY=VALUE` of each `--set`. Fails with a sentence on one that has no key or no value.
Expected<std::map<std::string, std::string>> parseSettings(const std::vector<std::string> &set);

} // namespace remat::cli
