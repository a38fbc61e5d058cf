// SPDX-License-Identifier: Apache-2.0
// What is fuzzed: one function per reader, over the bytes of one input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace remat::fuzz {

/// How inputs are built, which says how they are changed.
enum class Form {
    Bytes, ///< anything, such as the helper's messages with their lengths of 64 bits
    Text,  ///< words on a line
    Json,
    Zip
};

struct Target {
    const char *name; ///< name of its folders in corpus/ and failures/, too
    Form form;
    /// Reads the input and goes on with what was read. True when it was accepted, false when it was refused with a
    /// sentence; ends the process when something is not as it must be.
    bool (*run)(std::string_view input);
    std::vector<std::string> words = {}; ///< that the reader knows, for inputs made of them
    /// Good inputs that are made, not kept in corpus/: messages change with the structs in them.
    std::vector<std::string> (*made)() = nullptr;
};

/// All of them, in the order of their names.
const std::vector<Target> &targets();

/// What takes longest is done, too: pages and layouts. Always for files, and for one in so many of other inputs.
inline bool thorough = true;

/// Ends the process and says what is not as it must be.
[[noreturn]] void broken(const std::string &what);
inline void require(bool holds, const std::string &what)
{
    if (!holds) broken(what);
}

/// A sentence for a person: not empty, not longer than a screen, fit to be printed by `printable`. Gives false, so that
/// targets can return it.
bool refusedWith(const std::string &sentence);

/// The path of a file in memory that holds these bytes until the next call, for readers that want a path.
std::string fileOf(std::string_view bytes);

} // namespace remat::fuzz
