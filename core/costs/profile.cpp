// SPDX-License-Identifier: Apache-2.0
#include "core/costs/profile.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace remat {

double sumOfOpsUs(const Profile &profile)
{
    double sumUs = 0;
    for (const OpMeasurement &op : profile.ops)
        sumUs += op.timeUs;
    return sumUs;
}

double medianError(const OpMeasurement &op)
{
    return op.samples > 0 && op.timeUs > 0 ? medianErrorUs(op.spreadUs, op.samples) / op.timeUs : 0;
}

void takeTimes(OpMeasurement &op, const RepeatedTimes &times)
{
    op.timeUs = times.medianUs;
    op.spreadUs = times.spreadUs;
    op.samples = times.samples;
    op.outliers = times.outliers;
}

Clocks together(const Clocks &a, const Clocks &b)
{
    if (!a.known()) return b;
    if (!b.known()) return a;
    return {a.governor == b.governor ? a.governor : "", std::min(a.leastMhz, b.leastMhz),
            std::max(a.mostMhz, b.mostMhz), std::max(a.memoryMhz, b.memoryMhz)};
}

std::string clocksText(const Clocks &clocks)
{
    if (!clocks.known()) return "unknown";
    std::string text;
    const auto add = [&text](const std::string &part) { text += (text.empty() ? "" : ", ") + part; };
    const std::string least = fixedNumber(clocks.leastMhz, 0), most = fixedNumber(clocks.mostMhz, 0);
    if (clocks.mostMhz > 0) add((least == most ? most : fmt::format("{} to {}", least, most)) + " MHz");
    if (clocks.memoryMhz > 0) add(fmt::format("memory {} MHz", fixedNumber(clocks.memoryMhz, 0)));
    if (!clocks.governor.empty()) add("governor " + clocks.governor);
    return text;
}

ProfileDoubts doubtsOf(const Profile &profile, const EqualOps &equal)
{
    ProfileDoubts doubts;
    std::vector<char> seen(static_cast<std::size_t>(equal.classes));
    double aboveUs = 0;
    for (std::size_t op = 0; op < profile.ops.size(); ++op) {
        const OpMeasurement &measured = profile.ops[op];
        const double error = medianError(measured);
        const bool above = profile.spreadLimit > 0 && error > profile.spreadLimit;
        if (above) aboveUs += measured.timeUs;
        char &known = seen[static_cast<std::size_t>(equal.classOf[op])];
        if (known) continue;
        known = 1;
        doubts.samples += measured.samples;
        doubts.outliers += measured.outliers;
        if (!above) continue;
        ++doubts.above;
        if (error <= doubts.worst) continue;
        doubts.worst = error;
        doubts.worstOp = OpId(op);
    }
    const double sumUs = sumOfOpsUs(profile);
    doubts.timeShare = sumUs > 0 ? aboveUs / sumUs : 0;
    return doubts;
}

StepCorrection stepCorrection(const Profile &profile)
{
    const StepTimes &step = profile.step;
    const double sumUs = sumOfOpsUs(profile);
    if (step.timeUs <= 0 || sumUs <= 0 || std::abs(step.timeUs - sumUs) <= step.spreadUs) return {};
    constexpr double kMostScale = 2;
    const double betweenUs = std::min(step.betweenUs, step.timeUs);
    return {std::clamp((step.timeUs - betweenUs) / sumUs, 1 / kMostScale, kMostScale),
            betweenUs / static_cast<double>(profile.ops.size())};
}

Expected<CostTable> profileCosts(const Graph &graph, const Profile &profile, const Device &link)
{
    if (profile.fingerprint != graph.fingerprint || profile.ops.size() != graph.ops.size())
        return fail("The profile was measured for another graph ({}, {} ops) than {} ({} ops). Measure "
                    "this one with `remat profile`.",
                    quotedName(profile.graphName), profile.ops.size(), quotedName(graph.name), graph.ops.size());
    const StepCorrection correction = stepCorrection(profile);
    CostTable costs;
    for (const OpMeasurement &op : profile.ops) {
        costs.timeUs.push_back(op.timeUs * correction.scale + correction.addUs);
        costs.workspaceBytes.push_back(op.workspaceBytes);
    }
    Device measured = link;
    const LinkFit fit = fitLink(profile.link);
    if (fit.known()) {
        measured.linkBytesPerSecond = fit.bytesPerSecond;
        measured.linkLatencyUs = fit.latencyUs;
    }
    setLink(costs, measured);
    costs.linkMeasured = fit.known();
    setSource(costs, "profile", profile.deviceTitle.empty() ? profile.device : profile.deviceTitle);
    return costs;
}

} // namespace remat
