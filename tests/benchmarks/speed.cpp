// SPDX-License-Identifier: Apache-2.0
#include "core/clusters/cluster_tree.h"
#include "core/plan/checker.h"
#include "core/plan/sequence_evaluator.h"
#include "solvers/search/greedy.h"
#include "tests/benchmarks/machine.h"
#include "tests/benchmarks/measures.h"

#include <utility>

namespace remat::bench {

namespace {

class Speed
{
public:
    explicit Speed(const Instance &instance) : m_instance(instance) {}

    Expected<std::vector<Row>> measure()
    {
        const FlatGraph flat = flatten(graph(), costs());
        const std::int64_t budget = m_instance.keepAllPeakBytes / 2;
        const search::Found found = search::greedyPlan(flat, budget, {}, [] { return false; });
        const std::vector<OpId> sequence = toSequence(flat, found.set);
        measureJudges(sequence);
        measureMoves(flat, budget, found.set);
        measureReading();
        return std::move(m_rows);
    }

private:
    const Graph &graph() const { return m_instance.graph(); }
    const CostTable &costs() const { return m_instance.costs; }

    void add(const char *measure, double value)
    {
        m_rows.push_back({"speed", m_instance.name, graph().ops.size(), "", "", measure, value, ""});
    }
    void addRate(const char *measure, std::size_t count, double seconds)
    {
        add(measure, static_cast<double>(count) / std::max(seconds, 1e-9));
    }

    void measureJudges(const std::vector<OpId> &sequence)
    {
        Plan plan;
        plan.steps = withEarliestFrees(graph(), sequence);
        bool good = true;
        const double simulated = fastest([&] { good = good && simulate(graph(), costs(), plan.steps).has_value(); });
        addRate("simulator_steps_per_second", plan.steps.size(), simulated);
        plan.predicted.peakBytes = simulate(graph(), costs(), plan.steps)->peakBytes;
        const double checked = fastest([&] { checkPlan(graph(), costs(), plan); });
        addRate("checker_steps_per_second", plan.steps.size(), checked);
        SequenceEvaluator evaluator(graph(), costs());
        const double evaluated = fastest([&] { evaluator(sequence); });
        addRate("evaluator_computes_per_second", sequence.size(), evaluated);
        REMAT_ASSERT(good, "the greedy search makes plans that can be replayed");
    }

    /// Steps of the plan taken out and put back, all over the graph.
    void measureMoves(const FlatGraph &flat, std::int64_t budget, const std::vector<Recompute> &set)
    {
        search::State state(flat, budget);
        state.assign(set);
        const std::vector<search::Key> steps = state.steps();
        if (steps.empty()) return;
        const double seconds = fastest([&] {
            for (const search::Key step : steps) {
                state.remove(step);
                state.rollback(0);
            }
        });
        addRate("search_toggles_per_second", 2 * steps.size(), seconds);
    }

    void measureReading()
    {
        if (!m_instance.file.empty()) {
            add("import_seconds", fastest([&] { (void)readModel(m_instance.file); }));
            const Expected<Device> device = findDevice("reference");
            add("costs_seconds", fastest([&] { (void)rooflineCosts(m_instance.model, *device); }));
        }
        add("fingerprint_seconds", fastest([&] { (void)graphFingerprint(graph()); }));
        add("module_tree_seconds", fastest([&] { (void)moduleTree(graph()); }));
        add("block_partition_seconds", fastest([&] { (void)blockPartition(graph(), costs().timeUs, {}); }));
    }

    const Instance &m_instance;
    std::vector<Row> m_rows;
};

} // namespace

Expected<std::vector<Row>> measureSpeed(const Instance &instance)
{
    return Speed(instance).measure();
}

} // namespace remat::bench
