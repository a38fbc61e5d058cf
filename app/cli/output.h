// SPDX-License-Identifier: Apache-2.0
// What a command says and where its result goes.
#pragma once

#include "core/base/expected.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace remat::cli {

/// As fprintf, on standard output or standard error; what could move the cursor of a terminal or turn the direction of
/// writing comes out as a space. Names stand in it as `printable()` makes them, so that they add no lines either.
[[gnu::format(printf, 2, 3)]] void say(std::FILE *to, const char *format, ...);

/// Standard streams that are closed are opened on nothing, so that no file takes their place. First thing in main().
void openStandardStreams();

/// `code`, or kBadInput with a sentence when standard output did not take everything. Nothing is said to a reader that
/// has gone (`| head`). Last thing in main().
int checkedOutput(int code);

/// What `-o` names: a file, or standard output for `-`.
class Output
{
public:
    std::string path;

    /// `-o`; `text` says what is written.
    CLI::Option *add(CLI::App &command, const std::string &text);
    bool given() const { return !path.empty(); }
    bool isStandard() const { return path == "-"; }
    /// Where a command speaks: standard error while its result goes to standard output.
    std::FILE *notes() const { return isStandard() ? stderr : stdout; }

    /// Before the work: fails with a sentence when the result could not be written, when it would replace one of
    /// `inputs` (empty ones do not count), or when `--json` wants standard output as well.
    Expected<void> check(const std::vector<std::string> &inputs, bool json) const;

    /// Nothing where there is no output.
    Expected<void> write(std::string_view content) const;
};

} // namespace remat::cli
