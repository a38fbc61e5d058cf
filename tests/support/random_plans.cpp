#include "tests/support/random_plans.h"

#include <algorithm>

namespace remat::test {

namespace {

class Maker
{
public:
    Maker(const Graph &graph, Random &random)
        : m_graph(graph), m_random(random), m_held(graph.storages.size(), 0), m_onHost(graph.storages.size(), 0)
    {
        // Some plans free a lot, some hardly offload: otherwise all look alike.
        m_freeChance = m_random.between(5, 70);
        m_offloadChance = m_random.percent(40) ? 0 : m_random.between(5, 50);
        m_recomputeChance = m_random.between(0, 40);
        for (std::size_t s = 0; s < m_held.size(); ++s) {
            if (!graph.storages[s].plannedParameter) continue;
            m_onHost[s] = 1;
            m_held[s] = m_random.percent(60) ? 1 : 0;
            m_begin.push_back({s, m_held[s] != 0});
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
        for (const auto &[parameter, onDevice] : m_begin)
            putBack(StorageId(parameter), onDevice);
        return std::move(m_steps);
    }

private:
    bool planned(std::size_t s) const { return m_graph.planned(StorageId(s)); }

    /// Computes the op, bringing back whatever it reads and was freed.
    void compute(OpId op)
    {
        for (const StorageId input : m_graph.op(op).inputs)
            if (m_graph.planned(input)) bring(input);
        m_steps.push_back(Step::compute(op));
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
        return !producer || m_graph.op(producer).computeOnce;
    }

    /// A parameter ends where it began. One that began in host memory is fetched once at least: no step on it would say
    /// that it began on the device.
    void putBack(StorageId parameter, bool onDevice)
    {
        if (m_held[parameter.index()] != 0 && onDevice) return;
        if (m_held[parameter.index()] == 0) m_steps.push_back(Step::prefetch(parameter));
        if (!onDevice) m_steps.push_back(Step::free(parameter));
    }

    /// Things that nobody asked for.
    void wander()
    {
        if (m_random.percent(m_recomputeChance)) {
            const OpId op(static_cast<std::size_t>(m_random.below(static_cast<int>(m_done))));
            if (!m_graph.op(op).computeOnce) compute(op);
        }
        for (std::size_t s = 0; s < m_held.size(); ++s) {
            if (!planned(s)) continue;
            const StorageId storage(s);
            if (m_held[s] && m_random.percent(m_offloadChance)) {
                m_steps.push_back(Step::offload(storage));
                m_onHost[s] = 1;
            }
            if (m_held[s] && m_random.percent(m_freeChance) && (m_onHost[s] || !mustStay(storage))) {
                m_steps.push_back(Step::free(storage));
                m_held[s] = 0;
            }
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
    std::vector<std::pair<std::size_t, bool>> m_begin; ///< planned parameters, and whether they begin on the device
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
