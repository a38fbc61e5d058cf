// SPDX-License-Identifier: Apache-2.0
// remat-window-benchmark: drives the real window offscreen and measures what a person feels: frame times of graph and
// timeline, opening, expanding, answers while a solve runs, plans shown while the budget is dragged.
#include "app/studio/base/style/theme.h"
#include "tests/benchmarks/window/graphs.h"
#include "tests/benchmarks/window/scenes.h"
#include "tests/support/graphs.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>

using namespace remat;
using namespace remat::bench;

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    // Nothing of the person's own settings changes what is measured, or is changed.
    QTemporaryDir folder;
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("remat-studio-benchmark"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());

    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Measures the window of Remat Studio."));
    parser.addHelpOption();
    const QCommandLineOption json(QStringLiteral("json"), QStringLiteral("Prints one JSON object."));
    const QCommandLineOption trace(QStringLiteral("trace"), QStringLiteral("A large trace to open, too."),
                                   QStringLiteral("PT2"));
    const QCommandLineOption only(QStringLiteral("only"),
                                  QStringLiteral("Only these, by commas: graph, timeline, open, expand, answer, drag, "
                                                 "lessons, 10000, 50000."),
                                  QStringLiteral("LIST"));
    parser.addOptions({json, trace, only});
    parser.process(application);
    const QStringList chosen = parser.value(only).split(QLatin1Char(','), Qt::SkipEmptyParts);
    const auto wanted = [&](const char *name) { return chosen.isEmpty() || chosen.contains(QLatin1String(name)); };

    Theme::instance().apply();
    Bench bench;
    std::vector<Measure> measures;
    const auto add = [&](std::vector<Measure> more) { measures.insert(measures.end(), more.begin(), more.end()); };
    if (wanted("graph") || wanted("timeline")) {
        if (!bench.open(writeGraph(folder, test::layeredGraph(360), QStringLiteral("layers360")))) return 1;
        bench.graph().expandAll();
        bench.settle();
        if (wanted("graph")) add(graphFrames(bench));
        if (wanted("timeline")) add(timelineFrames(bench));
    }
    if (wanted("open")) {
        QStringList paths;
        for (int i = 0; i < 5; ++i)
            paths << writeGraph(folder, test::layeredGraph(140 + i), QStringLiteral("layers%1").arg(140 + i));
        add({opening(bench, QStringLiteral("open a graph of 4,000 ops"), paths, 2000)});
        if (parser.isSet(trace)) add({opening(bench, QStringLiteral("open the trace"), {parser.value(trace)}, 2000)});
    }
    if (wanted("lessons")) add({openingLessons(bench)});
    if (wanted("expand")) add({expanding(bench, folder)});
    // 9,989 and 49,989 ops.
    if (wanted("10000")) add(largeGraph(bench, folder, 312, 10));
    if (wanted("50000")) add(largeGraph(bench, folder, 1562, 3));
    if ((wanted("answer") || wanted("drag")) && bench.openSample(QStringLiteral("gpt2"))) {
        if (wanted("drag")) add({dragging(bench)});
        if (wanted("answer")) add({answering(bench)});
    }
    if (parser.isSet(json))
        printJson(measures);
    else
        print(measures);
    return std::all_of(measures.begin(), measures.end(), [](const Measure &measure) { return measure.met(); }) ? 0 : 1;
}
