// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/window/graphs.h"
#include "tests/benchmarks/window/scenes.h"

#include <QApplication>
#include <QLocale>
#include <QSlider>

#include <algorithm>
#include <numeric>
#include <utility>

namespace remat::bench {

namespace {

/// The same step with twice as many samples: every tensor has twice as many bytes.
Graph twice(Graph graph)
{
    for (Storage &storage : graph.storages)
        if (storage.kind != StorageKind::Parameter) storage.bytes *= 2;
    return graph;
}

/// Batches whose figures come while the slider is dragged, in each second.
Measure draggingBatch(Bench &bench, const QString &otherPath)
{
    Measure measure{QStringLiteral("batches told while dragging"), QStringLiteral("1/s"), {}, {}, 0, 0, 0};
    BatchOutlook &batches = bench.window().session().batches;
    batches.open(otherPath);
    if (!bench.spin([&] { return batches.other() != nullptr; }, 60)) qFatal("%s", qPrintable(batches.problem()));
    bench.document().setBudget(8 * bench.document().model()->keepAllPeakBytes); // some dozen batches to drag over
    bench.settle();
    auto *slider = bench.window().findChild<QSlider *>(QStringLiteral("batchSlider"));
    int told = 0;
    std::int64_t last = batches.batch();
    const auto count = QObject::connect(&batches, &BatchOutlook::changed, slider, [&] {
        if (batches.figures() && std::exchange(last, batches.figures()->batch) != batches.figures()->batch) ++told;
    });
    slider->setSliderDown(true);
    for (int second = 0; second < 3; ++second) {
        told = 0;
        const double begin = wallMs(), cpu = threadMs();
        for (int move = 0; move < 60; ++move) {
            slider->setSliderPosition(1 + (second * 60 + move) % slider->maximum());
            bench.spin([&] { return wallMs() >= begin + (move + 1) * 1000.0 / 60; }, 1);
        }
        measure.wall.push_back(told * 1000.0 / (wallMs() - begin));
        measure.cpu.push_back(threadMs() - cpu);
    }
    slider->setSliderDown(false);
    QObject::disconnect(count);
    bench.settle();
    return measure;
}

} // namespace

std::vector<Measure> largeGraph(Bench &bench, const QTemporaryDir &folder, int layers, double leastPlans)
{
    const Graph graph = unlikeLayers(layers);
    const QString size = QLocale::c().toString(static_cast<qlonglong>(graph.ops.size())) + QStringLiteral(" ops");
    const auto title = [&](const char *what) { return size + QStringLiteral(", ") + QLatin1String(what); };
    std::vector<Measure> measures;
    const QString path = writeGraph(folder, graph, QStringLiteral("large%1").arg(layers));
    // Everything but the GUI thread, which spins here; no limit in wall time, since the machine may have other work.
    const double before = processMs() - threadMs();
    measures.push_back(opening(bench, title("open"), {path}, 5000));
    bench.window().workspace()->showView(QStringLiteral("curve"));
    bench.spin([] { return false; }, 1); // what waits for a moment of rest has begun
    bench.settle();
    Measure background{title("background work"), QStringLiteral("ms"), {}, {}, 10000, 10000, 0};
    background.wall.push_back(processMs() - threadMs() - before);
    measures.push_back(background);

    GraphCanvas &canvas = *bench.graph().canvas();
    const QPointF middle(canvas.width() / 2.0, canvas.height() / 2.0);
    bench.window().workspace()->showView(QStringLiteral("graph"));
    const double beforeDrag = processMs() - threadMs();
    Measure drag = dragging(bench);
    drag.name = title("plans shown while dragging");
    drag.least = leastPlans;
    measures.push_back(drag);
    // On a busy machine plans come late, but each takes the processor as long as on a quiet one.
    Measure each{title("processor time of such a plan"), QStringLiteral("ms"), {}, {}, 1000 / leastPlans, 0, 0};
    const double plans = std::accumulate(drag.wall.begin(), drag.wall.end(), 0.0); // each of these is of one second
    each.wall.push_back((processMs() - threadMs() - beforeDrag) / std::max(plans, 1.0));
    measures.push_back(each);

    bench.graph().revealPath(QStringLiteral("model.h.0"));
    bench.settle();
    Measure expand{title("expand a block"), QStringLiteral("ms"), {}, {}, 16, 33, 0};
    for (int layer = 0; layer < std::min(200, layers); ++layer) {
        const double begin = wallMs(), beginCpu = threadMs();
        bench.graph().expand(QStringLiteral("model.h.%1").arg(layer));
        bench.spin([&] { return !bench.graph().layoutPending(); }, 30);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::UpdateRequest);
        QCoreApplication::processEvents();
        expand.wall.push_back(wallMs() - begin);
        expand.cpu.push_back(threadMs() - beginCpu);
    }
    measures.push_back(expand);
    for (const double scale : {1.0, 0.3, 0.1}) {
        canvas.setSight(scale, {0, -4000 * scale});
        bench.settle();
        Measure pan{title("pan at ") + QString::number(scale), QStringLiteral("ms"), {}, {}, 16, 33, 0};
        for (int i = 0; i < 200; ++i)
            bench.frame(pan, [&] { Bench::wheel(canvas, middle, i % 50 < 40 ? -240 : 240, {}); });
        measures.push_back(pan);
    }
    for (Measure &measure : timelineFrames(bench)) {
        measure.name = size + QStringLiteral(", ") + measure.name;
        measures.push_back(measure);
    }
    Measure batch = draggingBatch(bench, writeGraph(folder, twice(graph), QStringLiteral("large%1twice").arg(layers)));
    batch.name = title("batches told while dragging");
    measures.push_back(batch);
    return measures;
}

} // namespace remat::bench
