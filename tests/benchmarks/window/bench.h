// SPDX-License-Identifier: Apache-2.0
// The window and how it is driven.
#pragma once

#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "tests/benchmarks/window/measure.h"

#include <functional>

namespace remat::bench {

using namespace remat::studio;

/// GUI thread only.
class Bench
{
public:
    Bench();

    MainWindow &window() { return m_window; }
    Document &document() { return m_window.session().document; }
    GraphView &graph() { return *m_window.workspace()->graph(); }
    MemoryCanvas &memory() { return *m_window.workspace()->memory()->canvas(); }

    /// Handles events until then, or for so long; false when it was too long.
    bool spin(const std::function<bool()> &until, double seconds);
    /// Until nothing is left to do.
    void settle();

    /// Opens a file or a sample and settles; false where that did not come.
    bool open(const QString &path);
    bool openSample(const QString &name);

    /// What an input costs up to the last pixel: it is handled, and everything it changed is painted.
    void frame(Measure &measure, const std::function<void()> &input);

    static void wheel(QWidget &widget, QPointF at, int delta, Qt::KeyboardModifiers modifiers);
    static void mouse(QWidget &widget, QEvent::Type type, QPointF at);

private:
    MainWindow m_window;
};

} // namespace remat::bench
