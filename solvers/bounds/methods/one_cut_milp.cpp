// SPDX-License-Identifier: Apache-2.0
// The closure problem at one cut with whole storages.
#include "core/bounds/cut_network.h"
#include "solvers/bounds/bound_method.h"
#include "solvers/bounds/cut_reach.h"
#include "solvers/ilp/cbc.h"

#include <algorithm>
#include <cmath>

namespace remat::boundMethod {

namespace {

/// Ops cost up to this share less, each another one, so that identical layers are not all the same to the search.
constexpr double kTieBreak = 1e-6;
/// Slack in the memory row, for CBC's tolerances.
constexpr double kSlack = 1e-7;

struct OneCutModel {
    ilp::Model model;
    std::vector<int> again; ///< column per op, -1: none
    std::vector<int> held;  ///< column per storage, -1: none
};

class Builder
{
public:
    Builder(const BoundProblem &problem, OpId cut) : m_problem(problem), m_graph(problem.graph)
    {
        m_out.again.assign(m_graph.ops.size(), -1);
        m_out.held.assign(m_graph.storages.size(), -1);
        m_reach = reachOfCut(m_graph, needsOf(m_graph), cut, tinyBytes(m_graph, problem.budgetBytes), {});
    }

    OneCutModel build()
    {
        const std::int64_t capacityBytes = capacityAtCut(m_graph, m_problem.costs, m_reach.cut, m_problem.budgetBytes);
        addColumns(capacityBytes);
        ilp::Model &model = m_out.model;
        const double capacity = static_cast<double>(std::max<std::int64_t>(1, capacityBytes));
        std::vector<ilp::Term> memory;
        for (const StorageId storage : m_reach.storages) {
            const double bytes = static_cast<double>(m_graph.storage(storage).bytes);
            memory.push_back({m_out.held[storage.index()], 1000 * bytes / capacity});
            if (m_reach.demanded[storage.index()]) model.addAtLeast(1, heldOrAgain(storage));
        }
        model.addAtMost(std::move(memory), 1000 * (1 + kSlack));
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            if (m_out.again[i] < 0) continue;
            for (const StorageId input : m_graph.ops[i].inputs) {
                if (!m_reach.has[input.index()]) continue;
                std::vector<ilp::Term> row = heldOrAgain(input);
                row.push_back({m_out.again[i], -1});
                model.addAtLeast(0, std::move(row));
            }
        }
        return std::move(m_out);
    }

private:
    void addColumns(std::int64_t capacityBytes)
    {
        const double ops = static_cast<double>(m_graph.ops.size());
        for (const StorageId storage : m_reach.storages) {
            // Whole by itself once all ops are decided, but said all the same, for cover cuts on the memory row.
            m_out.held[storage.index()] = m_out.model.addBinary(0);
            if (m_graph.storage(storage).bytes > capacityBytes) m_out.model.fix(m_out.held[storage.index()], 0);
            const OpId op = m_graph.storage(storage).producer;
            if (m_graph.op(op).computeOnce || m_out.again[op.index()] >= 0) continue;
            const double less = 1 - kTieBreak * static_cast<double>(op.value) / ops;
            m_out.again[op.index()] = m_out.model.addBinary(m_problem.costs.time(op) * less);
        }
    }

    std::vector<ilp::Term> heldOrAgain(StorageId storage) const
    {
        std::vector<ilp::Term> row = {{m_out.held[storage.index()], 1}};
        const int again = m_out.again[m_graph.storage(storage).producer.index()];
        if (again >= 0) row.push_back({again, 1});
        return row;
    }

    const BoundProblem &m_problem;
    const Graph &m_graph;
    CutReach m_reach;
    OneCutModel m_out;
};

/// The choice of the closure bound, which fits, as a solution.
std::vector<double> startOf(const OneCutModel &cut, const CutClosure &closure)
{
    std::vector<double> x(static_cast<std::size_t>(cut.model.columns()), 0);
    const auto set = [&](int column) {
        if (column >= 0) x[static_cast<std::size_t>(column)] = 1;
    };
    for (const StorageId storage : closure.kept)
        set(cut.held[storage.index()]);
    for (const OpId op : closure.recomputed)
        set(cut.again[op.index()]);
    return x;
}

/// Where the solution beats the choice that is known, it takes its place.
void takeChoice(const BoundProblem &problem, const OneCutModel &cut, const std::vector<double> &x, CutClosure &closure)
{
    ClosureChoice choice;
    choice.again.assign(problem.graph.ops.size(), 0);
    for (std::size_t i = 0; i < choice.again.size(); ++i)
        choice.again[i] = cut.again[i] >= 0 && x[static_cast<std::size_t>(cut.again[i])] > 0.5 ? 1 : 0;
    std::vector<char> marks;
    std::vector<StorageId> kept;
    std::vector<OpId> recomputed;
    weighAtCut(problem.graph, problem.costs, needsOf(problem.graph), closure.bound.cut, choice, marks, &kept,
               &recomputed);
    if (choice.bytes > capacityAtCut(problem.graph, problem.costs, closure.bound.cut, problem.budgetBytes)) return;
    std::sort(kept.begin(), kept.end());
    std::sort(recomputed.begin(), recomputed.end());
    closure.kept = std::move(kept);
    closure.recomputed = std::move(recomputed);
}

std::optional<TimeBound> runOneCutMilp(const BoundProblem &problem, BoundsSoFar &soFar)
{
    const OpId closureCut = soFar.closure.bound.cut, bestCut = soFar.best.cut;
    std::optional<TimeBound> best;
    for (const OpId cut : {closureCut, bestCut}) {
        if (!cut || (best && bestCut == closureCut)) continue;
        const OneCutModel model = Builder(problem, cut).build();
        ilp::Limits limits;
        limits.stop = problem.stop;
        limits.deadline = problem.deadline;
        limits.iterations = problem.iterations;
        limits.effort = ilp::Effort::Small; // proves more in seconds than presolve and heuristics do
        if (cut == closureCut) limits.start = startOf(model, soFar.closure);
        // A solve that is cut short may give up nodes on the way out, so that only what it said before counts.
        double provenUs = 0;
        limits.progress = [&](const ilp::Progress &progress) {
            if (std::isfinite(progress.bound)) provenUs = std::max(provenUs, progress.bound);
        };
        const ilp::Solution solution = ilp::solve(model.model, limits);
        soFar.iterations += solution.iterations;
        if (cut == closureCut && solution.found()) takeChoice(problem, model, solution.x, soFar.closure);
        if (solution.status == ilp::Status::Optimal) provenUs = std::max(provenUs, solution.bound);
        const TimeBound bound = timeBoundOf(problem, "one-cut MILP", provenUs * (1 - 1e-7), cut);
        if (!best || bound.extraUs > best->extraUs) best = bound;
    }
    return best;
}

} // namespace

const BoundMethod &one_cut_milp()
{
    static const BoundMethod method = {
        "one-cut MILP", "whole chains of recomputations at one op", "Picard 1976; branch and cut", 40, false,
        runOneCutMilp};
    return method;
}

} // namespace remat::boundMethod
