// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/knapsack.h"

#include <algorithm>
#include <limits>

namespace remat {

namespace {

/// The items before the break item fit, the break item does not any more.
struct Break {
    std::size_t item = 0;
    std::int64_t bytes = 0; ///< bytes of the items before
    double lostUs = 0;      ///< time lost by the break item and all after
};

Break findBreak(const std::vector<KnapsackItem> &items, std::int64_t capacityBytes)
{
    Break at;
    while (at.item < items.size() && items[at.item].bytes <= capacityBytes - at.bytes)
        at.bytes += items[at.item++].bytes;
    for (std::size_t i = at.item; i < items.size(); ++i)
        at.lostUs += items[i].us;
    return at;
}

/// A choice for the items decided so far; undecided ones before the break item are in, those after are out.
struct Partial {
    std::int64_t bytes = 0;
    double lostUs = 0;
};

/// The loss of any completion of `partial` is at least this: room left is filled at the rate of the best undecided
/// item outside, an excess is given up at the rate of the worst undecided item inside.
double completionLoss(const Partial &partial, std::int64_t capacityBytes, double rateOutside, double rateInside)
{
    const double room = static_cast<double>(capacityBytes - partial.bytes);
    return partial.lostUs - room * (room >= 0 ? rateOutside : rateInside);
}

/// Union of the choices with and without changing one item, less those that are not lighter nor cheaper than another.
/// Both lists are by rising bytes and falling loss, the result too.
void mergeUndominated(const std::vector<Partial> &a, std::int64_t shiftBytes, double shiftUs,
                      std::vector<Partial> &into)
{
    into.clear();
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < a.size()) {
        const Partial shifted = j < a.size() ? Partial{a[j].bytes + shiftBytes, a[j].lostUs + shiftUs} : Partial{};
        const bool plain =
            j == a.size() || (i < a.size() && (a[i].bytes < shifted.bytes ||
                                               (a[i].bytes == shifted.bytes && a[i].lostUs <= shifted.lostUs)));
        const Partial next = plain ? a[i] : shifted;
        ++(plain ? i : j);
        if (into.empty() || next.lostUs < into.back().lostUs) into.push_back(next);
    }
}

} // namespace

double fractionalLoss(const std::vector<KnapsackItem> &items, std::int64_t capacityBytes)
{
    const Break at = findBreak(items, capacityBytes);
    if (at.item == items.size()) return 0;
    return at.lostUs - static_cast<double>(capacityBytes - at.bytes) * items[at.item].usPerByte();
}

double smallestLoss(const std::vector<KnapsackItem> &items, std::int64_t capacityBytes, double enough,
                    std::size_t maxStates, const StopCheck &stop)
{
    const Break at = findBreak(items, capacityBytes);
    if (at.item == items.size()) return 0;

    double best = at.lostUs; // the best choice that fits
    std::int64_t room = capacityBytes - at.bytes;
    for (std::size_t i = at.item; i < items.size(); ++i) { // greedy: whatever still fits after the break item
        if (items[i].bytes > room) continue;
        room -= items[i].bytes;
        best -= items[i].us;
    }

    std::vector<Partial> states = {{at.bytes, at.lostUs}}, next;
    std::size_t in = at.item;  // items [in, at.item) before the break are decided
    std::size_t out = at.item; // items [at.item, out) from the break on are decided
    while (best > enough && (in > 0 || out < items.size())) {
        const bool addOutside = out < items.size() && (in == 0 || out - at.item <= at.item - in);
        const KnapsackItem &item = addOutside ? items[out++] : items[--in];
        if (addOutside)
            mergeUndominated(states, item.bytes, -item.us, next);
        else
            mergeUndominated(states, -item.bytes, item.us, next);

        const double rateOutside = out < items.size() ? items[out].usPerByte() : 0;
        const double rateInside = in > 0 ? items[in - 1].usPerByte() : std::numeric_limits<double>::infinity();
        for (const Partial &state : next)
            if (state.bytes <= capacityBytes) best = std::min(best, state.lostUs);
        states.clear();
        double open = best;
        for (const Partial &state : next) {
            const double loss = completionLoss(state, capacityBytes, rateOutside, rateInside);
            if (loss >= best) continue;
            states.push_back(state);
            open = std::min(open, loss);
        }
        if (states.empty()) break;
        if (states.size() > maxStates || (stop && stop())) return open;
    }
    return best;
}

} // namespace remat
