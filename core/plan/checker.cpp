// SPDX-License-Identifier: Apache-2.0
// The judge. It follows the life of every copy of every storage and adds memory up afterwards, over the whole plan at
// once, where the simulator keeps a running sum: a slip in one shows in the other. Nothing here comes from the
// simulator, the timeline or the liveness helpers.
#include "core/plan/checker.h"

#include "core/base/memory_units.h"
#include "core/base/number.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <map>
#include <optional>

namespace remat {

namespace {

constexpr double kTimeTolerance = 1e-6; ///< relative, between predicted and found time

/// A copy in device memory, from the step that allocates it to the step that ends it.
struct DeviceCopy {
    double usableUs = 0;   ///< its bytes are there
    double settledUs = 0;  ///< no transfer from or to it runs any more
    bool outdated = false; ///< the host has changed its own copy since
};

/// Everything that ever happened to one storage, as far as rules look at it.
struct StorageLife {
    std::optional<DeviceCopy> onDevice;
    std::optional<double> onHostUs; ///< the copy in host memory is complete, and no older than any other
    std::optional<std::size_t> freed;
    std::optional<std::size_t> changed; ///< the last step that updated it
    std::size_t changes = 0;            ///< so many did, of a sum since it was made last
    double hostReadUs = 0;              ///< no op on the host reads the copy there any more
    double changedUs = 0;               ///< the last update has ended
};

/// How the plan treats a storage that no op makes.
enum class ParameterPlace : std::uint8_t {
    Resident,       ///< always there and not counted; of made storages too, for which it says nothing
    BeginsOnDevice, ///< a planned parameter, also in host memory
    BeginsOnHost,   ///< a planned parameter, in host memory only
};

struct Broken {
    std::int64_t step = -1;
    std::string sentence;
};

class Judge
{
public:
    Judge(const Graph &graph, const CostTable &costs, const Plan &plan)
        : m_graph(graph),
          m_costs(costs),
          m_plan(plan),
          m_place(graph.storages.size(), ParameterPlace::Resident),
          m_lives(graph.storages.size()),
          m_timesComputed(graph.ops.size()),
          m_growth(plan.steps.size() + 1),
          m_onlyNow(plan.steps.size())
    {
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            for (const StorageId id : graph.ops[i].updates)
                m_updaters[id].emplace_back(i);
            if (const StorageId sum = graph.ops[i].into) m_updaters[sum].emplace_back(i);
        }
    }

    Verdict judge()
    {
        if (m_plan.parametersPlanned) setParametersOut();
        std::size_t judged = 0;
        std::optional<Broken> broken;
        while (judged < m_plan.steps.size() && !broken) {
            broken = follow(judged);
            if (!broken) ++judged;
        }
        Verdict verdict;
        verdict.timeUs = std::fmax(std::fmax(m_computeUs, m_hostUs), std::fmax(m_outUs, m_inUs));
        // A step over the budget comes before a broken rule, which can only be at the step after the judged ones.
        if (const std::optional<Broken> over = addUpMemory(judged, verdict.peakBytes)) broken = over;
        if (!broken) broken = atTheEnd();
        if (!broken) broken = ownFigures(verdict);
        verdict.ok = !broken;
        if (broken) {
            verdict.step = broken->step;
            verdict.sentence = broken->sentence;
        }
        return verdict;
    }

private:
    static Broken at(std::size_t step, const std::string &what)
    {
        return {static_cast<std::int64_t>(step), fmt::format("Step {} {}", step, what)};
    }

    static bool updates(const Op &op, StorageId id)
    {
        return std::find(op.updates.begin(), op.updates.end(), id) != op.updates.end();
    }

    /// Which parameters are planned, and where each one begins. An op that may be computed only once may be one that
    /// writes to what it reads, and then the copy in host memory would not be the same, unless it says what it updates.
    void setParametersOut()
    {
        std::vector<int> readBy(m_graph.storages.size(), 0);
        for (const Op &op : m_graph.ops)
            for (const StorageId id : op.inputs)
                readBy[id.index()] |= (op.computeOnce && op.updates.empty() ? 2 : 0) | (op.onHost ? 0 : 1);
        for (std::size_t s = 0; s < m_graph.storages.size(); ++s) {
            const Storage &storage = m_graph.storages[s];
            if ((storage.kind == StorageKind::Parameter || storage.kind == StorageKind::State) && readBy[s] == 1 &&
                !storage.isOutput)
                m_place[s] = ParameterPlace::BeginsOnDevice;
        }
        std::vector<char> alsoOnHost(m_graph.storages.size(), 2); // 2: no step says so yet
        // From the last step to the first, so that what stands in the end is what the first step on it says.
        for (std::size_t i = m_plan.steps.size(); i-- > 0;) {
            const Step &step = m_plan.steps[i];
            const auto touch = [&](StorageId id, ParameterPlace found) {
                if (id.value < 0 || static_cast<std::size_t>(id.value) >= m_place.size()) return;
                if (m_place[id.index()] != ParameterPlace::Resident) m_place[id.index()] = found;
            };
            if (step.kind == StepKind::Prefetch) {
                touch(step.storage, ParameterPlace::BeginsOnHost);
            } else if (step.kind != StepKind::Compute) {
                touch(step.storage, ParameterPlace::BeginsOnDevice);
                // Nothing after it has touched the value: a whole copy lies in host memory when the plan ends.
                if (step.kind == StepKind::Offload && step.storage.value >= 0 &&
                    static_cast<std::size_t>(step.storage.value) < alsoOnHost.size() &&
                    alsoOnHost[step.storage.index()] == 2)
                    alsoOnHost[step.storage.index()] = 1;
            } else if (step.op.value >= 0 && static_cast<std::size_t>(step.op.value) < m_graph.ops.size()) {
                const Op &op = m_graph.op(step.op);
                if (!op.onHost)
                    for (const StorageId id : op.inputs)
                        touch(id, ParameterPlace::BeginsOnDevice);
                for (const StorageId id : op.updates)
                    if (alsoOnHost[id.index()] == 2) alsoOnHost[id.index()] = op.onHost ? 1 : 0;
            }
        }
        std::vector<char> changes(m_graph.storages.size(), 0);
        for (const Op &op : m_graph.ops)
            for (const StorageId id : op.updates)
                changes[id.index()] = 1;
        for (std::size_t s = 0; s < m_place.size(); ++s) {
            if (m_place[s] == ParameterPlace::Resident) continue;
            const bool beginsThere = m_place[s] == ParameterPlace::BeginsOnHost;
            // A loop ends as it begins: what is whole there at the end was so at the beginning.
            if (beginsThere || changes[s] == 0 || alsoOnHost[s] == 1) m_lives[s].onHostUs = 0;
            if (beginsThere) continue;
            m_lives[s].onDevice = DeviceCopy{};
            m_beginsWith += m_graph.storages[s].bytes;
        }
    }

    bool resident(StorageId id) const
    {
        return isResident(m_graph.storage(id).kind) && m_place[id.index()] == ParameterPlace::Resident;
    }

    std::optional<Broken> follow(std::size_t step)
    {
        const Step &now = m_plan.steps[step];
        if (now.kind == StepKind::Compute) {
            if (now.op.value < 0 || static_cast<std::size_t>(now.op.value) >= m_graph.ops.size())
                return at(step, "computes an op that the graph does not have.");
            const Op &op = m_graph.op(now.op);
            int &times = m_timesComputed[now.op.index()];
            if (op.computeOnce && times > 0)
                return at(step, fmt::format("computes {} again, which writes to its inputs or is a collective and may "
                                            "be computed only once.",
                                            op.name));
            if (const std::optional<Broken> early = atTheWrongTime(step, now.op)) return early;
            return op.onHost ? followOnHost(step, op, times, m_costs.time(now.op))
                             : followCompute(step, op, times, m_costs.time(now.op));
        }
        const std::string verb = now.kind == StepKind::Free       ? "frees "
                                 : now.kind == StepKind::Prefetch ? "prefetches "
                                                                  : "offloads ";
        if (now.storage.value < 0 || static_cast<std::size_t>(now.storage.value) >= m_graph.storages.size())
            return at(step, verb + "a storage that the graph does not have.");
        const Storage &storage = m_graph.storage(now.storage);
        StorageLife &life = m_lives[now.storage.index()];
        if (resident(now.storage))
            return at(step, fmt::format("{}{}, which is resident and never planned.", verb, storage.name));
        if (now.kind == StepKind::Prefetch) return followPrefetch(step, storage, life);
        if (!life.onDevice) return at(step, verb + storage.name + absence(life));
        return now.kind == StepKind::Offload ? followOffload(step, storage, life) : followFree(step, storage, life);
    }

    static std::string absence(const StorageLife &life)
    {
        return life.freed ? fmt::format(", which was freed at step {}.", *life.freed) : ", which was never made.";
    }

    static std::string outdated(const StorageLife &life)
    {
        return fmt::format(", whose copy on the device is stale: step {} updated the one in host memory.",
                           *life.changed);
    }

    /// An op sees the value that stands before or after updates as they do in the graph.
    std::optional<Broken> atTheWrongTime(std::size_t step, OpId op) const
    {
        for (const StorageId id : m_graph.op(op).inputs) {
            const StorageLife &life = m_lives[id.index()];
            std::size_t wanted = 0;
            if (const auto list = m_updaters.find(id); list != m_updaters.end())
                wanted = static_cast<std::size_t>(std::lower_bound(list->second.begin(), list->second.end(), op) -
                                                  list->second.begin());
            if (life.changes == wanted) continue;
            const std::string what =
                fmt::format("computes {} and reads {}", m_graph.op(op).name, m_graph.storage(id).name);
            return at(step, life.changes > wanted
                                ? fmt::format("{}, which step {} has changed too early.", what, *life.changed)
                                : what + ", which an op before it in the graph has yet to update.");
        }
        return std::nullopt;
    }

    std::optional<Broken> followOnHost(std::size_t step, const Op &op, int &times, double timeUs)
    {
        double beginUs = std::fmax(m_computeUs, m_hostUs);
        for (const StorageId id : op.inputs) {
            const StorageLife &life = m_lives[id.index()];
            if (resident(id)) {
                beginUs = std::fmax(beginUs, life.changedUs);
                continue;
            }
            if (!life.onHostUs)
                return at(step, fmt::format("runs on the host and reads {}, of which host memory has no whole copy.",
                                            m_graph.storage(id).name));
            beginUs = std::fmax(beginUs, *life.onHostUs);
            if (life.onDevice && updates(op, id)) beginUs = std::fmax(beginUs, life.onDevice->usableUs);
        }
        ++times;
        m_hostUs = beginUs + timeUs;
        for (const StorageId id : op.inputs)
            m_lives[id.index()].hostReadUs = m_hostUs;
        for (const StorageId id : op.updates) {
            StorageLife &life = change(step, id, m_hostUs);
            life.onHostUs = m_hostUs;
            if (life.onDevice) life.onDevice->outdated = true;
        }
        return std::nullopt;
    }

    StorageLife &change(std::size_t step, StorageId id, double endUs)
    {
        StorageLife &life = m_lives[id.index()];
        life.changed = step;
        ++life.changes;
        life.changedUs = endUs;
        return life;
    }

    std::optional<Broken> followCompute(std::size_t step, const Op &op, int &times, double timeUs)
    {
        for (const StorageId id : op.inputs) {
            const Storage &storage = m_graph.storage(id);
            const StorageLife &life = m_lives[id.index()];
            if (resident(id)) {
                m_computeUs = std::fmax(m_computeUs, life.changedUs);
                continue;
            }
            if (!life.onDevice) return at(step, fmt::format("reads {}{}", storage.name, absence(life)));
            if (life.onDevice->outdated) return at(step, fmt::format("reads {}{}", storage.name, outdated(life)));
            m_computeUs = std::fmax(m_computeUs, life.onDevice->usableUs);
            if (updates(op, id) || op.into == id) m_computeUs = std::fmax(m_computeUs, life.onDevice->settledUs);
        }
        ++times;
        m_computeUs += timeUs;
        for (const StorageId id : op.updates)
            change(step, id, m_computeUs).onHostUs.reset();
        if (op.into) change(step, op.into, m_computeUs).onHostUs.reset();
        for (const StorageId id : op.outputs) {
            const std::int64_t bytes = m_graph.storage(id).bytes;
            StorageLife &life = m_lives[id.index()];
            if (life.onDevice) {
                m_onlyNow[step] += bytes;
                continue;
            }
            life.onDevice = DeviceCopy{m_computeUs, m_computeUs};
            m_growth[step] += bytes;
            // Nothing has been added to the new one yet, and the one in host memory is of the life before.
            if (life.changes > 0) life.onHostUs.reset();
            life.changes = 0;
        }
        return std::nullopt;
    }

    std::optional<Broken> followFree(std::size_t step, const Storage &storage, StorageLife &life)
    {
        if (isResident(storage.kind) && !life.onHostUs)
            return at(step, fmt::format("frees {}{} before it was offloaded: its value would be lost.", storage.name,
                                        life.changed ? fmt::format(", which step {} updated,", *life.changed)
                                                     : ", which the plan updates,"));
        m_computeUs = std::fmax(m_computeUs, life.onDevice->settledUs);
        life.onDevice.reset();
        life.freed = step;
        m_growth[step] -= storage.bytes;
        return std::nullopt;
    }

    double transferUs(const Storage &storage) const
    {
        return m_costs.linkLatencyUs + 1e6 * static_cast<double>(storage.bytes) / m_costs.linkBytesPerSecond;
    }

    std::optional<Broken> followOffload(std::size_t step, const Storage &storage, StorageLife &life)
    {
        if (life.onDevice->outdated) return at(step, fmt::format("offloads {}{}", storage.name, outdated(life)));
        const double readableUs = std::fmax(life.onDevice->usableUs, life.hostReadUs);
        m_outUs = std::fmax(std::fmax(m_outUs, m_computeUs), readableUs) + transferUs(storage);
        life.onHostUs = m_outUs;
        life.onDevice->settledUs = std::fmax(life.onDevice->settledUs, m_outUs);
        return std::nullopt;
    }

    std::optional<Broken> followPrefetch(std::size_t step, const Storage &storage, StorageLife &life)
    {
        if (life.onDevice)
            return at(step, fmt::format("prefetches {}, which is held on the device already.", storage.name));
        if (!life.onHostUs)
            return at(step, fmt::format("prefetches {}, of which no copy was offloaded to host memory.", storage.name));
        m_inUs = std::fmax(std::fmax(m_inUs, m_computeUs), *life.onHostUs) + transferUs(storage);
        life.onDevice = DeviceCopy{m_inUs, m_inUs};
        m_growth[step] += storage.bytes;
        return std::nullopt;
    }

    /// Memory at every followed step, from when copies begin and end.
    std::optional<Broken> addUpMemory(std::size_t followed, std::int64_t &peakBytes) const
    {
        std::optional<Broken> over;
        std::int64_t held = m_beginsWith;
        peakBytes = held;
        if (m_plan.budgetBytes > 0 && held > m_plan.budgetBytes)
            over = Broken{
                0, fmt::format("The plan begins with {} of parameters on the device, {} over the budget of {}.",
                               formatBytes(held, Rounding::Up), formatBytes(held - m_plan.budgetBytes, Rounding::Up),
                               formatMemory(m_plan.budgetBytes))};
        for (std::size_t step = 0; step < followed; ++step) {
            held += m_growth[step];
            const Step &now = m_plan.steps[step];
            const bool computes = now.kind == StepKind::Compute;
            const std::int64_t here = held + m_onlyNow[step] + (computes ? m_costs.workspace(now.op) : 0);
            if (here > peakBytes) peakBytes = here;
            if (!over && m_plan.budgetBytes > 0 && here > m_plan.budgetBytes)
                over = at(step, fmt::format("{} holds {}, {} over the budget of {}.", describe(now),
                                            formatBytes(here, Rounding::Up),
                                            formatBytes(here - m_plan.budgetBytes, Rounding::Up),
                                            formatMemory(m_plan.budgetBytes)));
        }
        return over;
    }

    std::string describe(const Step &step) const
    {
        std::string text = step.kind == StepKind::Compute   ? "(compute "
                           : step.kind == StepKind::Free    ? "(free "
                           : step.kind == StepKind::Offload ? "(offload "
                                                            : "(prefetch ";
        text += step.kind == StepKind::Compute ? m_graph.op(step.op).name : m_graph.storage(step.storage).name;
        return text + ")";
    }

    std::optional<Broken> atTheEnd() const
    {
        for (std::size_t s = 0; s < m_lives.size(); ++s) {
            const Storage &storage = m_graph.storages[s];
            const bool there = m_lives[s].onDevice.has_value();
            if (m_place[s] == ParameterPlace::BeginsOnDevice && !there)
                return Broken{
                    -1,
                    fmt::format("The plan ends without {}, a parameter that it begins with on the device; prefetch it.",
                                storage.name)};
            if (m_place[s] == ParameterPlace::BeginsOnHost && there)
                return Broken{
                    -1,
                    fmt::format(
                        "The plan ends with {} on the device, a parameter that it begins with in host memory; free it.",
                        storage.name)};
            if (there && m_lives[s].onDevice->outdated)
                return Broken{-1, fmt::format("The plan ends with a copy of {} on the device that is stale, since an "
                                              "op on the host updated it.",
                                              storage.name)};
            if (storage.isOutput && !isResident(storage.kind) && !there)
                return Broken{-1, fmt::format("The plan ends without {}, an output of the graph.", storage.name)};
            if (storage.isOutput && there && storage.producer)
                if (const auto sum = m_updaters.find(StorageId(s));
                    sum != m_updaters.end() && m_lives[s].changes < sum->second.size())
                    return Broken{-1, fmt::format("The plan ends with {}, which lacks what {} adds to it.",
                                                  storage.name, m_graph.op(sum->second[m_lives[s].changes]).name)};
        }
        for (std::size_t i = 0; i < m_timesComputed.size(); ++i)
            if (m_graph.ops[i].computeOnce && m_timesComputed[i] != 1)
                return Broken{-1, fmt::format("The plan never computes {}, which writes to its inputs or is a "
                                              "collective and must be computed once.",
                                              m_graph.ops[i].name)};
        return std::nullopt;
    }

    bool copies() const
    {
        return std::any_of(m_plan.steps.begin(), m_plan.steps.end(), [](const Step &step) {
            return step.kind == StepKind::Offload || step.kind == StepKind::Prefetch;
        });
    }

    /// What the plan says of itself, where it was predicted with these costs.
    std::optional<Broken> ownFigures(const Verdict &found) const
    {
        const Prediction &said = m_plan.predicted;
        if (said.peakBytes <= 0 || !sameOpCosts(m_plan.costSource, m_costs.source)) return std::nullopt;
        if (said.peakBytes != found.peakBytes)
            return Broken{-1, fmt::format("The plan says that its peak is {}, but it is {}.",
                                          formatExactBytes(said.peakBytes), formatExactBytes(found.peakBytes))};
        if (copies() && m_plan.costSource.link != m_costs.source.link) return std::nullopt;
        if (std::fabs(said.timeUs - found.timeUs) > kTimeTolerance * std::fmax(said.timeUs, found.timeUs))
            return Broken{-1, fmt::format("The plan says that it takes {} µs, but it takes {} µs.",
                                          fixedNumber(said.timeUs, 6), fixedNumber(found.timeUs, 6))};
        return std::nullopt;
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    const Plan &m_plan;
    std::vector<ParameterPlace> m_place;
    std::vector<StorageLife> m_lives;
    std::int64_t m_beginsWith = 0; ///< bytes on the device before the first step
    std::vector<int> m_timesComputed;
    std::vector<std::int64_t> m_growth;  ///< per step: bytes that begin less bytes that end
    std::vector<std::int64_t> m_onlyNow; ///< per step: second copies, dropped when the op is done
    double m_computeUs = 0, m_outUs = 0, m_inUs = 0, m_hostUs = 0; ///< clocks of the lanes
    std::map<StorageId, std::vector<OpId>> m_updaters;             ///< per storage that ops update, in graph order
};

} // namespace

Verdict checkPlan(const Graph &graph, const CostTable &costs, const Plan &plan)
{
    return Judge(graph, costs, plan).judge();
}

} // namespace remat
