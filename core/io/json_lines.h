// SPDX-License-Identifier: Apache-2.0
// Where in a JSON text a value stands.
#pragma once

#include <string_view>

namespace remat {

/// The line, from 1, on which the value with this path begins; paths are as `JsonDocument` writes them:
/// `steps[2].task.done`. 0 where there is none, or the text is no JSON. O(text).
int lineOfPath(std::string_view text, std::string_view path);

} // namespace remat
