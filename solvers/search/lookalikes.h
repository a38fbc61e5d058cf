// SPDX-License-Identifier: Apache-2.0
// Ops that look alike: what is good for one layer may be good for the next.
#pragma once

#include "solvers/tools/flat.h"

#include <cstdint>
#include <vector>

namespace remat::search {

/// What two ops must have in common.
enum class Likeness : std::uint8_t {
    Exact,    ///< times and sizes, so that what is good for one is as good for the other
    Structure ///< kinds of ops alone, as in layers of other widths
};

/// Per op the number of its class: ops that cannot be told apart by what they are, what they read and who reads them,
/// two ops far. Classes are numbered as they are met. O(graph).
std::vector<int> classesOf(const FlatGraph &flat, Likeness likeness);

/// The classes of ops that are exactly alike, by their members. In a network of equal layers they stand one in each
/// layer; the backward pass meets the layers from the last to the first.
class Lookalikes
{
public:
    /// O(graph).
    explicit Lookalikes(const FlatGraph &flat);

    /// Members of the op's class, ascending.
    const std::vector<int> &alike(int op) const { return m_members[m_class[op]]; }
    /// Where the op stands among them.
    int place(int op) const { return m_place[op]; }
    /// The op that stands to `op` as one does to another that is `layers` layers later in the forward pass; -1 when
    /// there is none.
    int shifted(int op, int layers) const;

private:
    int m_forwardOps = 0;
    std::vector<int> m_class, m_place;
    std::vector<std::vector<int>> m_members;
};

} // namespace remat::search
