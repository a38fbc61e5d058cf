// How a Model gets into Clp, and how Clp is told to stop. For the files of this folder only.
#pragma once

#include "solvers/ilp/cbc.h"

#include <ClpEventHandler.hpp>
#include <OsiClpSolverInterface.hpp>

namespace remat::ilp {

inline bool shouldStop(const Limits &limits)
{
    return (limits.stop && limits.stop->stopRequested()) || limits.deadline.passed();
}

/// Ends linear programs, too: CBC looks at its clock only between them, and one of a large model takes seconds.
class LinearWatcher final : public ClpEventHandler
{
public:
    explicit LinearWatcher(const Limits &limits) : m_limits(&limits) {}
    ClpEventHandler *clone() const override { return new LinearWatcher(*this); }
    int event(Event what) override;

private:
    const Limits *m_limits;
    unsigned m_iterations = 0;
};

/// Fills an empty solver, and keeps it quiet.
void loadModel(OsiClpSolverInterface &solver, const Model &model);

} // namespace remat::ilp
