// SPDX-License-Identifier: Apache-2.0
// Runs a target over many inputs, in children, and keeps every input that breaks something.
#pragma once

#include "tests/fuzz/target.h"

#include <cstdint>
#include <filesystem>
#include <map>

namespace remat::fuzz {

struct FuzzSettings {
    std::uint64_t seed = 1;
    std::int64_t inputs = 1000; ///< at most
    double seconds = 1e9;       ///< at most, of the clock
    bool blind = false;         ///< makes nothing of inputs that reached new code: to see what that is worth
    std::filesystem::path keep; ///< folder for what breaks something and for what reaches new code
};

struct FuzzFigures {
    std::int64_t inputs = 0, accepted = 0;
    std::size_t seeds = 0, found = 0; ///< files of the corpus, and inputs that reached new code
    std::size_t places = 0;           ///< basic blocks reached
    double seconds = 0;
    std::map<std::string, std::filesystem::path> failures; ///< by what was said: the smallest input that says it
};

/// Inputs made from the files of the target's folders, and from those among them that reached code that no other did.
/// The same seed gives the same inputs as long as nothing breaks.
FuzzFigures fuzz(const Target &target, const FuzzSettings &settings);

/// One input, in a child. Empty when nothing broke, else what was said. `accepted` says what the target gave.
std::string runInput(const Target &target, std::string_view input, bool &accepted);
/// The same for a file.
std::string runFile(const Target &target, const std::filesystem::path &file, bool &accepted);

/// The files of corpus/NAME and failures/NAME, by name.
std::vector<std::filesystem::path> filesOf(const Target &target);

} // namespace remat::fuzz
