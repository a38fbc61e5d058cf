// SPDX-License-Identifier: Apache-2.0
// Two stored profiles beside each other: `remat profile --compare`.
#pragma once

#include <string>

namespace remat::cli {

/// Reads both files as profiles of the model and prints what differs, as text or as one JSON object. Returns the exit
/// code; a file that cannot be read, or is of another graph, gets its sentence.
int compareStoredProfiles(const std::string &modelPath, const std::string &a, const std::string &b, bool json);

} // namespace remat::cli
