#include "solvers/kusumoto/plan_lower_sets.h"

#include "core/base/units.h"
#include "core/plan/sequence_evaluator.h"
#include "solvers/chain/cut_points.h"
#include "solvers/parallel.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace remat::kusumoto {

namespace {

/// Model budgets tried between the least with a sequence and the first that allows everything.
constexpr int kGrid = 64;
constexpr int kBisections = 8;

struct Tried {
    std::vector<OpId> sequence;
    SequenceCost cost;
};

class Search
{
public:
    Search(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat, const ForwardDag &dag,
           const SegmentProgram &program)
        : m_request(request),
          m_context(context),
          m_flat(flat),
          m_dag(dag),
          m_program(program),
          m_low(program.smallestBudget()),
          m_high(std::max(program.largestBudget(), m_low + 1))
    {
    }

    /// One segment, all kept.
    bool keepAllFits()
    {
        Tried tried;
        tried.sequence = toSequence(m_flat, {});
        tried.cost = sequenceCost(*m_request.graph, *m_request.costs, tried.sequence);
        return offer(tried);
    }

    void run(Aim aim)
    {
        std::vector<std::int64_t> grid;
        const double factor = static_cast<double>(m_high) / static_cast<double>(std::max<std::int64_t>(m_low, 1));
        for (int i = 0; i <= kGrid; ++i)
            grid.push_back(m_low + static_cast<std::int64_t>(std::llround(static_cast<double>(m_low) *
                                                                          (std::pow(factor, double(i) / kGrid) - 1))));
        grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
        std::vector<std::optional<Tried>> tried(grid.size());
        parallelFor(m_context.threads, grid.size(), [&](std::size_t i) { tried[i] = attempt(grid[i], aim); });
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < grid.size(); ++i)
            if (tried[i] && offer(*tried[i])) best = i;
        if (best && *best + 1 < grid.size()) bisect(grid[*best], grid[*best + 1], aim);
    }

    const std::optional<Tried> &best() const { return m_best; }
    std::int64_t smallestPeakBytes() const { return m_smallestPeak; }

private:
    std::optional<Tried> attempt(std::int64_t modelBytes, Aim aim) const
    {
        const auto stop = [&] { return m_context.shouldStop(); };
        const Segments segments = m_program.best(modelBytes, aim, stop);
        if (segments.empty()) return std::nullopt;
        Tried tried;
        tried.sequence = toSequence(m_flat, translate(m_flat, forwardChoice(m_flat, m_dag, m_program, segments)));
        tried.cost = sequenceCost(*m_request.graph, *m_request.costs, tried.sequence);
        return tried;
    }

    /// Takes it when it fits and is faster than the best.
    bool offer(const Tried &tried)
    {
        if (m_smallestPeak == 0 || tried.cost.peakBytes < m_smallestPeak) m_smallestPeak = tried.cost.peakBytes;
        if (tried.cost.peakBytes > m_request.budgetBytes) return false;
        if (m_best && tried.cost.timeUs >= m_best->cost.timeUs) return false;
        m_best = tried;
        return true;
    }

    /// `low` fits. A larger model budget recomputes less, as long as it fits.
    void bisect(std::int64_t low, std::int64_t high, Aim aim)
    {
        for (int i = 0; i < kBisections && high - low > 1; ++i) {
            const std::int64_t middle = low + (high - low) / 2;
            const std::optional<Tried> tried = attempt(middle, aim);
            if (!tried) return;
            offer(*tried);
            (tried->cost.peakBytes <= m_request.budgetBytes ? low : high) = middle;
        }
    }

    const SolveRequest &m_request;
    const SolveContext &m_context;
    const FlatGraph &m_flat;
    const ForwardDag &m_dag;
    const SegmentProgram &m_program;
    const std::int64_t m_low, m_high;
    std::optional<Tried> m_best;
    std::int64_t m_smallestPeak = 0;
};

} // namespace

std::vector<OptionRecord> lowerSetOptions()
{
    return {choiceOption("strategy", "Strategy", {"best", "time", "memory"},
                         "time recomputes least within a model budget; memory makes segments as coarse as it allows, "
                         "which leaves more to free early; best takes the faster plan of the two."),
            integerOption("time-steps", "Time steps", 500, 10, 10000, "",
                          "Units that the forward pass is divided into; more is finer and slower.", true)};
}

ForwardChoice forwardChoice(const FlatGraph &flat, const ForwardDag &dag, const SegmentProgram &program,
                            const Segments &segments)
{
    ForwardChoice choice;
    const int last = static_cast<int>(segments.size()) - 1;
    choice.segment.assign(flat.ops, -1);
    choice.kept = dag.kept;
    const auto keep = [&](int node) {
        for (const int s : flat.outputs[dag.ops[node]])
            choice.kept[s] = 1;
    };
    for (int node = 0; node < dag.nodes(); ++node) {
        int &segment = choice.segment[dag.ops[node]];
        segment = 0;
        while (!contains(program.set(segments[segment]), node))
            ++segment;
        if (segment == last) keep(node);
    }
    for (const int set : segments)
        for (const int node : program.border(set))
            keep(node);
    // Ops left out of the model go with the latest of what they read.
    for (int i = 0; i < flat.forwardOps; ++i) {
        if (choice.segment[i] >= 0) continue;
        choice.segment[i] = 0;
        for (const int s : flat.inputs[i])
            choice.segment[i] = std::max(choice.segment[i], choice.segment[flat.producer[s]]);
    }
    chain::stageBackward(flat, choice.segment, last);
    return choice;
}

Expected<SolveOutcome> planLowerSets(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat,
                                     const ForwardDag &dag, std::vector<NodeSet> sets)
{
    const auto stop = [&] { return context.shouldStop(); };
    const std::optional<SegmentProgram> program = SegmentProgram::make(dag, std::move(sets), stop);
    SolveOutcome outcome;
    if (!program) {
        outcome.status = SolveStatus::Stopped;
        outcome.message = "Stopped before the segments between the lower sets were known.";
        return outcome;
    }
    Search search(request, context, flat, dag, *program);
    const std::string &strategy = request.options.choice("strategy");
    if (!search.keepAllFits()) {
        if (strategy != "memory") search.run(Aim::Time);
        if (strategy != "time") search.run(Aim::Memory);
    }

    outcome.smallestPeakBytes = search.smallestPeakBytes();
    if (!search.best()) {
        outcome.status = context.shouldStop() ? SolveStatus::Stopped : SolveStatus::Infeasible;
        outcome.message = context.shouldStop()
                              ? "Stopped before a plan was found that fits."
                              : "No sequence of lower sets fits " + formatBytes(request.budgetBytes, Rounding::Down) +
                                    "; the smallest peak of those tried is " +
                                    formatBytes(search.smallestPeakBytes(), Rounding::Up) +
                                    ". Take hiremate, or raise the budget.";
        return outcome;
    }
    outcome.status = SolveStatus::Feasible;
    Plan plan;
    plan.steps = withEarliestFrees(*request.graph, search.best()->sequence);
    outcome.plan = std::move(plan);
    return outcome;
}

} // namespace remat::kusumoto
