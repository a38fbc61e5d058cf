// SPDX-License-Identifier: Apache-2.0
// Documents for tests of the memory view.
#pragma once

#include "app/studio/work/document/document.h"
#include "tests/support/memory_models.h"

namespace remat::studio::fixture {

using remat::test::memoryGraph;
using remat::test::planEntry;
using remat::test::segmentedSequence;

inline std::shared_ptr<const CostedModel> costedModel(Model model)
{
    return remat::test::memoryModel(std::move(model));
}

/// Fills a document: model, a plan that recomputes, and a budget a little above the plan's peak.
inline void fill(Document &document, Graph graph)
{
    Model model;
    model.graph = std::move(graph);
    document.setModel(costedModel(std::move(model)));
    const auto costed = document.model();
    document.addPlan(planEntry(*costed, withEarliestFrees(costed->graph(), segmentedSequence(costed->graph())),
                               document.nextPlanId()));
    document.setBudget(document.currentPlan()->timeline->peakBytes + costed->keepAll->peakBytes / 200);
}

} // namespace remat::studio::fixture
