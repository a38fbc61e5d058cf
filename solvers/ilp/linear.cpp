// SPDX-License-Identifier: Apache-2.0
#include "solvers/ilp/linear.h"

#include "solvers/ilp/clp_model.h"

#include <ClpSimplex.hpp>
#include <ClpSolve.hpp>
#include <CoinError.hpp>

#include <algorithm>
#include <cmath>

namespace remat::ilp {

struct LinearProgram::State {
    explicit State(const Model &of) : model(of) { loadModel(solver, of); }

    Model model;
    OsiClpSolverInterface solver;
    bool solvedBefore = false;
};

LinearProgram::LinearProgram(const Model &model) : m_state(std::make_unique<State>(model)) {}
LinearProgram::~LinearProgram() = default;

void LinearProgram::addRowsOf(const Model &model)
{
    ClpSimplex &clp = *m_state->solver.getModelPtr();
    for (int r = m_state->model.rows(); r < model.rows(); ++r) {
        std::vector<int> columns;
        std::vector<double> values;
        for (int i = model.rowStart[r]; i < model.rowStart[r + 1]; ++i) {
            columns.push_back(model.terms[i].column);
            values.push_back(model.terms[i].value);
        }
        clp.addRow(static_cast<int>(columns.size()), columns.data(), values.data(),
                   std::max(model.rowLower[r], -COIN_DBL_MAX), std::min(model.rowUpper[r], COIN_DBL_MAX));
    }
    m_state->model = model;
}

void LinearProgram::takeLimitsOf(const Model &model)
{
    ClpSimplex &clp = *m_state->solver.getModelPtr();
    for (int r = 0; r < model.rows(); ++r)
        clp.setRowBounds(r, std::max(model.rowLower[r], -COIN_DBL_MAX), std::min(model.rowUpper[r], COIN_DBL_MAX));
    m_state->model.rowLower = model.rowLower;
    m_state->model.rowUpper = model.rowUpper;
}

Relaxation LinearProgram::solve(const Limits &limits)
{
    Relaxation relaxation;
    relaxation.status = Status::Stopped;
    Meter meter{limits};
    if (meter.shouldStop()) return relaxation;
    try {
        ClpSimplex &clp = *m_state->solver.getModelPtr();
        LinearWatcher watcher(meter);
        clp.passInEventHandler(&watcher);
        clp.setLogLevel(0);
        if (m_state->solvedBefore) {
            clp.dual();
        } else {
            ClpSolve how;
            how.setSolveType(ClpSolve::automatic);
            how.setPresolveType(ClpSolve::presolveOn);
            clp.initialSolve(how);
        }
        m_state->solvedBefore = true;
        relaxation.iterations = meter.iterations;
        if (clp.isProvenPrimalInfeasible() && !meter.shouldStop()) {
            relaxation.status = Status::Infeasible;
            relaxation.bound = kInfinity;
            return relaxation;
        }
        const Model &model = m_state->model;
        const double *duals = clp.dualRowSolution();
        relaxation.prices.assign(duals, duals + model.rows());
        relaxation.bound = boundFromDuals(model, relaxation.prices, &relaxation.reducedCosts);
        if (!clp.isProvenOptimal()) {
            relaxation.status = meter.shouldStop() ? Status::Stopped : Status::Failed;
            return relaxation;
        }
        const double *x = clp.primalColumnSolution();
        relaxation.x.assign(x, x + model.columns());
        for (std::size_t c = 0; c < relaxation.x.size(); ++c)
            relaxation.x[c] = std::clamp(relaxation.x[c], model.lower[c], model.upper[c]);
        relaxation.objective = objectiveOf(model, relaxation.x);
        relaxation.status = Status::Optimal;
        return relaxation;
    } catch (const CoinError &) {
        return {};
    }
}

int fixByReducedCosts(Model &model, const Relaxation &relaxation, double most)
{
    const double room = most - relaxation.bound;
    if (relaxation.reducedCosts.empty() || !std::isfinite(room)) return 0;
    int fixed = 0;
    for (int c = 0; c < model.columns(); ++c) {
        if (!model.integer[c] || std::abs(relaxation.reducedCosts[c]) <= room) continue;
        model.fix(c, relaxation.reducedCosts[c] > 0 ? model.lower[c] : model.upper[c]);
        ++fixed;
    }
    return fixed;
}

Relaxation solveRelaxation(const Model &model, const Limits &limits)
{
    return LinearProgram(model).solve(limits);
}

double boundFromDuals(const Model &model, const std::vector<double> &duals, std::vector<double> *reducedCosts)
{
    std::vector<double> reduced = model.objective;
    double bound = 0;
    for (int r = 0; r < model.rows(); ++r) {
        const double side = duals[r] > 0 ? model.rowLower[r] : model.rowUpper[r];
        if (duals[r] == 0 || std::isinf(side)) continue;
        bound += duals[r] * side;
        for (int i = model.rowStart[r]; i < model.rowStart[r + 1]; ++i)
            reduced[model.terms[i].column] -= duals[r] * model.terms[i].value;
    }
    for (int c = 0; c < model.columns(); ++c)
        if (reduced[c] != 0) bound += reduced[c] * (reduced[c] > 0 ? model.lower[c] : model.upper[c]);
    if (reducedCosts) *reducedCosts = std::move(reduced);
    return bound;
}

} // namespace remat::ilp
