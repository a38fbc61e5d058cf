// SPDX-License-Identifier: Apache-2.0
// Linear relaxations by Clp, with bounds that hold whatever the solver's tolerances are.
#pragma once

#include "solvers/ilp/cbc.h"

#include <memory>

namespace remat::ilp {

/// What is known of a linear relaxation after a solve.
struct Relaxation {
    Status status = Status::Failed; ///< Optimal, Infeasible, Stopped or Failed; never Feasible
    std::vector<double> x;          ///< set when Optimal
    std::vector<double>
        reducedCosts;            ///< per column: objective less what the duals pay for; set when Optimal or Stopped
    std::vector<double> prices;  ///< per row: its dual; set when Optimal or Stopped
    std::int64_t iterations = 0; ///< iterations of the simplex method that the solve took
    double objective = kInfinity;
    /// No solution of the model has a lower objective: worked out anew from the duals (Neumaier and Shcherbina, Safe
    /// bounds in linear and mixed-integer linear programming, 2004), so that a solve that was stopped gives one, too.
    /// Infinite when infeasible.
    double bound = -kInfinity;
};

/// A model without wholeness that is solved, extended by rows or given other limits, and solved again, each time from
/// where the last solve ended: the dual simplex method then takes few iterations. One thread at a time; several objects
/// may be used side by side. Prints nothing.
class LinearProgram
{
public:
    explicit LinearProgram(const Model &model);
    ~LinearProgram();
    LinearProgram(const LinearProgram &) = delete;
    LinearProgram &operator=(const LinearProgram &) = delete;

    /// Solves the program. Only stop, deadline and iterations of the limits count.
    Relaxation solve(const Limits &limits);
    /// Takes over the rows that `model`, otherwise the one this was made from, has more than at the last call.
    void addRowsOf(const Model &model);
    /// Takes over the rows' limits of `model`, which has the rows and columns of the last one.
    void takeLimitsOf(const Model &model);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Fixes 0/1 columns that no solution of less than `most` has at their other bound, by the reduced costs of a
/// relaxation of the model; how many.
int fixByReducedCosts(Model &model, const Relaxation &relaxation, double most);

/// The relaxation of a model, once.
Relaxation solveRelaxation(const Model &model, const Limits &limits);

/// A bound on the objective of every x within the model's rows and bounds, from any prices per row: those of a solver,
/// whose signs need not be right. O(terms). `reducedCosts` may be null.
double boundFromDuals(const Model &model, const std::vector<double> &duals, std::vector<double> *reducedCosts);

} // namespace remat::ilp
