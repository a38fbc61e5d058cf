// SPDX-License-Identifier: Apache-2.0
// Phases by name, as files and people write them.
#pragma once

#include "core/graph/graph.h"

#include <array>
#include <optional>
#include <string_view>

namespace remat {

inline constexpr std::array kPhases = {Phase::Forward, Phase::Loss, Phase::Backward};

constexpr const char *phaseName(Phase phase)
{
    return phase == Phase::Forward ? "forward" : phase == Phase::Loss ? "loss" : "backward";
}

/// None for any other name.
constexpr std::optional<Phase> phaseOf(std::string_view name)
{
    for (const Phase phase : kPhases)
        if (name == phaseName(phase)) return phase;
    return {};
}

} // namespace remat
