// SPDX-License-Identifier: Apache-2.0
// Two stored profiles of one graph, beside each other.
#pragma once

#include "core/costs/profile.h"

#include <string>
#include <vector>

namespace remat {

/// A profile as its file has it: ops may lack in it, and it says which program wrote it.
struct StoredProfile {
    Profile profile;
    std::vector<char> measured; ///< per op of the graph 1: the file has a measurement of it
    std::string writtenBy;      ///< program and version; empty where the file does not say
};

/// As readProfile(), but a file without some ops of the graph is read too.
Expected<StoredProfile> readStoredProfile(const std::filesystem::path &path, const Graph &graph);

/// Something about the runs that differs: device, versions, repeats, clocks, the speed of the link.
struct ProfileFact {
    std::string name;
    std::string a, b; ///< empty where a file does not say
};

/// All ops of one kind that both profiles measured.
struct KindDifference {
    std::string kind;
    int ops = 0;
    double aUs = 0, bUs = 0; ///< sums

    double changeUs() const { return aUs - bUs; }
};

/// One op that both profiles measured, and whose times or workspaces differ.
struct OpDifference {
    OpId op;
    OpMeasurement a, b;

    double changeUs() const { return a.timeUs - b.timeUs; }
    /// The times are further apart than both spreads together: more than a run's own noise.
    bool beyondSpread() const;
};

/// Copies of one size, in both.
struct LinkDifference {
    LinkSpeed a, b;
};

/// What two profiles measured otherwise. Changes are A − B: negative is less in A.
struct ProfileComparison {
    std::vector<ProfileFact> facts;    ///< only those that differ
    StepTimes aStep, bStep;            ///< whole steps of each, whether or not they differ
    std::vector<LinkDifference> link;  ///< sizes that both measured, and whose times differ
    int shared = 0;                    ///< ops that both measured
    double aUs = 0, bUs = 0;           ///< sums over those
    std::vector<KindDifference> kinds; ///< whose sums differ: the largest change of time first, whichever way
    std::vector<OpDifference> ops;     ///< in the same order; then those of which only the workspace differs
    std::vector<OpId> onlyA, onlyB;    ///< in the graph's order

    /// Both have measured whole steps.
    bool hasSteps() const { return aStep.timeUs > 0 && bStep.timeUs > 0; }
    double stepChangeUs() const { return aStep.timeUs - bStep.timeUs; }
    /// They are further apart than both spreads together.
    bool stepsBeyondSpread() const;
};

/// Both profiles are of `graph`. Equal changes stand in the graph's order. O(ops × log ops).
ProfileComparison compareProfiles(const Graph &graph, const StoredProfile &a, const StoredProfile &b);

} // namespace remat
