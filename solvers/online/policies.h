// SPDX-License-Identifier: Apache-2.0
// How memory is counted, and what is evicted for what.
#pragma once

#include "core/addresses/address_space.h"
#include "solvers/online/eviction_story.h"
#include "solvers/online/scores.h"

#include <map>

namespace remat::online {

/// Memory as a sum of bytes: the lowest score goes until everything the op needs fits. Among equal scores the one that
/// became evictable last goes; a score of zero goes at once (both as in the authors' simulator).
class CountingPolicy final : public MemoryPolicy
{
public:
    explicit CountingPolicy(std::int64_t budgetBytes) : m_budget(budgetBytes) {}
    void setScore(Score &score) { m_score = &score; }
    /// Told of every eviction, just before it; may be none.
    void setStory(EvictionStory *story) { m_story = story; }

    bool allocate(Runtime &runtime, int op) override;
    void endOp(Runtime &runtime, int op) override;
    void release(Runtime &runtime, int storage) override { m_used -= runtime.flat().bytes[storage]; }

private:
    std::int64_t m_budget = 0, m_used = 0, m_passing = 0;
    Score *m_score = nullptr;
    EvictionStory *m_story = nullptr;
};

/// What an address policy evicts when no free piece is large enough.
enum class Eviction {
    Single,          ///< DTR: the lowest score, one by one, wherever it lies
    SingleWithHoles, ///< DTE (Zheng et al., MegEngine): the same, but bytes count together with the free pieces beside
    Window           ///< Coop (Zhang et al., NeurIPS 2023, §3.2): the cheapest run of neighbours that is large enough
};

/// Memory as addresses. In a window costs are not divided by sizes, since the window already fixes them.
class AddressPolicy final : public MemoryPolicy
{
public:
    /// With `partition`, Coop places what dear ops make from the right end and the rest from the left (cheap tensor
    /// partitioning, §3.3), so that cheap windows lie together. The others, and Coop without it, take the smallest free
    /// piece that is large enough, as the allocators that they run on.
    AddressPolicy(std::int64_t budgetBytes, Eviction eviction, bool partition)
        : m_space(budgetBytes), m_eviction(eviction), m_partition(partition && eviction == Eviction::Window)
    {
    }
    void setScore(Score &score) { m_score = &score; }

    /// After a run that is done, before another one over the same addresses: outputs of the graph stay where they are
    /// until the next run makes them again. Coop writes them in place (recomputable in-place (section not known)), so
    /// that they never move; the others write them beside the old ones, which go then.
    void keepOutputs();
    /// Where what is there lies, by storage.
    const std::map<int, std::int64_t> &offsets() const { return m_offsets; }

    bool allocate(Runtime &runtime, int op) override;
    void endOp(Runtime &runtime, int op) override;
    void release(Runtime &runtime, int storage) override;

    /// Largest and mean share of memory that was free, yet in pieces too small, when something had to be evicted.
    double worstFragmentation() const { return m_worst; }
    double meanFragmentation() const { return m_events > 0 ? m_sum / m_events : 0; }

private:
    AddressEnd endFor(const Op &op) const;
    bool take(Runtime &runtime, std::int64_t bytes, int owner, AddressEnd end);
    bool makeRoom(Runtime &runtime, std::int64_t bytes);
    bool evictSingle(Runtime &runtime);
    bool evictWindow(Runtime &runtime, std::int64_t bytes);
    void recordFragmentation(std::int64_t wantedBytes);

    AddressSpace m_space;
    Eviction m_eviction;
    bool m_partition = false;
    Score *m_score = nullptr;
    std::map<int, std::int64_t> m_offsets; ///< offsets of storages that are there
    std::map<int, std::int64_t> m_before;  ///< offsets of outputs that the run before has left
    std::vector<std::int64_t> m_passing;   ///< offsets of workspace and second copies
    double m_worst = 0, m_sum = 0;
    int m_events = 0;
};

} // namespace remat::online
