// SPDX-License-Identifier: Apache-2.0
// Ops that look alike: what is good for one layer may be good for the next.
#pragma once

#include "solvers/tools/flat.h"

#include <vector>

namespace remat::search {

/// Classes of ops that cannot be told apart by what they are, what they read and who reads them, two ops far. In a
/// network of equal layers the members of a class stand one in each layer; the backward pass meets the layers from the
/// last to the first.
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
