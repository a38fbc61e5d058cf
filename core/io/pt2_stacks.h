// SPDX-License-Identifier: Apache-2.0
// Python's stack traces in an archive of torch.export, which only those read who show them.
#pragma once

#include "core/base/expected.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

namespace remat {

struct PythonStacks {
    std::vector<std::string> traces;                 ///< each once; see python_stack.h
    std::unordered_map<std::string, std::size_t> of; ///< by the node's name, its place in `traces`

    /// The trace of a node, or of the one that a piece such as `mm#3` was cut from; null where there is none.
    const std::string *find(const std::string &node) const;
};

/// Fails as readPt2() does where the file is no archive of a trace. O(file). Any thread.
Expected<PythonStacks> readPythonStacks(const std::filesystem::path &path);

} // namespace remat
