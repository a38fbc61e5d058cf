// SPDX-License-Identifier: Apache-2.0
// What evicting a storage would drag along: the evicted storages around it.
#pragma once

#include "solvers/online/runtime.h"

#include <vector>

namespace remat::online {

/// Which storages count as neighbours of one.
enum class Around {
    Both,  ///< inputs of its op, and outputs of its readers (DTR)
    Before ///< inputs of its op, and what that op makes beside it (code of Coop's authors)
};

/// The evicted neighbours of a storage, without twins.
std::vector<int> evictedNeighbours(const Runtime &runtime, int storage, Around around = Around::Both);

/// The evicted neighbourhood e* (Kirisame et al. 2021, §4.1): evicted ancestors that are needed to compute a storage
/// again, through evicted ones only, and evicted descendants that would need it. Sums are of distinct ops and kept
/// until an eviction or a return in the neighbourhood changes them.
class Neighbourhood
{
public:
    /// Connects itself to the runtime, which must outlive it.
    explicit Neighbourhood(Runtime &runtime);

    double ancestorsUs(int storage);
    double descendantsUs(int storage);

private:
    struct Sums {
        double ancestorsUs = 0, descendantsUs = 0;
        bool valid = false;
    };
    const Sums &sums(int storage);
    /// Visits what can be reached from a storage through evicted ones, upwards or downwards; calls `visit` for every
    /// storage met, evicted or not.
    template <class Visit>
    void walk(int storage, bool up, const Visit &visit);
    void forget(int storage);

    const Runtime &m_runtime;
    std::vector<Sums> m_sums;
    std::vector<int> m_seen, m_opSeen; ///< number of the walk that met it last
    int m_walk = 0;
    std::vector<int> m_stack;
};

/// The approximation h_DTR-eq makes (appendix C): evicted storages in classes of a union-find. Eviction joins a storage
/// with the classes of its evicted neighbours; a return takes its own cost out of its class and never splits it.
class EvictedClasses
{
public:
    explicit EvictedClasses(Runtime &runtime, Around around = Around::Both);
    /// Sum of the costs of the distinct classes next to a storage.
    double neighboursUs(int storage);

private:
    int root(int node);
    void add(int storage);
    void remove(int storage);

    const Runtime &m_runtime;
    const Around m_around;
    std::vector<int> m_node; ///< per storage; -1: not evicted
    std::vector<int> m_parent;
    std::vector<double> m_costUs; ///< costs at the roots
};

} // namespace remat::online
