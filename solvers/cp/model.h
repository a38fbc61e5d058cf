// SPDX-License-Identifier: Apache-2.0
// A scheduling model with optional intervals as plain data, neutral of the solver.
#pragma once

#include "core/base/stop_token.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace remat::cp {

/// A 0/1 variable by its number, or what it is not.
using Literal = int;
constexpr Literal negated(Literal literal)
{
    return -literal - 1;
}

/// factor × variable + offset; the offset alone when `variable` is negative.
struct Affine {
    int variable = -1;
    std::int64_t factor = 1, offset = 0;
};

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// low ≤ Σ factor × variable ≤ high wherever all of `enforced` hold.
struct Linear {
    std::vector<Literal> enforced;
    std::vector<std::pair<int, std::int64_t>> terms; ///< variable, factor
    std::int64_t low = kLeast, high = kMost;
};

/// One of `literals` holds wherever all of `enforced` do.
struct AnyOf {
    std::vector<Literal> enforced, literals;
};

/// start + size = end, and `demand` is taken from start on until before end; nothing of it where it is not present.
struct Interval {
    int presence = -1; ///< a 0/1 variable; negative: always present
    Affine start, size, end;
    std::int64_t demand = 0;
};

/// minimise objective · x over whole x within their bounds that keep every row, with all intervals together nowhere
/// above `capacity`.
struct CpModel {
    std::vector<std::int64_t> low, high, objective; ///< by variable
    std::vector<Linear> linear;
    std::vector<AnyOf> anyOf;
    std::vector<Interval> intervals;
    Affine capacity;
    std::int64_t most = kMost;      ///< solutions whose objective is above it do not count
    std::vector<std::int64_t> hint; ///< by variable: where to look first; may be empty
    int told = 0;                   ///< solutions are told as the values of so many variables, the first ones

    int variables() const { return static_cast<int>(low.size()); }
    int addVariable(std::int64_t lowest, std::int64_t highest, std::int64_t cost = 0);
    Literal addBoolean(std::int64_t cost = 0) { return addVariable(0, 1, cost); }
};

/// Variables that may take more than two values.
int integerVariables(const CpModel &model);

/// The model as OR-Tools reads it: a CpModelProto in protobuf's text format. O(size). Nothing when `stop` says so.
std::optional<std::string> textOf(const CpModel &model, const StopCheck &stop = {});

} // namespace remat::cp
