// Several cuts together, in parts.
#include "core/plan/simulator.h"
#include "solvers/bounds/bound_method.h"
#include "solvers/bounds/k_cut_model.h"
#include "solvers/ilp/linear.h"

#include <algorithm>

namespace remat::boundMethod {

namespace {

/// Cuts are taken where a plan holds so much of the budget.
constexpr double kTight = 0.95;
constexpr std::size_t kFirstCuts = 24, kMaxCuts = 96;
/// Columns of the program, about: Clp solves that in seconds.
constexpr std::size_t kMaxColumns = 20'000;
/// More cuts are tried while they raise the bound by such a share.
constexpr double kWorthMore = 0.002;

/// First computations of needed ops at which the plan comes near the budget.
std::vector<OpId> tightPlaces(const BoundProblem &problem, const std::vector<char> &needed)
{
    std::vector<OpId> places;
    const Expected<Simulation> simulation = simulate(problem.graph, problem.costs, problem.plan->steps);
    if (!simulation) return places;
    std::vector<char> seen(problem.graph.ops.size(), 0);
    for (std::size_t i = 0; i < problem.plan->steps.size(); ++i) {
        const Step &step = problem.plan->steps[i];
        if (step.kind != StepKind::Compute || seen[step.op.index()]) continue;
        seen[step.op.index()] = 1;
        const double held = static_cast<double>(simulation->steps[i].heldBytes);
        if (needed[step.op.index()] && held >= kTight * static_cast<double>(problem.budgetBytes))
            places.push_back(step.op);
    }
    return places;
}

/// At most `count` of the places, evenly, and `must` among them.
std::vector<OpId> evenly(std::vector<OpId> places, std::size_t count, OpId must)
{
    std::sort(places.begin(), places.end());
    std::vector<OpId> chosen;
    for (std::size_t i = 0; i < std::min(count, places.size()); ++i)
        chosen.push_back(places[(2 * i + 1) * places.size() / (2 * std::min(count, places.size()))]);
    if (must && !std::binary_search(chosen.begin(), chosen.end(), must))
        chosen.insert(std::lower_bound(chosen.begin(), chosen.end(), must), must);
    return chosen;
}

struct Attempt {
    TimeBound bound;
    bool whole = false; ///< solved to the end
};

/// None when the program is too large or Clp fails on it.
std::optional<Attempt> tryCuts(const BoundProblem &problem, const BoundsSoFar &soFar, const std::vector<OpId> &cuts)
{
    const ilp::Model model = buildKCutModel(problem.graph, problem.costs, problem.budgetBytes, cuts);
    if (static_cast<std::size_t>(model.columns()) > kMaxColumns) return {};
    ilp::Limits limits;
    limits.stop = problem.stop;
    limits.deadline = problem.deadline;
    limits.iterations = problem.iterations;
    const ilp::Relaxation relaxation = ilp::solveRelaxation(model, limits);
    if (relaxation.status == ilp::Status::Failed) return {};
    const bool none = relaxation.status == ilp::Status::Infeasible;
    TimeBound bound = none ? timeBoundOf(problem, "K-cut LP", 0, {})
                           : timeBoundOf(problem, "K-cut LP", relaxation.bound, soFar.best.cut);
    bound.infeasible = none;
    return Attempt{std::move(bound), relaxation.status == ilp::Status::Optimal};
}

std::optional<TimeBound> runKCutLp(const BoundProblem &problem, BoundsSoFar &soFar)
{
    const Needs needs = needsOf(problem.graph);
    std::vector<OpId> places = cutsOverBudget(problem.graph, problem.costs, needs, problem.budgetBytes);
    if (places.empty() || problem.graph.parametersPlanned) return {};
    if (problem.plan)
        if (const std::vector<OpId> tight = tightPlaces(problem, needs.op); tight.size() > 1) places = tight;

    // Fewer cuts where the program is too large, then more as long as that helps.
    std::optional<Attempt> best;
    std::size_t count = kFirstCuts;
    for (; count >= 1 && !best; count /= 2)
        best = tryCuts(problem, soFar, evenly(places, count, soFar.best.cut));
    if (!best || count < kFirstCuts / 2) return best ? std::optional(best->bound) : std::nullopt;
    for (count = 2 * kFirstCuts; count <= kMaxCuts && count / 2 < places.size(); count *= 2) {
        if (!best->whole || best->bound.infeasible || problem.stopped()) break;
        const std::optional<Attempt> more = tryCuts(problem, soFar, evenly(places, count, soFar.best.cut));
        if (!more || !(more->bound.infeasible || more->bound.extraUs > best->bound.extraUs)) break;
        const bool worthMore = more->bound.extraUs > (1 + kWorthMore) * best->bound.extraUs;
        best = more;
        if (!worthMore) break;
    }
    return best->bound;
}

} // namespace

const BoundMethod &k_cut_lp()
{
    static const BoundMethod method = {"K-cut LP",
                                       "chains of recomputations at several ops, in parts",
                                       "Jain et al., MLSys 2020, on some slots",
                                       50,
                                       false,
                                       runKCutLp};
    return method;
}

} // namespace remat::boundMethod
