// SPDX-License-Identifier: Apache-2.0
// Code of pieces as loops: lines that do for each chunk what they do for the one before.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace remat::python {

/// What a variable stands for: piece `chunk` of the value `whole`.
struct PieceName {
    std::string whole;
    int chunk = 0;
};

/// The same code with loops where at least three chunks in a row do alike: `for chunk in range(2, 8):`. Variables that
/// no other chunk reads lose their number, others become elements of a list; numbers follow the chunk where they grow
/// by the same amount. Everything is computed in the order it had, from the same values. `lines` are statements of one
/// function with their indentation, `pieces` its variables of chunks by name, `newName` gives a name like the wanted
/// one that nothing has. O(lines × lines of a chunk).
std::vector<std::string> withLoops(const std::vector<std::string> &lines,
                                   const std::unordered_map<std::string, PieceName> &pieces,
                                   const std::function<std::string(const std::string &wanted)> &newName);

} // namespace remat::python
