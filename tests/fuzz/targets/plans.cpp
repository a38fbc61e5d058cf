// SPDX-License-Identifier: Apache-2.0
// What is for one graph: plans, profiles, decisions.
#include "tests/fuzz/targets/all.h"

#include "core/costs/profile_merge.h"
#include "core/io/file_kind.h"
#include "core/io/plan_header.h"
#include "core/io/plan_text.h"
#include "core/plan/pin_names.h"
#include "core/plan/simulator.h"
#include "tests/fuzz/exercise.h"

#include <sstream>

namespace remat::fuzz {

bool readPlanFile(std::string_view input)
{
    const Model &model = knownModel();
    const std::string path = fileOf(input);
    if (const auto header = parsePlanHeader(input, path); !header) refusedWith(header.error().message);
    kindOfBytes(input);
    const auto plan = readPlan(path, model.graph);
    if (!plan) return refusedWith(plan.error().message);
    exercisePlan(model, referenceCosts(model), *plan);
    return true;
}

bool readProfileFile(std::string_view input)
{
    const Model &model = knownModel();
    const auto profile = readProfile(fileOf(input), model.graph);
    if (!profile) return refusedWith(profile.error().message);
    const auto again = parseProfile(profileText(*profile, model.graph), "again", model.graph);
    require(again.has_value(), "a profile does not read back: " + (again ? "" : again.error().message));
    require(profileText(*again, model.graph) == profileText(*profile, model.graph), "a profile reads back as another");
    // With itself it is one of the same machine: what comes of that is a profile, too.
    const StoredProfile stored{*profile, std::vector<char>(model.graph.ops.size(), 1), {}};
    const auto merged = mergeProfiles(model, stored, stored);
    require(merged.has_value(), "a profile is not of its own machine: " + (merged ? "" : merged.error().message));
    const auto mergedAgain = parseProfile(profileText(*merged, model.graph), "merged", model.graph);
    require(mergedAgain.has_value(),
            "a merged profile does not read back: " + (mergedAgain ? "" : mergedAgain.error().message));
    doubtsOf(*merged, equalOps(model));
    const auto costs = profileCosts(model.graph, *profile, reference());
    if (!costs) return refusedWith(costs.error().message);
    exercisePlan(model, *costs, keepAllPlan(model.graph));
    return true;
}

/// `keep NAME`, `recompute NAME` and `never NAME`, one a line.
bool readPins(std::string_view input)
{
    const Graph &graph = knownModel().graph;
    PinNames names;
    std::istringstream lines{std::string(input)};
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = line.find(' ');
        const std::string name = space == std::string::npos ? line : line.substr(space + 1);
        (line.starts_with("k") ? names.keep : line.starts_with("r") ? names.recompute : names.never).push_back(name);
    }
    const auto pins = pinsByName(graph, names);
    if (!pins) return refusedWith(pins.error().message);
    const auto possible = checkPins(graph, *pins);
    if (!possible) return refusedWith(possible.error().message);
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        for (const Decision decision : {Decision::Keep, Decision::Recompute, Decision::Never, Decision::Clear})
            require(checkPins(graph, decide(graph, *pins, decision, {OpId(i)})).has_value(),
                    "a decision makes the others impossible");
    if (const auto why = pinsViolated(graph, keepAllPlan(graph).steps, *pins)) refusedWith(*why);
    return true;
}

} // namespace remat::fuzz
