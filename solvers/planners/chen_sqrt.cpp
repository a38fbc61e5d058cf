#include "core/base/units.h"
#include "core/plan/sequence_evaluator.h"
#include "solvers/solver.h"
#include "solvers/translate.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace remat::planner {

namespace {

/// Storages below this share of all forward bytes are kept anyway (masks, positions): they tie everything to everything
/// without weighing anything.
constexpr double kTinyShare = 1e-4;

bool isTiny(const FlatGraph &flat, int s, double forwardBytes)
{
    return static_cast<double>(flat.bytes[s]) < kTinyShare * forwardBytes;
}

double forwardBytes(const FlatGraph &flat)
{
    double sum = 0;
    for (int s = 0; s < flat.storages(); ++s)
        if (flat.producer[s] >= 0 && flat.producer[s] < flat.forwardOps) sum += static_cast<double>(flat.bytes[s]);
    return sum;
}

/// Articulation points of the undirected forward graph between a virtual source (before ops that read nothing planned)
/// and the last forward op: ops that every path passes. In an order in which every op stands after what it reads, an op
/// is one exactly when nothing made before it is read after it by the forward pass, its own results apart.
std::vector<int> articulationPoints(const FlatGraph &flat)
{
    const double all = forwardBytes(flat);
    std::vector<int> crossing(flat.forwardOps + 1, 0);
    for (int s = 0; s < flat.storages(); ++s) {
        const int made = flat.producer[s];
        if (made < 0 || made >= flat.forwardOps || isTiny(flat, s, all)) continue;
        int last = made;
        for (const int reader : flat.readers[s])
            if (reader < flat.forwardOps) last = reader;
        // Crosses every op strictly between its making and its last forward reader.
        if (last > made + 1) {
            ++crossing[made + 1];
            --crossing[last];
        }
    }
    std::vector<int> points;
    int open = 0;
    for (int i = 0; i + 1 < flat.forwardOps; ++i) {
        open += crossing[i];
        const bool heavy =
            std::any_of(flat.outputs[i].begin(), flat.outputs[i].end(), [&](int s) { return !isTiny(flat, s, all); });
        if (open == 0 && heavy) points.push_back(i);
    }
    return points;
}

std::vector<int> allPoints(const FlatGraph &flat)
{
    std::vector<int> points;
    for (int i = 0; i + 1 < flat.forwardOps; ++i)
        points.push_back(i);
    return points;
}

/// Cuts after every `spacing`-th point; keeps what crosses a cut.
ForwardChoice cutEvery(const FlatGraph &flat, const std::vector<int> &points, std::size_t spacing)
{
    ForwardChoice choice;
    choice.segment.assign(flat.ops, 0);
    int segment = 0;
    std::size_t next = spacing - 1;
    for (int i = 0; i < flat.forwardOps; ++i) {
        choice.segment[i] = segment;
        if (next < points.size() && points[next] == i) {
            ++segment;
            next += spacing;
        }
    }
    // A backward op belongs to the segment of the latest forward op it reads from, never a later one than before it.
    int current = segment;
    for (int z = flat.forwardOps; z < flat.ops; ++z) {
        int wanted = -1;
        for (const int s : flat.inputs[z])
            if (flat.producer[s] < flat.forwardOps) wanted = std::max(wanted, choice.segment[flat.producer[s]]);
        const OpId twin = flat.graph->ops[z].forwardOp;
        if (twin && twin.value < flat.forwardOps) wanted = choice.segment[twin.value];
        if (wanted >= 0) current = std::min(current, wanted);
        choice.segment[z] = current;
    }
    const double all = forwardBytes(flat);
    choice.kept.assign(flat.storages(), 0);
    for (int s = 0; s < flat.storages(); ++s) {
        const int made = flat.producer[s];
        if (made < 0 || made >= flat.forwardOps) continue;
        choice.kept[s] = isTiny(flat, s, all) || choice.segment[made] == segment ? 1 : 0;
        for (const int reader : flat.readers[s])
            if (reader < flat.forwardOps && choice.segment[reader] != choice.segment[made]) choice.kept[s] = 1;
    }
    return choice;
}

/// One spacing, translated and replayed.
struct Tried {
    std::vector<OpId> sequence;
    SequenceCost cost;
    std::size_t spacing = 0;
};

/// The family of plans over one set of points.
class Family
{
public:
    Family(const FlatGraph &flat, SequenceEvaluator &evaluator, std::vector<int> points, std::int64_t budgetBytes)
        : m_flat(flat), m_evaluator(evaluator), m_points(std::move(points)), m_budget(budgetBytes)
    {
    }

    /// √n, or the nearest spacing that fits; with `segments`, that many and nothing else. What fits is put into `fits`
    /// when it is faster, what has the smallest peak into `smallest`.
    void search(int segments, const std::function<bool()> &stop, std::optional<Tried> &fits,
                std::optional<Tried> &smallest) const
    {
        const auto count = m_points.size();
        if (count == 0) return;
        std::size_t first = static_cast<std::size_t>(std::sqrt(static_cast<double>(count)));
        if (segments > 0) first = (count + 1) / static_cast<std::size_t>(segments);
        first = std::clamp<std::size_t>(first, 1, count);
        const std::size_t reach = segments > 0 ? 1 : count;
        for (std::size_t away = 0; away < reach; ++away)
            for (const bool shorter : {true, false}) {
                if ((away == 0 && !shorter) || (shorter && away >= first) || (!shorter && first + away > count))
                    continue;
                if (stop()) return;
                Tried tried = attempt(shorter ? first - away : first + away);
                if (!smallest || tried.cost.peakBytes < smallest->cost.peakBytes) smallest = tried;
                if (tried.cost.peakBytes > m_budget) continue;
                if (!fits || tried.cost.timeUs < fits->cost.timeUs) fits = std::move(tried);
                return;
            }
    }

private:
    Tried attempt(std::size_t spacing) const
    {
        Tried tried;
        tried.spacing = spacing;
        tried.sequence = toSequence(m_flat, translate(m_flat, cutEvery(m_flat, m_points, spacing)));
        tried.cost = m_evaluator(tried.sequence);
        return tried;
    }

    const FlatGraph &m_flat;
    SequenceEvaluator &m_evaluator;
    const std::vector<int> m_points;
    const std::int64_t m_budget;
};

class ChenSqrt final : public Planner
{
public:
    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {
            "chen-sqrt",
            "Chen √n",
            "checkpointing",
            "Cuts the forward pass into about √n segments, keeps what crosses their borders, and computes each segment "
            "again once when its backward pass needs it. Knows no budget: when √n segments do not fit, the nearest "
            "number that does is taken.",
            "Chen, Xu, Zhang, Guestrin: Training Deep Nets with Sublinear Memory Cost, 2016",
            {choiceOption(
                 "points", "Border points", {"best", "articulation", "all"},
                 "Where a segment may end: at ops that everything passes (articulation), after any op in graph "
                 "order (all), or whichever of the two gives the faster plan (best)."),
             integerOption("segments", "Segments", 0, 0, 1000, "",
                           "How many segments; 0 takes √n, and the nearest number that fits when that does not.")},
            false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        const FlatGraph flat = flatten(*request.graph, *request.costs);
        if (flat.forwardOps == flat.ops)
            return fail("Chen √n needs a graph with a forward and a backward part; this one has no backward ops.");
        SequenceEvaluator evaluator(*request.graph, *request.costs);
        const std::function<bool()> stop = [&] { return context.shouldStop(); };
        const std::string &points = request.options.choice("points");
        const int segments = request.options.integer("segments");
        std::optional<Tried> fits, smallest;
        if (points != "all")
            Family(flat, evaluator, articulationPoints(flat), request.budgetBytes)
                .search(segments, stop, fits, smallest);
        if (points != "articulation")
            Family(flat, evaluator, allPoints(flat), request.budgetBytes).search(segments, stop, fits, smallest);

        SolveOutcome outcome;
        if (!fits) {
            outcome.status = context.shouldStop() ? SolveStatus::Stopped : SolveStatus::Infeasible;
            outcome.smallestPeakBytes = smallest ? smallest->cost.peakBytes : 0;
            outcome.message =
                smallest
                    ? "No spacing of checkpoints fits " + formatBytes(request.budgetBytes, Rounding::Down) +
                          "; the smallest peak of this family is " +
                          formatBytes(smallest->cost.peakBytes, Rounding::Up) + ". Take hiremate, or raise the budget."
                    : "This graph has no articulation points. Set points to all.";
            return outcome;
        }
        outcome.status = SolveStatus::Feasible;
        Plan plan;
        plan.steps = withEarliestFrees(*request.graph, fits->sequence);
        outcome.plan = std::move(plan);
        return outcome;
    }
};

} // namespace

const Planner &chen_sqrt()
{
    static const ChenSqrt planner;
    return planner;
}

} // namespace remat::planner
