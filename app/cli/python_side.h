// SPDX-License-Identifier: Apache-2.0
// Commands that the Python package carries out.
#pragma once

#include <string>
#include <vector>

namespace remat::cli {

/// Becomes `python -m remat_studio ARGUMENTS…` of the first Python that has the package `needs`; this program is the
/// `remat` that it calls. Returns only when that cannot be: kBadInput, after a sentence that ends with `advice`.
int becomePython(const std::vector<std::string> &arguments, const std::string &needs, const std::string &advice);

} // namespace remat::cli
