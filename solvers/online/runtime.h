// SPDX-License-Identifier: Apache-2.0
// A training step as an eager framework with a memory limit would run it: ops one by one, storages evicted when memory
// runs out, and computed again when they are read after that.
#pragma once

#include "core/plan/plan.h"
#include "solvers/tools/flat.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace remat::online {

class Runtime;

/// Makes room. One object per run; the runtime calls it and it calls `Runtime::evict`.
class MemoryPolicy
{
public:
    virtual ~MemoryPolicy() = default;
    /// Makes room for everything that `op` makes (second copies of what is still there included) and its workspace, and
    /// takes it, evicting what must go. False when that is not possible.
    virtual bool allocate(Runtime &runtime, int op) = 0;
    /// The op has ended: its workspace and second copies go.
    virtual void endOp(Runtime &runtime, int op) = 0;
    /// A storage was evicted or has died.
    virtual void release(Runtime &runtime, int storage) = 0;
};

/// What becomes of a storage that nothing in the program refers to any more, and that came back as an ancestor.
enum class Ancestor {
    Stays,     ///< until it is evicted for something else (simulator of DTR's authors)
    GoesAtOnce ///< it is locked until the last of what it came back for has run, with all else that is needed then, and
               ///< goes (code of Coop's authors)
};

/// How a run ended.
enum class RunEnd { Done, OutOfMemory, Thrashing, Stopped };

/// Kirisame et al., Dynamic Tensor Rematerialization, ICLR 2021, with eager eviction (§2 and appendix C): a storage
/// that nothing in the program refers to any more is evicted at once, and may come back as an ancestor of another. The
/// program is the graph in its order; a storage is referred to until its last reader has run, outputs of the graph
/// until the end. What may be computed only once is never evicted, and dies when nothing can need it any more.
class Runtime
{
public:
    /// Time spent on recomputation is limited to `thrashLimit` times the time of all ops.
    Runtime(const FlatGraph &flat, MemoryPolicy &policy, double thrashLimit, Ancestor ancestor = Ancestor::Stays);

    RunEnd run(const std::function<bool()> &shouldStop);
    /// What was computed and freed, in order; a plan when the run is done.
    const std::vector<Step> &steps() const { return m_steps; }
    /// The op that could not run; -1 when the run is done.
    int failedOp() const { return m_failedOp; }

    // What policies look at.
    const FlatGraph &flat() const { return m_flat; }
    bool isThere(int storage) const { return m_states[storage].there; }
    /// Storages that may be evicted now; the one that became evictable first comes first.
    const std::vector<int> &pool() const { return m_pool; }
    bool evictable(int storage) const { return m_states[storage].inPool; }
    /// Clock less last access, in µs.
    double stalenessUs(int storage) const { return m_clockUs - m_states[storage].lastAccessUs; }
    double lastAccessUs(int storage) const { return m_states[storage].lastAccessUs; }
    /// Made once, and not there any more.
    bool evicted(int storage) const { return m_states[storage].made && !m_states[storage].there; }
    void evict(int storage);

    /// Tells who keeps figures about evicted storages that one was evicted, or is there again.
    std::function<void(int storage)> onEvicted, onBack;

private:
    struct State {
        bool made = false, there = false, inPool = false;
        int locks = 0;
        double lastAccessUs = 0;
    };
    /// An op that is to be computed, and those of its inputs that have to come back first.
    struct Frame {
        int op = 0;
        std::vector<int> missing;
        std::size_t next = 0;
    };

    RunEnd materialise(int op, const std::function<bool()> &shouldStop);
    RunEnd materialiseLocked(int target, const std::function<bool()> &shouldStop);
    std::vector<int> lockAllFor(int target);
    Frame begin(int op);
    RunEnd computeNext(int op, const std::function<bool()> &shouldStop);
    bool compute(int op);
    bool isDead(int storage) const;
    void lock(int storage);
    void unlock(int storage);
    void leave(int storage);
    void makeEvictable(int storage);

    const FlatGraph &m_flat;
    MemoryPolicy &m_policy;
    const Ancestor m_ancestor;
    double m_limitUs = 0;
    std::vector<State> m_states;
    std::vector<int> m_pool;
    std::vector<char> m_computed;     ///< per op
    std::vector<int> m_lastReference; ///< per storage the op after whose first computation nothing refers to it
    std::vector<std::vector<int>> m_diesAfter; ///< per op: those storages
    std::vector<Step> m_steps;
    double m_clockUs = 0, m_recomputedUs = 0;
    int m_failedOp = -1;
};

} // namespace remat::online
