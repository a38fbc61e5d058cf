// SPDX-License-Identifier: Apache-2.0
// A memory view on a plan, for the tests of what it shows and of what mouse and keys do.
#pragma once

#include "app/studio/views/memory/memory_view.h"
#include "tests/studio/memory_fixture.h"

#include <QTest>

#include <cmath>

namespace remat::studio::fixture {

/// A view on a document of twelve layers.
struct MemoryStage {
    Document document;
    MemoryView view{&document};
    MemoryCanvas &canvas = *view.canvas();

    explicit MemoryStage(QSize size = {1272, 334}, bool filled = true)
    {
        if (filled) fill(document, memoryGraph(12));
        view.resize(size);
        view.show();
        QTest::qWait(0);
    }
    const MemoryTimeline &timeline() const { return *document.currentPlan()->timeline; }
    const Graph &graph() const { return document.model()->graph(); }
    QPoint budgetPoint() const
    {
        return {700, static_cast<int>(std::lround(canvas.layout().budgetY(document.budgetBytes())))};
    }
    /// The middle of a sample, at a height in bytes.
    QPoint at(std::size_t sample, double bytes = 0) const
    {
        const auto &edges = canvas.scene().axis().edges();
        const studio::MemoryLayout layout = canvas.layout();
        return QPointF(layout.x.pixel((edges[sample] + edges[sample + 1]) / 2), layout.y.pixel(bytes)).toPoint();
    }
};

} // namespace remat::studio::fixture
