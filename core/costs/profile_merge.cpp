// SPDX-License-Identifier: Apache-2.0
#include "core/costs/profile_merge.h"

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/costs/equal_ops.h"
#include "core/costs/repeated_times.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace {

Expected<void> checkSameMachine(const Profile &a, const Profile &b)
{
    const auto differs = [](const char *what, const std::string &ofA, const std::string &ofB) {
        const auto said = [](const std::string &fact) { return fact.empty() ? std::string("not said") : fact; };
        return fail(
            fmt::format("The profiles were measured apart: {} is {} in one and {} in the other. Only those of the same "
                        "device and versions can be merged; --compare sets the others beside each other.",
                        what, said(ofA), said(ofB)));
    };
    if (a.device != b.device) return differs("the device", a.device, b.device);
    if (a.deviceTitle != b.deviceTitle) return differs("the device", a.deviceTitle, b.deviceTitle);
    if (a.torchVersion != b.torchVersion) return differs("PyTorch", a.torchVersion, b.torchVersion);
    return {};
}

std::int64_t stepsOf(const Profile &profile)
{
    return std::max(1, profile.repeats);
}

/// Adds what one file says of each class. Where it pooled equal ops, each of them holds the samples of all.
void collect(const EqualOps &equal, const StoredProfile &stored, std::vector<std::vector<RepeatedTimes>> &runs)
{
    std::vector<char> taken(runs.size());
    for (std::size_t op = 0; op < stored.profile.ops.size(); ++op) {
        const auto at = static_cast<std::size_t>(equal.classOf[op]);
        if (!stored.measured[op] || (stored.profile.distinctOps > 0 && taken[at])) continue;
        taken[at] = 1;
        const OpMeasurement &measured = stored.profile.ops[op];
        const std::int64_t samples = measured.samples > 0 ? measured.samples : stepsOf(stored.profile);
        runs[at].push_back({measured.timeUs, measured.spreadUs, samples, measured.outliers});
    }
}

StepTimes mergedSteps(const Profile &a, const Profile &b)
{
    if (a.step.timeUs <= 0) return b.step;
    if (b.step.timeUs <= 0) return a.step;
    const auto ofA = static_cast<double>(stepsOf(a)), ofB = static_cast<double>(stepsOf(b));
    const RepeatedTimes whole =
        pooled({{a.step.timeUs, a.step.spreadUs, stepsOf(a), 0}, {b.step.timeUs, b.step.spreadUs, stepsOf(b), 0}});
    const auto between = [](const StepTimes &step) { return std::min(step.betweenUs, step.timeUs); };
    return {whole.medianUs, whole.spreadUs, (between(a.step) * ofA + between(b.step) * ofB) / (ofA + ofB)};
}

/// By size; a size that only one of them has is taken as it stands.
std::vector<LinkSpeed> mergedLink(const Profile &a, const Profile &b)
{
    std::vector<LinkSpeed> result = a.link;
    const auto ofA = static_cast<double>(stepsOf(a)), ofB = static_cast<double>(stepsOf(b));
    const auto mean = [&](double inA, double inB) { return (inA * ofA + inB * ofB) / (ofA + ofB); };
    for (const LinkSpeed &speed : b.link) {
        const auto at = std::lower_bound(result.begin(), result.end(), speed,
                                         [](const LinkSpeed &x, const LinkSpeed &y) { return x.bytes < y.bytes; });
        if (at == result.end() || at->bytes != speed.bytes)
            result.insert(at, speed);
        else
            *at = {speed.bytes, mean(at->toHostUs, speed.toHostUs), mean(at->toDeviceUs, speed.toDeviceUs)};
    }
    return result;
}

} // namespace

Expected<Profile> mergeProfiles(const Model &model, const StoredProfile &a, const StoredProfile &b)
{
    if (auto same = checkSameMachine(a.profile, b.profile); !same) return tl::unexpected(same.error());
    const EqualOps equal = equalOps(model);
    std::vector<std::vector<RepeatedTimes>> runs(static_cast<std::size_t>(equal.classes));
    collect(equal, a, runs);
    collect(equal, b, runs);

    Profile result = a.profile;
    result.fingerprint = model.graph.fingerprint;
    result.distinctOps = equal.classes;
    result.spreadLimit = std::max(a.profile.spreadLimit, b.profile.spreadLimit);
    result.repeats = static_cast<int>(
        std::min<std::int64_t>(kMaxRepeats, std::int64_t(a.profile.repeats) + std::int64_t(b.profile.repeats)));
    result.step = mergedSteps(a.profile, b.profile);
    result.link = mergedLink(a.profile, b.profile);
    result.clocks = together(a.profile.clocks, b.profile.clocks);
    for (const std::string &mismatch : b.profile.aliasMismatches)
        if (std::find(result.aliasMismatches.begin(), result.aliasMismatches.end(), mismatch) ==
            result.aliasMismatches.end())
            result.aliasMismatches.push_back(mismatch);
    std::vector<std::int64_t> mostWorkspace(runs.size()); // for ops that neither has: of an equal one
    for (std::size_t op = 0; op < result.ops.size(); ++op) {
        const std::int64_t bytes = std::max(a.profile.ops[op].workspaceBytes, b.profile.ops[op].workspaceBytes);
        std::int64_t &most = mostWorkspace[static_cast<std::size_t>(equal.classOf[op])];
        most = std::max(most, bytes);
        result.ops[op].workspaceBytes = bytes;
    }
    for (std::size_t op = 0; op < result.ops.size(); ++op) {
        const auto at = static_cast<std::size_t>(equal.classOf[op]);
        if (runs[at].empty())
            return fail("Neither profile has a measurement of the op {}, nor of one that is equal to it. "
                        "Measure the model with `remat profile`.",
                        quotedName(model.graph.ops[op].name));
        takeTimes(result.ops[op], pooled(runs[at]));
        if (!a.measured[op] && !b.measured[op]) result.ops[op].workspaceBytes = mostWorkspace[at];
    }
    return result;
}

} // namespace remat
