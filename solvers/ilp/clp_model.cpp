// SPDX-License-Identifier: Apache-2.0
#include "solvers/ilp/clp_model.h"

#include <CoinMessageHandler.hpp>
#include <algorithm>

namespace remat::ilp {

namespace {

/// Drops every message: log levels are lost in copies that CBC makes, whose presolve then writes to standard output.
class Silence final : public CoinMessageHandler
{
public:
    CoinMessageHandler *clone() const override { return new Silence(*this); }
    int print() override { return 0; }
};

} // namespace

int LinearWatcher::event(Event what)
{
    constexpr int kGoOn = -1, kStop = 5;
    const bool iteration = what == endOfIteration;
    if (iteration) ++m_meter->iterations;
    if (iteration && m_meter->iterations % 16 != 0) return kGoOn;
    return m_meter->shouldStop() ? kStop : kGoOn;
}

void loadModel(OsiClpSolverInterface &solver, const Model &model)
{
    thread_local Silence silence; // handlers put their messages together inside, so one per thread
    solver.passInMessageHandler(&silence);
    solver.messageHandler()->setLogLevel(0);
    solver.setHintParam(OsiDoReducePrint, true, OsiHintTry);
    std::vector<int> columns(model.terms.size());
    std::vector<double> values(model.terms.size());
    for (std::size_t i = 0; i < model.terms.size(); ++i) {
        columns[i] = model.terms[i].column;
        values[i] = model.terms[i].value;
    }
    std::vector<CoinBigIndex> starts(model.rowStart.begin(), model.rowStart.end());
    std::vector<int> lengths(static_cast<std::size_t>(model.rows()));
    for (std::size_t r = 0; r < lengths.size(); ++r)
        lengths[r] = model.rowStart[r + 1] - model.rowStart[r];
    CoinPackedMatrix matrix(false, model.columns(), model.rows(), starts.empty() ? 0 : starts.back(), values.data(),
                            columns.data(), starts.data(), lengths.data());
    const auto clip = [](std::vector<double> bounds) {
        for (double &bound : bounds)
            bound = std::clamp(bound, -COIN_DBL_MAX, COIN_DBL_MAX);
        return bounds;
    };
    solver.loadProblem(matrix, model.lower.data(), model.upper.data(), model.objective.data(),
                       clip(model.rowLower).data(), clip(model.rowUpper).data());
    for (int c = 0; c < model.columns(); ++c)
        if (model.integer[static_cast<std::size_t>(c)]) solver.setInteger(c);
}

} // namespace remat::ilp
