// SPDX-License-Identifier: Apache-2.0
#include "solvers/ilp/in_process.h"

// First, since CBC's other headers lean on it.
#include <CbcModel.hpp>

#include "core/base/turn.h"
#include "solvers/ilp/clp_model.h"

#include <CbcCutGenerator.hpp>
#include <CbcEventHandler.hpp>
#include <CbcHeuristic.hpp>
#include <CbcSolver.hpp>
#include <CglGomory.hpp>
#include <CglKnapsackCover.hpp>
#include <CglMixedIntegerRounding2.hpp>
#include <CglProbing.hpp>
#include <ClpSimplex.hpp>
#include <CoinError.hpp>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

namespace remat::ilp {

namespace {

/// Told by CBC at every node and solution; CBC copies it freely, so it only points to the limits and to where the bound
/// goes. What CBC says about its bound when it has ended is wrong when a linear program was cut short, so the bound of
/// the last node before that is kept.
class Watcher final : public CbcEventHandler
{
public:
    Watcher(const Meter &meter, double &bound) : m_meter(&meter), m_bound(&bound) {}
    CbcEventHandler *clone() const override { return new Watcher(*this); }

    CbcAction event(CbcEvent what) override
    {
        if (m_meter->shouldStop()) return stop;
        // Sub-searches of heuristics (RINS, mini branch and bound) report too, with figures of their own model.
        const bool own = model_ && !model_->parentModel();
        if (own && what == node && std::abs(model_->getBestPossibleObjValue()) < 1e40)
            *m_bound = std::max(*m_bound, model_->getBestPossibleObjValue());
        if (own && what == node && closeToKnown(model_->getBestPossibleObjValue())) return stop;
        const auto &tell = m_meter->limits.progress;
        if (own && tell && (what == node || what == solution || what == heuristicSolution)) {
            Progress progress;
            if (model_->getObjValue() < 1e40) progress.incumbent = model_->getObjValue();
            if (std::abs(model_->getBestPossibleObjValue()) < 1e40) progress.bound = model_->getBestPossibleObjValue();
            tell(progress);
        }
        return noAction;
    }

private:
    bool closeToKnown(double bound) const
    {
        const Limits &limits = m_meter->limits;
        if (!std::isfinite(limits.known) || std::abs(bound) > 1e40) return false;
        return limits.known - bound <= std::max(limits.absoluteGap, limits.relativeGap * limits.known);
    }

    const Meter *m_meter;
    double *m_bound;
};

void setLimits(CbcModel &cbc, const Meter &meter, double &bound)
{
    const Limits &limits = meter.limits;
    cbc.setLogLevel(0);
    cbc.messageHandler()->setLogLevel(0);
    cbc.setUseElapsedTime(true);
    cbc.setAllowableFractionGap(limits.relativeGap);
    cbc.setAllowableGap(limits.absoluteGap);
    cbc.setIntegerTolerance(1e-7);
    cbc.setRandomSeed(limits.seed);
    if (std::isfinite(limits.deadline.secondsLeft())) cbc.setMaximumSeconds(limits.deadline.secondsLeft());
    Watcher watcher(meter, bound);
    cbc.passInEventHandler(&watcher);
}

double cutoffOf(const Model &model, const Limits &limits)
{
    const double start = limits.start.empty() ? 1e50 : objectiveOf(model, limits.start);
    return std::min({start, limits.known, 1e50});
}

/// Plain branch and bound: what presolve and heuristics would cost is more than these models take as a whole.
void solveSmall(const Model &model, CbcModel &cbc, const Meter &meter, double &bound)
{
    setLimits(cbc, meter, bound);
    CglProbing probing;
    probing.setUsingObjective(1);
    probing.setMaxPass(1);
    probing.setMaxLook(10);
    CglGomory gomory;
    gomory.setLimit(100);
    CglKnapsackCover cover;
    CglMixedIntegerRounding2 rounding;
    cbc.addCutGenerator(&probing, -1, "Probing");
    cbc.addCutGenerator(&gomory, -1, "Gomory");
    cbc.addCutGenerator(&cover, -1, "Cover");
    cbc.addCutGenerator(&rounding, -1, "Rounding");
    CbcRounding simple(cbc);
    cbc.addHeuristic(&simple);
    cbc.setCutoff(cutoffOf(model, meter.limits));
    cbc.initialSolve();
    cbc.branchAndBound();
}

/// CBC's own driver with its default settings. It keeps its state in globals, so one solve at a time in the whole
/// process: others wait, as long as they may.
void solveFull(const Model &model, CbcModel &cbc, const Meter &meter, double &bound)
{
    const Limits &limits = meter.limits;
    static std::mutex oneAtATime;
    const auto turn = takeTurn(oneAtATime, [&meter] { return meter.shouldStop(); });
    if (!turn.owns_lock()) return;
    CbcSolverUsefulData data;
    data.noPrinting_ = true;
    CbcMain0(cbc, data);
    data.noPrinting_ = true;
    setLimits(cbc, meter, bound);
    const std::string seconds = std::to_string(std::min(limits.deadline.secondsLeft(), 1e8));
    const std::string ratio = std::to_string(limits.relativeGap), gap = std::to_string(limits.absoluteGap);
    const std::string cutoff = std::to_string(cutoffOf(model, limits));
    std::vector<const char *> arguments = {"cbc", "-log", "0", "-timeMode", "elapsed"};
    arguments.insert(arguments.end(), {"-sec", seconds.c_str(), "-ratio", ratio.c_str(), "-allow", gap.c_str()});
    arguments.insert(arguments.end(), {"-cutoff", cutoff.c_str()});
    if (limits.effort == Effort::AsIs) arguments.insert(arguments.end(), {"-preprocess", "off"});
    arguments.insert(arguments.end(), {"-solve", "-quit"});
    CbcMain1(
        static_cast<int>(arguments.size()), arguments.data(), cbc, [](CbcModel *, int) { return 0; }, data);
}

Solution readSolution(const Model &model, const Meter &meter, const CbcModel &cbc, double bound)
{
    Solution solution;
    // Linear programs that were cut short look infeasible to CBC, so nothing is proven then.
    const bool cut = meter.shouldStop(), proven = !cut && cbc.isProvenOptimal();
    solution.bound = cut ? bound : cbc.getBestPossibleObjValue();
    if (!cut && (cbc.isProvenInfeasible() || (cbc.status() == 0 && cbc.secondaryStatus() == 1))) {
        solution.status = Status::Infeasible;
        return solution;
    }
    if (!cbc.bestSolution()) {
        solution.status = cut || cbc.status() == 1 || cbc.status() == 5 ? Status::Stopped : Status::Failed;
        return solution;
    }
    solution.x.assign(cbc.bestSolution(), cbc.bestSolution() + model.columns());
    for (std::size_t c = 0; c < solution.x.size(); ++c)
        if (model.integer[c]) solution.x[c] = std::round(solution.x[c]);
    if (violation(model, solution.x) > kTolerance) return {};
    solution.objective = objectiveOf(model, solution.x);
    solution.status = proven ? Status::Optimal : Status::Feasible;
    if (proven) solution.bound = std::min(std::max(solution.bound, -kInfinity), solution.objective);
    return solution;
}

} // namespace

Solution solveInProcess(const Model &model, const Limits &limits)
{
    Meter meter{limits};
    if (meter.shouldStop()) return {Status::Stopped, {}, kInfinity, -kInfinity};
    try {
        OsiClpSolverInterface solver;
        loadModel(solver, model);
        LinearWatcher watcher(meter);
        solver.getModelPtr()->passInEventHandler(&watcher);
        CbcModel cbc(solver);
        double bound = -kInfinity;
        if (limits.effort == Effort::Small)
            solveSmall(model, cbc, meter, bound);
        else
            solveFull(model, cbc, meter, bound);
        Solution solution = readSolution(model, meter, cbc, bound);
        solution.iterations = meter.iterations;
        return solution;
    } catch (const CoinError &) {
        return {};
    }
}

} // namespace remat::ilp
