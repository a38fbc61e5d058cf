// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/cut_points.h"

#include "core/clusters/pairing.h"

#include <algorithm>
#include <utility>

namespace remat::chain {

namespace {

/// Shares of all forward bytes: of one tiny storage, and of all ties together.
constexpr double kTinyShare = 1e-4, kTiesShare = 0.01;
/// Share of the forward ops that a tie skips over at least.
constexpr double kTieSpan = 0.25;

bool isForward(const FlatGraph &flat, int s)
{
    return flat.producer[s] >= 0 && flat.producer[s] < flat.forwardOps;
}

/// Last forward op that reads it; its producer when none does.
int lastForwardRead(const FlatGraph &flat, int s)
{
    int last = flat.producer[s];
    for (const int reader : flat.readers[s])
        if (reader < flat.forwardOps) last = reader;
    return last;
}

/// Marks masks, an encoder's result and the like: the longest first, as long as they are cheap to hold.
void markTies(const FlatGraph &flat, double forwardBytes, std::vector<char> &tiny)
{
    std::vector<std::pair<int, int>> ties; // ops skipped, negative; storage
    for (int s = 0; s < flat.storages(); ++s) {
        if (!isForward(flat, s) || tiny[s]) continue;
        const int span = lastForwardRead(flat, s) - flat.producer[s];
        if (span >= kTieSpan * flat.forwardOps) ties.emplace_back(-span, s);
    }
    std::sort(ties.begin(), ties.end());
    double held = 0;
    for (const auto &[span, s] : ties) {
        const double with = held + static_cast<double>(flat.bytes[s]);
        if (with > kTiesShare * forwardBytes) continue;
        held = with;
        tiny[s] = 1;
    }
}

} // namespace

std::vector<char> tinyStorages(const FlatGraph &flat)
{
    double all = 0;
    for (int s = 0; s < flat.storages(); ++s)
        if (isForward(flat, s)) all += static_cast<double>(flat.bytes[s]);
    std::vector<char> tiny(flat.storages(), 0);
    for (int s = 0; s < flat.storages(); ++s)
        tiny[s] = isForward(flat, s) && static_cast<double>(flat.bytes[s]) < kTinyShare * all ? 1 : 0;
    markTies(flat, all, tiny);
    return tiny;
}

std::vector<int> articulationPoints(const FlatGraph &flat)
{
    const std::vector<char> tiny = tinyStorages(flat);
    std::vector<int> crossing(flat.forwardOps + 1, 0);
    for (int s = 0; s < flat.storages(); ++s) {
        if (!isForward(flat, s) || tiny[s]) continue;
        const int made = flat.producer[s], last = lastForwardRead(flat, s);
        // Crosses every op strictly between its making and its last forward reader.
        if (last > made + 1) {
            ++crossing[made + 1];
            --crossing[last];
        }
    }
    std::vector<int> points;
    int open = 0;
    for (int i = 0; i + 1 < flat.forwardOps; ++i) {
        open += crossing[i];
        const bool heavy = std::any_of(flat.outputs[i].begin(), flat.outputs[i].end(), [&](int s) { return !tiny[s]; });
        if (open == 0 && heavy) points.push_back(i);
    }
    return points;
}

std::vector<int> allPoints(const FlatGraph &flat)
{
    std::vector<int> points;
    for (int i = 0; i + 1 < flat.forwardOps; ++i)
        points.push_back(i);
    return points;
}

std::vector<int> forwardStages(const FlatGraph &flat, const std::vector<int> &stage)
{
    const std::vector<OpId> twins = forwardTwins(*flat.graph);
    std::vector<int> wanted;
    wanted.reserve(flat.ops - flat.forwardOps);
    for (int z = flat.forwardOps; z < flat.ops; ++z) {
        int wish = -1;
        if (twins[z] && twins[z].value < flat.forwardOps)
            wish = stage[twins[z].value];
        else
            for (const int s : flat.inputs[z])
                if (flat.producer[s] < flat.forwardOps) wish = std::max(wish, stage[flat.producer[s]]);
        wanted.push_back(wish);
    }
    return wanted;
}

void labelBackward(const FlatGraph &flat, std::vector<int> &stage, int last)
{
    const std::vector<int> labels = fallingLabels(forwardStages(flat, stage), last);
    std::copy(labels.begin(), labels.end(), stage.begin() + flat.forwardOps);
}

std::vector<int> stagesOf(const FlatGraph &flat, const std::vector<int> &points)
{
    std::vector<int> stage(flat.ops, 0);
    std::size_t passed = 0;
    for (int i = 0; i < flat.forwardOps; ++i) {
        stage[i] = static_cast<int>(passed);
        if (passed < points.size() && points[passed] == i) ++passed;
    }
    labelBackward(flat, stage, static_cast<int>(points.size()));
    return stage;
}

ForwardChoice keepBorders(const FlatGraph &flat, const std::vector<int> &points)
{
    ForwardChoice choice;
    choice.segment = stagesOf(flat, points);
    choice.kept = tinyStorages(flat);
    const int last = static_cast<int>(points.size());
    for (int s = 0; s < flat.storages(); ++s) {
        if (!isForward(flat, s)) continue;
        const int made = choice.segment[flat.producer[s]];
        if (made == last) choice.kept[s] = 1;
        for (const int reader : flat.readers[s])
            if (reader < flat.forwardOps && choice.segment[reader] != made) choice.kept[s] = 1;
    }
    return choice;
}

} // namespace remat::chain
