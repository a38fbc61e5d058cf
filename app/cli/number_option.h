// SPDX-License-Identifier: Apache-2.0
// Options that take numbers: decimal, finite, within a range, or refused with a sentence.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

namespace remat::cli {

/// `value` holds the default, which help shows.
CLI::Option *addNumber(CLI::App &command, const std::string &flag, double &value, double least, double most,
                       const std::string &text);
CLI::Option *addWhole(CLI::App &command, const std::string &flag, int &value, int least, int most,
                      const std::string &text);
CLI::Option *addWhole(CLI::App &command, const std::string &flag, std::int64_t &value, std::int64_t least,
                      std::int64_t most, const std::string &text);
/// 0 to 2^64 - 1.
CLI::Option *addSeed(CLI::App &command, const std::string &flag, std::uint64_t &value, const std::string &text);

} // namespace remat::cli
