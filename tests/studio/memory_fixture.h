// SPDX-License-Identifier: Apache-2.0
// Documents for tests of the memory view.
#pragma once

#include "app/studio/work/document/document.h"
#include "tests/support/memory_models.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>

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

/// The pointer over `widget` at that place of it.
inline void move(QWidget &widget, QPointF to, Qt::MouseButtons buttons = Qt::NoButton)
{
    QMouseEvent event(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, buttons, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

/// A turn of the wheel over `widget`, away from the hand where `notches` is above zero.
inline void turnWheel(QWidget &widget, QPoint at, int notches)
{
    QWheelEvent event(QPointF(at), widget.mapToGlobal(QPointF(at)), {}, {0, 120 * notches}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

} // namespace remat::studio::fixture
