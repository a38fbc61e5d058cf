// SPDX-License-Identifier: Apache-2.0
#include "core/views/comparison_text.h"

#include "core/base/bound_share.h"
#include "core/base/memory_units.h"
#include "core/base/number.h"
#include "core/base/units.h"

#include <cmath>
#include <cstdlib>

namespace remat {

namespace {

constexpr double kShownUs = 0.5; ///< that count as a difference to a person

std::string withSign(bool negative, const std::string &amount)
{
    return std::string(negative ? "−" : "+").append(amount);
}

/// What both do alike.
std::string bothSentence(const CompareSide &side, const Words &words)
{
    switch (side.state) {
    case NodeState::Kept:
        return words("Comparison", "Both keep it until the backward pass reads it.");
    case NodeState::Recomputed:
        return filled(words("Comparison", "Both drop it and compute it again, which costs %1."),
                      {formatTimeUs(side.recomputeUs)});
    case NodeState::Offloaded:
        return words("Comparison", "Both park it in host memory.");
    case NodeState::Mixed:
        return filled(words("Comparison", "Both keep a part and compute %1 of it again."),
                      {formatTimeUs(side.recomputeUs)});
    case NodeState::Freed:
        return words("Comparison", "Both free it after its last use.");
    case NodeState::Backward:
        break;
    }
    return {};
}

/// What one plan does, with its letter.
std::string sideSentence(const CompareSide &side, const std::string &letter, const Words &words)
{
    switch (side.state) {
    case NodeState::Kept:
        return side.recomputations > 0
                   ? filled(words("Comparison", "%1 keeps it and computes it again later, which costs %2."),
                            {letter, formatTimeUs(side.recomputeUs)})
                   : filled(words("Comparison", "%1 keeps it until the backward pass reads it."), {letter});
    case NodeState::Recomputed:
        return filled(words("Comparison", "%1 drops it and computes it again, which costs %2."),
                      {letter, formatTimeUs(side.recomputeUs)});
    case NodeState::Offloaded:
        return filled(words("Comparison", "%1 parks it in host memory."), {letter});
    case NodeState::Mixed:
        return filled(words("Comparison", "%1 keeps a part and computes %2 of it again."),
                      {letter, formatTimeUs(side.recomputeUs)});
    case NodeState::Freed:
        return filled(words("Comparison", "%1 frees it after its last use."), {letter});
    case NodeState::Backward:
        break;
    }
    return {};
}

/// With a digit or two more where the other one would be written alike and is not the same.
std::string distinctShare(double share, double other)
{
    const std::string text = formatShare(share);
    if (text != formatShare(other) || std::abs(share - other) <= kEqualShare) return text;
    constexpr int kMostDecimals = 4;
    for (int decimals = 2; decimals <= kMostDecimals; ++decimals) {
        const std::string longer = fixedNumber(100 * share, decimals);
        if (longer != fixedNumber(100 * other, decimals) || decimals == kMostDecimals)
            return longer + text.substr(text.find_first_not_of("0123456789.-"));
    }
    return text;
}

} // namespace

std::string signedBytes(std::int64_t bytes)
{
    return bytes == 0 ? "0" : withSign(bytes < 0, formatBytes(std::abs(bytes)));
}

std::string signedTime(double timeUs)
{
    return std::abs(timeUs) < kShownUs ? "0" : withSign(timeUs < 0, formatTimeUs(std::abs(timeUs)));
}

std::string signedPoints(double share)
{
    if (std::abs(share) < 5e-5) return "0";
    std::string number = formatShare(std::abs(share));
    number.replace(number.find('%'), 1, "pp");
    return withSign(share < 0, number);
}

std::string signedCount(std::int64_t count)
{
    return count == 0 ? "0" : withSign(count < 0, formatCount(std::abs(count)));
}

std::string stateWord(NodeState state, const Words &given)
{
    const Words &words = orEnglish(given);
    switch (state) {
    case NodeState::Kept:
        return words("Comparison", "Kept");
    case NodeState::Recomputed:
        return words("Comparison", "Recomputed");
    case NodeState::Offloaded:
        return words("Comparison", "Offloaded");
    case NodeState::Mixed:
        return words("Comparison", "Mixed");
    case NodeState::Freed:
        return words("Comparison", "Freed");
    case NodeState::Backward:
        break;
    }
    return words("Comparison", "Backward");
}

std::string rowSentence(const DifferenceRow &row, const std::string &other, const Words &given)
{
    const Words &words = orEnglish(given);
    const bool alike =
        row.a.state == row.b.state && std::abs(row.timeUs()) < kShownUs && row.a.recomputations == row.b.recomputations;
    std::string sentences;
    const auto add = [&](const std::string &sentence) {
        if (!sentences.empty() && !sentence.empty()) sentences += ' ';
        sentences += sentence;
    };
    if (alike) {
        add(bothSentence(row.a, words));
    } else {
        add(sideSentence(row.a, "A", words));
        add(sideSentence(row.b, other, words));
    }
    const auto held = [&](std::int64_t bytes) {
        return bytes > 0 ? formatBytes(bytes) : words("Comparison", "nothing");
    };
    if (row.a.heldBytes != row.b.heldBytes)
        add(filled(words("Comparison", "At its peak A holds %1 of it, %2 holds %3 at its own."),
                   {held(row.a.heldBytes), other, held(row.b.heldBytes)}));
    return sentences;
}

std::vector<FigureRow> figureRows(const PlanFigures &a, const PlanFigures &b, const Words &given)
{
    const Words &words = orEnglish(given);
    const auto bound = [](const PlanFigures &figures) {
        return figures.boundOverhead ? formatBoundShare(*figures.boundOverhead, figures.overhead) : "–";
    };
    const bool bounds = a.boundOverhead && b.boundOverhead;
    const bool faster = a.timeUs < b.timeUs - kShownUs;
    std::vector<FigureRow> rows = {
        {words("Summary", "Peak"), formatMemory(a.peakBytes), formatMemory(b.peakBytes),
         signedBytes(a.peakBytes - b.peakBytes), a.peakBytes < b.peakBytes,
         filled(words("Summary", "%1 and %2"), {formatExactBytes(a.peakBytes), formatExactBytes(b.peakBytes)})},
        {words("Summary", "Overhead"), distinctShare(a.overhead, b.overhead), distinctShare(b.overhead, a.overhead),
         signedPoints(a.overhead - b.overhead), faster,
         words("Summary", "How much longer a training step takes than with everything kept")},
        {words("Summary", "Lower bound"), bound(a), bound(b),
         bounds ? signedPoints(*a.boundOverhead - *b.boundOverhead) : "–", false,
         bounds ? words("Summary", "No plan within the same budget has less overhead")
                : words("Summary", "No bound was computed for one of the plans.")},
        {words("Summary", "Time"), formatTimeUs(a.timeUs), formatTimeUs(b.timeUs), signedTime(a.timeUs - b.timeUs),
         faster, words("Summary", "One training step, forward and backward")},
        {words("Summary", "Recomputed"), formatCount(a.recomputedOps), formatCount(b.recomputedOps),
         signedCount(a.recomputedOps - b.recomputedOps), false,
         words("Summary", "Ops that are computed more than once")},
        {words("Summary", "Kept for backward"), formatBytes(a.keptBytes), formatBytes(b.keptBytes),
         signedBytes(a.keptBytes - b.keptBytes), false,
         words("Summary", "All that is held from the forward to the backward pass")},
    };
    if (a.offloadedBytes > 0 || b.offloadedBytes > 0)
        rows.push_back({words("Summary", "Offloaded"), formatBytes(a.offloadedBytes), formatBytes(b.offloadedBytes),
                        signedBytes(a.offloadedBytes - b.offloadedBytes), false,
                        words("Summary", "All that is parked in host memory")});
    return rows;
}

} // namespace remat
