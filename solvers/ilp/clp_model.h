// SPDX-License-Identifier: Apache-2.0
// How a Model gets into Clp, and how Clp is told to stop. For the files of this folder only.
#pragma once

#include "solvers/ilp/cbc.h"

#include <ClpEventHandler.hpp>
#include <OsiClpSolverInterface.hpp>

namespace remat::ilp {

/// How far a solve has come, against its limits. Every copy of an event handler points to the same one.
struct Meter {
    const Limits &limits;
    std::int64_t iterations = 0;

    bool shouldStop() const
    {
        return iterations >= limits.iterations || (limits.stop && limits.stop->stopRequested()) ||
               limits.deadline.passed();
    }
};

/// Ends linear programs, too: CBC looks at its clock only between them, and one of a large model takes seconds.
class LinearWatcher final : public ClpEventHandler
{
public:
    explicit LinearWatcher(Meter &meter) : m_meter(&meter) {}
    ClpEventHandler *clone() const override { return new LinearWatcher(*this); }
    int event(Event what) override;

private:
    Meter *m_meter;
};

/// Fills an empty solver, and keeps it quiet.
void loadModel(OsiClpSolverInterface &solver, const Model &model);

} // namespace remat::ilp
