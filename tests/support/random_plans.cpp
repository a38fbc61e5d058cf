// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_plans.h"

#include <algorithm>

namespace remat::test {

namespace {

class Maker
{
public:
    Maker(const Graph &graph, Random &random)
        : m_graph(graph),
          m_random(random),
          m_held(graph.storages.size(), 0),
          m_onHost(graph.storages.size(), 0),
          m_changes(graph.storages.size(), 0),
          m_fragile(graph.ops.size(), 0)
    {
        // Some plans free a lot, some hardly offload: otherwise all look alike.
        m_freeChance = m_random.between(5, 70);
        m_offloadChance = m_random.percent(40) ? 0 : m_random.between(5, 50);
        m_recomputeChance = m_random.between(0, 40);
        for (const Op &op : graph.ops)
            for (const StorageId id : op.updates)
                m_changes[id.index()] = 1;
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            const Op &op = graph.ops[i];
            m_fragile[i] = op.computeOnce || std::any_of(op.inputs.begin(), op.inputs.end(), [&](StorageId id) {
                               const OpId producer = graph.storage(id).producer;
                               return m_changes[id.index()] || (producer && m_fragile[producer.index()]);
                           });
        }
        for (std::size_t s = 0; s < m_held.size(); ++s) {
            if (!graph.storages[s].plannedParameter) continue;
            m_held[s] = m_random.percent(60) ? 1 : 0;
            // What begins with a whole copy in host memory, too, must end with one.
            m_onHost[s] = !m_held[s] || !m_changes[s] || m_random.percent(50) ? 1 : 0;
            m_begin.push_back({s, m_held[s] != 0, m_onHost[s] != 0});
        }
    }

    std::vector<Step> make()
    {
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            compute(OpId(i));
            m_done = i + 1;
            wander();
        }
        for (std::size_t s = 0; s < m_held.size(); ++s)
            if (m_graph.storages[s].isOutput && planned(s)) bring(StorageId(s)); // an input may be an output as well
        for (const Begin &begin : m_begin)
            putBack(begin);
        return std::move(m_steps);
    }

private:
    /// Where a planned parameter was at the beginning.
    struct Begin {
        std::size_t parameter = 0;
        bool onDevice = false, onHost = false;
    };

    bool planned(std::size_t s) const { return m_graph.planned(StorageId(s)); }

    void offload(StorageId storage)
    {
        m_steps.push_back(Step::offload(storage));
        m_onHost[storage.index()] = 1;
    }

    void free(StorageId storage)
    {
        m_steps.push_back(Step::free(storage));
        m_held[storage.index()] = 0;
    }

    void computeOnHost(OpId op)
    {
        for (const StorageId input : m_graph.op(op).inputs) {
            if (!m_graph.planned(input) || m_onHost[input.index()]) continue;
            bring(input);
            offload(input);
        }
        m_steps.push_back(Step::compute(op));
        for (const StorageId updated : m_graph.op(op).updates) {
            m_updated.push_back(updated);
            if (m_held[updated.index()]) free(updated); // the copy on the device is stale
        }
    }

    /// Computes the op, bringing back whatever it reads and was freed.
    void compute(OpId op)
    {
        if (m_graph.op(op).onHost) return computeOnHost(op);
        for (const StorageId input : m_graph.op(op).inputs)
            if (m_graph.planned(input)) bring(input);
        m_steps.push_back(Step::compute(op));
        for (const StorageId updated : m_graph.op(op).updates) {
            m_updated.push_back(updated);
            m_onHost[updated.index()] = 0;
        }
        for (const StorageId output : m_graph.op(op).outputs)
            m_held[output.index()] = 1;
    }

    /// Only ever adds storages, so that what was brought for one op is still there when the next input is brought.
    void bring(StorageId storage)
    {
        if (m_held[storage.index()]) return;
        if (m_onHost[storage.index()] && (mustStay(storage) || m_random.percent(60))) {
            m_steps.push_back(Step::prefetch(storage));
            m_held[storage.index()] = 1;
            return;
        }
        compute(m_graph.storage(storage).producer);
    }

    bool mustStay(StorageId storage) const
    {
        const OpId producer = m_graph.storage(storage).producer;
        return !producer || m_fragile[producer.index()];
    }

    /// A parameter ends where it began. One that began in host memory is fetched once at least: no step on it would say
    /// that it began on the device.
    void putBack(const Begin &begin)
    {
        const StorageId parameter(begin.parameter);
        if (m_held[begin.parameter] == 0) m_steps.push_back(Step::prefetch(parameter));
        if (begin.onHost && !m_onHost[begin.parameter]) offload(parameter);
        if (!begin.onDevice) free(parameter);
    }

    /// It reads what an op behind it has updated.
    bool readsChanged(OpId op) const
    {
        const std::vector<StorageId> &inputs = m_graph.op(op).inputs;
        return std::any_of(inputs.begin(), inputs.end(), [&](StorageId input) {
            return std::find(m_updated.begin(), m_updated.end(), input) != m_updated.end();
        });
    }

    /// Things that nobody asked for.
    void wander()
    {
        if (m_random.percent(m_recomputeChance)) {
            const OpId op(static_cast<std::size_t>(m_random.below(static_cast<int>(m_done))));
            if (!m_graph.op(op).computeOnce && !readsChanged(op)) compute(op);
        }
        for (std::size_t s = 0; s < m_held.size(); ++s) {
            if (!planned(s)) continue;
            const StorageId storage(s);
            if (m_held[s] && m_random.percent(m_offloadChance)) offload(storage);
            if (m_held[s] && m_random.percent(m_freeChance) && (m_onHost[s] || !mustStay(storage))) free(storage);
            if (!m_held[s] && m_onHost[s] && m_random.percent(10)) {
                m_steps.push_back(Step::prefetch(storage));
                m_held[s] = 1;
            }
        }
    }

    const Graph &m_graph;
    Random &m_random;
    std::vector<char> m_held, m_onHost;
    std::vector<Step> m_steps;
    std::vector<Begin> m_begin;
    std::vector<char> m_changes;      ///< per storage: an op updates it
    std::vector<char> m_fragile;      ///< per op: what it makes may be impossible to make again
    std::vector<StorageId> m_updated; ///< so far
    std::size_t m_done = 0;
    int m_freeChance = 0, m_offloadChance = 0, m_recomputeChance = 0;
};

} // namespace

std::vector<Step> randomValidPlan(const Graph &graph, Random &random)
{
    return Maker(graph, random).make();
}

std::vector<Step> mutatedPlan(const Graph &graph, std::vector<Step> steps, Random &random)
{
    const auto somewhere = [&] { return static_cast<std::ptrdiff_t>(random.below(static_cast<int>(steps.size()))); };
    const std::ptrdiff_t at = somewhere();
    Step &step = steps[static_cast<std::size_t>(at)];
    switch (random.below(6)) {
    case 0:
        steps.erase(steps.begin() + at);
        break;
    case 1:
        steps.insert(steps.begin() + somewhere(), Step(step));
        break;
    case 2: { // to an earlier place: a free moved too early, a read before its computation
        const std::ptrdiff_t to = std::min(at, somewhere());
        std::rotate(steps.begin() + to, steps.begin() + at, steps.begin() + at + 1);
        break;
    }
    case 3:
        std::swap(step, steps[static_cast<std::size_t>(somewhere())]);
        break;
    case 4:
        if (step.kind == StepKind::Compute)
            step.op = OpId(static_cast<std::size_t>(random.below(static_cast<int>(graph.ops.size()) + 1)));
        else
            step.storage =
                StorageId(static_cast<std::size_t>(random.below(static_cast<int>(graph.storages.size()) + 1)));
        break;
    default:
        if (step.kind != StepKind::Compute)
            step.kind = random.pick(std::vector{StepKind::Free, StepKind::Offload, StepKind::Prefetch});
        else
            step =
                Step::free(StorageId(static_cast<std::size_t>(random.below(static_cast<int>(graph.storages.size())))));
    }
    return steps;
}

} // namespace remat::test
