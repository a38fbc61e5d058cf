// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/lessons/lesson_panel.h"
#include "app/studio/shell/lessons/lessons.h"
#include "core/teaching/lessons/lesson_json.h"
#include "tests/benchmarks/window/graphs.h"
#include "tests/benchmarks/window/scenes.h"

#include <QApplication>

namespace remat::bench {

Measure opening(Bench &bench, const QString &title, const QStringList &paths, double most)
{
    Measure measure{title, QStringLiteral("ms"), {}, {}, most, most, 0};
    for (const QString &path : paths) {
        const auto before = bench.document().model();
        const double wall = wallMs(), cpu = threadMs();
        bench.window().openFile(path);
        bench.spin(
            [&] {
                return bench.document().model() != before && !bench.graph().layoutPending() &&
                       !bench.graph().scene().picture.items.empty();
            },
            60);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::UpdateRequest);
        QCoreApplication::processEvents();
        measure.wall.push_back(wallMs() - wall);
        measure.cpu.push_back(threadMs() - cpu);
        bench.settle();
    }
    return measure;
}

Measure expanding(Bench &bench, const QTemporaryDir &folder)
{
    Measure measure{QStringLiteral("expand a cluster of 400 nodes"), QStringLiteral("ms"), {}, {}, 150, 0, 0};
    for (int i = 0; i < 7; ++i) {
        // Another number of nodes each time, so that no layout is known already.
        bench.open(writeGraph(folder, wideClusters(400 - i), QStringLiteral("wide%1").arg(i)));
        GraphView &graph = bench.graph();
        const QString path = QStringLiteral("model.left");
        graph.revealPath(path);
        bench.settle();
        const int laidOut = graph.layouts().laidOut();
        if (graph.isExpanded(path)) qFatal("The cluster is open already.");
        const double wall = wallMs(), cpu = threadMs();
        graph.expand(path);
        bench.spin([&] { return !graph.layoutPending(); }, 20);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::UpdateRequest);
        QCoreApplication::processEvents();
        if (graph.layouts().laidOut() == laidOut) qFatal("Nothing was laid out.");
        measure.wall.push_back(wallMs() - wall);
        measure.cpu.push_back(threadMs() - cpu);
    }
    return measure;
}

Measure openingLessons(Bench &bench)
{
    Measure measure{QStringLiteral("open a lesson"), QStringLiteral("ms"), {}, {}, 1000, 1000, 0};
    for (const Lesson &lesson : readLessons()) {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        bench.spin([&] { return window.isVisible() && window.idle(); }, 30);
        const double wall = wallMs(), cpu = threadMs();
        if (!window.openLesson(QString::fromStdString(lesson.name), 1)) qFatal("%s", lesson.name.c_str());
        bench.spin([&] { return window.session().document.model() && window.idle(); }, 30);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::UpdateRequest);
        QCoreApplication::processEvents();
        if (!window.lessons().panel()->isVisible()) qFatal("%s is not open.", lesson.name.c_str());
        measure.wall.push_back(wallMs() - wall);
        measure.cpu.push_back(threadMs() - cpu);
    }
    return measure;
}

} // namespace remat::bench
