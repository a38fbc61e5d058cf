// SPDX-License-Identifier: Apache-2.0
// Dropping a copy: its maker is computed again where it is read next, with whatever that takes.
#pragma once

#include "solvers/search/state.h"
#include "solvers/tools/random.h"

namespace remat::search {

/// Storages below this share of the peak are not worth a drop of their own.
constexpr double kTinyShare = 2e-5;
/// What a drop takes off is divided by the time it costs, and by no less than this.
constexpr double kLeastUs = 1e-3;

/// A drop brings its closure along. An input that is no longer there is held longer or computed again in turn,
/// whichever is cheaper at `price` µs per byte and slot over the budget; what is there anyway costs nothing. The idea
/// is the neighbourhood cost of DTR (Kirisame et al., ICLR 2021), here with the whole profile at hand.
class Drop
{
public:
    /// Without `random` every decision goes to the cheaper side; with it prices vary and some decisions are flipped.
    Drop(State &state, double priceUs, Random *random = nullptr) : m_state(state), m_price(priceUs), m_random(random) {}

    void setPrice(double priceUs) { m_price = priceUs; }
    double price() const { return m_price; }

    /// Adds (slot, op) and its closure; collects what became useless. Nothing changes when the step cannot be added.
    bool operator()(int slot, int op);
    /// About what it would cost in µs, memory that inputs are held longer for included; nothing is changed.
    double priceOf(int slot, int op) const;

private:
    void close(int slot, int op);
    double estimate(int slot, int op, double limitUs, int &visits) const;
    std::int64_t overflowFor(double us) const;
    /// The last step that made or read `storage` before `step`; none (0) when its copy is read again later anyway.
    bool mustBeHeldFor(int storage, Key step, Key &lastEvent) const;

    State &m_state;
    double m_price;
    Random *m_random;
    int m_added = 0;
};

/// A gap of a storage between two of its events, the second a read: what a drop closes.
struct Gap {
    int storage = 0;
    Key from = 0, to = 0;

    bool operator==(const Gap &) const = default;
};

/// Where a drop of that gap computes again: the slot of the read, or the last slot when it is the graph's end.
inline int dropSlot(const State &state, const Gap &gap)
{
    const int slot = slotOf(gap.to);
    return slot < state.flat().ops ? slot : slot - 1;
}

} // namespace remat::search
