// SPDX-License-Identifier: Apache-2.0
#include "gpu/reference.h"

#include "core/base/memory_units.h"

#include <fmt/core.h>

namespace remat {

Expected<Reference> chooseReference(const Graph &graph, const CostTable &costs, const std::vector<Step> &keepAll,
                                    const std::vector<Step> &another, const std::vector<Step> &plan,
                                    std::int64_t roomBytes)
{
    const auto fits = [&](const Simulation &simulated) { return roomBytes < 0 || simulated.peakBytes <= roomBytes; };
    const Expected<Simulation> own = simulate(graph, costs, plan);
    if (!own) return tl::unexpected(own.error());
    const Expected<Simulation> all = simulate(graph, costs, keepAll);
    if (!all) return tl::unexpected(all.error());
    if (fits(*all)) return Reference{ReferenceKind::KeepAll, &keepAll, all->peakBytes};
    if (!another.empty()) {
        const Expected<Simulation> other = simulate(graph, costs, another);
        if (!other) return tl::unexpected(other.error());
        if (fits(*other) && other->peakBytes > own->peakBytes)
            return Reference{ReferenceKind::AnotherPlan, &another, other->peakBytes};
    }
    return Reference{ReferenceKind::Itself, &plan, own->peakBytes};
}

std::string referenceSentence(const Reference &reference, std::int64_t keepAllPeakBytes)
{
    if (reference.kind == ReferenceKind::KeepAll) return {};
    const std::string text =
        fmt::format("Keep-all would take {}, for which the device has no room, so the plan is compared with ",
                    formatMemory(keepAllPeakBytes));
    if (reference.kind == ReferenceKind::AnotherPlan)
        return fmt::format("{}another plan, of {}, that keeps more.", text, formatMemory(reference.peakBytes));
    return text +
           "a second run of itself: that shows that nothing is lost on the way, not that nothing is wrong in it.";
}

} // namespace remat
