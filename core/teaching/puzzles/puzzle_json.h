// SPDX-License-Identifier: Apache-2.0
// Puzzles as JSON, `remat-puzzle/1`: resources/puzzles/README.md says what is in them.
#pragma once

#include "core/base/expected.h"
#include "core/teaching/puzzles/puzzle.h"

#include <string_view>

namespace remat {

/// Reads a puzzle and its graph. A mistake becomes a sentence with its line and field:
/// `skip1.json, line 7: solution[3].op is "f9", which the graph does not have.`
Expected<Puzzle> parsePuzzle(std::string_view text, const std::filesystem::path &path);
Expected<Puzzle> readPuzzle(const std::filesystem::path &path);

/// The text of a file that reads back as the same puzzle. The graph stands in it where it has no file of its own.
std::string puzzleFileText(const Puzzle &puzzle);

/// The file that a name means: one that comes with the program, or a path.
std::filesystem::path puzzlePath(const std::string &name);

/// The puzzles that come with the program, by number. Files that cannot be read are left out; a test reads them all.
std::vector<Puzzle> readPuzzles();

} // namespace remat
