// SPDX-License-Identifier: Apache-2.0
#include "core/costs/profile_comparison.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace remat {

namespace {

/// Sizes of copies that both have; the others say nothing of the difference.
std::vector<LinkDifference> differingLink(const Profile &a, const Profile &b)
{
    std::vector<LinkDifference> result;
    for (const LinkSpeed &ofA : a.link)
        for (const LinkSpeed &ofB : b.link)
            if (ofA.bytes == ofB.bytes && (ofA.toHostUs != ofB.toHostUs || ofA.toDeviceUs != ofB.toDeviceUs))
                result.push_back({ofA, ofB});
    return result;
}

std::vector<ProfileFact> differingFacts(const StoredProfile &a, const StoredProfile &b)
{
    const auto repeats = [](const Profile &profile) {
        return profile.repeats > 0 ? std::to_string(profile.repeats) : std::string();
    };
    const auto clocks = [](const Profile &profile) {
        return profile.clocks.known() ? clocksText(profile.clocks) : std::string();
    };
    const auto link = [](const Profile &profile) {
        const LinkFit fit = fitLink(profile.link);
        return fit.known() ? linkText(fit) : std::string();
    };
    std::vector<ProfileFact> facts = {{"device", a.profile.device, b.profile.device},
                                      {"device title", a.profile.deviceTitle, b.profile.deviceTitle},
                                      {"PyTorch", a.profile.torchVersion, b.profile.torchVersion},
                                      {"written by", a.writtenBy, b.writtenBy},
                                      {"repeats", repeats(a.profile), repeats(b.profile)},
                                      {"clocks", clocks(a.profile), clocks(b.profile)},
                                      {"link", link(a.profile), link(b.profile)}};
    std::erase_if(facts, [](const ProfileFact &fact) { return fact.a == fact.b; });
    return facts;
}

template <class Difference>
void sortByChange(std::vector<Difference> &differences)
{
    std::stable_sort(differences.begin(), differences.end(), [](const Difference &x, const Difference &y) {
        return std::abs(x.changeUs()) > std::abs(y.changeUs());
    });
}

} // namespace

bool ProfileComparison::stepsBeyondSpread() const
{
    return std::abs(stepChangeUs()) > aStep.spreadUs + bStep.spreadUs;
}

bool OpDifference::beyondSpread() const
{
    return std::abs(changeUs()) > a.spreadUs + b.spreadUs;
}

ProfileComparison compareProfiles(const Graph &graph, const StoredProfile &a, const StoredProfile &b)
{
    ProfileComparison result;
    result.facts = differingFacts(a, b);
    result.link = differingLink(a.profile, b.profile);
    result.aStep = a.profile.step;
    result.bStep = b.profile.step;
    std::unordered_map<std::string, std::size_t> rowOfKind;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (a.measured[i] != b.measured[i]) (a.measured[i] ? result.onlyA : result.onlyB).emplace_back(i);
        if (!a.measured[i] || !b.measured[i]) continue;
        const OpMeasurement &ofA = a.profile.ops[i], &ofB = b.profile.ops[i];
        ++result.shared;
        result.aUs += ofA.timeUs;
        result.bUs += ofB.timeUs;
        const std::string &kind = graph.ops[i].kind;
        const auto [row, isNew] = rowOfKind.emplace(kind, result.kinds.size());
        if (isNew) result.kinds.push_back({kind});
        KindDifference &sum = result.kinds[row->second];
        ++sum.ops;
        sum.aUs += ofA.timeUs;
        sum.bUs += ofB.timeUs;
        if (ofA.timeUs != ofB.timeUs || ofA.workspaceBytes != ofB.workspaceBytes)
            result.ops.push_back({OpId(i), ofA, ofB});
    }
    std::erase_if(result.kinds, [](const KindDifference &kind) { return kind.aUs == kind.bUs; });
    sortByChange(result.kinds);
    sortByChange(result.ops);
    return result;
}

} // namespace remat
