// SPDX-License-Identifier: Apache-2.0
// One plan after another, each for a graph, a planner, a budget, pins and a device that a seed chose.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace remat::fuzz {

struct StressFigures {
    std::int64_t cases = 0;
    std::int64_t plans = 0;                               ///< made and judged
    std::int64_t infeasible = 0;                          ///< no plan, with a sentence
    std::int64_t refused = 0;                             ///< the planner does not apply to the graph, with a sentence
    std::int64_t pinned = 0, parameters = 0, devices = 0; ///< plans with pins, with planned parameters, on devices
    std::int64_t again = 0;                               ///< solved twice, and the same
    std::int64_t exact = 0;                               ///< held against every state there is
    std::int64_t bounds = 0;                              ///< held against the bounds that take a while
};

/// Makes case `number` and adds it to the figures. Ends the process with `broken` when an answer is wrong: a plan that
/// the checker refuses, over its budget, cheaper than a proven bound, that does not follow its pins, that reads back as
/// another or is then refused; a second answer to the same question; no plan where there is one by brute force.
void stress(std::uint64_t seed, std::int64_t number, StressFigures &figures);

/// What the case is, for people.
std::string caseText(std::uint64_t seed, std::int64_t number);

} // namespace remat::fuzz
