// SPDX-License-Identifier: Apache-2.0
#include "core/graph/eager_comparison.h"

#include <algorithm>
#include <array>
#include <utility>

namespace remat {

namespace {

constexpr std::array kNames{std::pair{EagerVerdict::NotCompared, "not compared"},
                            std::pair{EagerVerdict::Equal, "equal"}, std::pair{EagerVerdict::Explained, "explained"},
                            std::pair{EagerVerdict::Different, "different"}};

} // namespace

const char *eagerVerdictName(EagerVerdict verdict)
{
    return kNames[static_cast<std::size_t>(verdict)].second;
}

std::optional<EagerVerdict> eagerVerdictOf(const std::string &name)
{
    const auto *known =
        std::find_if(kNames.begin(), kNames.end(), [&](const auto &each) { return each.second == name; });
    return known == kNames.end() ? std::nullopt : std::optional(known->first);
}

} // namespace remat
