// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/window/scenes.h"

namespace remat::bench {

std::vector<Measure> graphFrames(Bench &bench)
{
    GraphCanvas &canvas = *bench.graph().canvas();
    const QPointF middle(canvas.width() / 2.0, canvas.height() / 2.0);
    std::vector<Measure> measures;
    for (const double scale : {1.0, 0.5, 0.3, 0.1}) {
        canvas.setSight(scale, {0, -4000 * scale});
        bench.settle();
        Measure pan{QStringLiteral("graph, pan at %1").arg(scale), QStringLiteral("ms"), {}, {}, 16, 33, 0};
        for (int i = 0; i < 200; ++i)
            bench.frame(pan, [&] { Bench::wheel(canvas, middle, i % 50 < 40 ? -240 : 240, {}); });
        measures.push_back(pan);
    }
    Measure zoom{QStringLiteral("graph, zoom 0.05 to 3"), QStringLiteral("ms"), {}, {}, 16, 33, 0};
    canvas.setSight(1, {0, -4000});
    for (int i = 0; i < 240; ++i)
        bench.frame(zoom, [&] { Bench::wheel(canvas, middle, (i / 20) % 2 ? 120 : -120, Qt::ControlModifier); });
    measures.push_back(zoom);
    return measures;
}

std::vector<Measure> timelineFrames(Bench &bench)
{
    MemoryCanvas &canvas = bench.memory();
    const QPointF middle(canvas.layout().plot.center());
    Measure pan{QStringLiteral("timeline, pan"), QStringLiteral("ms"), {}, {}, 16, 33, 0};
    Measure zoom{QStringLiteral("timeline, zoom"), QStringLiteral("ms"), {}, {}, 16, 33, 0};
    Measure hover{QStringLiteral("timeline, cursor in all views"), QStringLiteral("ms"), {}, {}, 16, 33, 0};
    for (int i = 0; i < 200; ++i)
        bench.frame(zoom, [&] { Bench::wheel(canvas, middle, (i / 25) % 2 ? -120 : 120, Qt::ControlModifier); });
    for (int i = 0; i < 8; ++i)
        Bench::wheel(canvas, middle, 120, Qt::ControlModifier);
    for (int i = 0; i < 200; ++i)
        bench.frame(pan, [&] { Bench::wheel(canvas, middle, i % 50 < 25 ? -120 : 120, Qt::ShiftModifier); });
    for (int i = 0; i < 200; ++i)
        bench.frame(hover, [&] {
            Bench::mouse(canvas, QEvent::MouseMove, {canvas.layout().plot.left() + 4.0 * i, middle.y()});
        });
    return {zoom, pan, hover};
}

} // namespace remat::bench
