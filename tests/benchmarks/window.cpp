// SPDX-License-Identifier: Apache-2.0
// remat-window-benchmark: drives the real window offscreen and measures what a person feels: frame times of graph and
// timeline, opening, expanding, answers while a solve runs, plans shown while the budget is dragged.
#include "app/studio/base/style/theme.h"
#include "app/studio/shell/lessons/lesson_panel.h"
#include "app/studio/shell/lessons/lessons.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "core/base/file.h"
#include "core/teaching/lessons/lesson_json.h"
#include "tests/support/graph_file.h"
#include "tests/support/graphs.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMouseEvent>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QThread>
#include <QWheelEvent>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <pthread.h>
#include <thread>

namespace {

using namespace remat;
using namespace remat::studio;

/// Time of this thread on a processor, so that what else runs on the machine does not count.
double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// The same for all threads.
double processMs()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double wallMs()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double quantile(std::vector<double> values, double share)
{
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(rank, 1) - 1];
}

/// One measured thing: values in `unit`, its median and 99th percentile against what they may be.
struct Measure {
    QString name, unit;
    std::vector<double> wall, cpu;        ///< processor time of the GUI thread; empty where it says nothing
    double mostMedian = 0, mostWorst = 0; ///< 0: no limit
    double least = 0;                     ///< the least median that passes, where more is better

    bool met() const
    {
        if (wall.empty()) return false;
        return (mostMedian <= 0 || quantile(wall, 0.5) <= mostMedian) &&
               (mostWorst <= 0 || quantile(wall, 0.99) <= mostWorst) && (least <= 0 || quantile(wall, 0.5) >= least);
    }
};

/// The window and how it is driven.
class Bench
{
public:
    Bench()
    {
        m_window.resize(1600, 1000);
        m_window.show();
        spin([this] { return m_window.isVisible() && m_window.idle(); }, 30);
    }

    MainWindow &window() { return m_window; }
    Document &document() { return m_window.session().document; }
    GraphView &graph() { return *m_window.workspace()->graph(); }
    MemoryCanvas &memory() { return *m_window.workspace()->memory()->canvas(); }

    bool spin(const std::function<bool()> &until, double seconds)
    {
        const double end = wallMs() + seconds * 1e3;
        while (!until()) {
            if (wallMs() > end) return false;
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 5);
        }
        return true;
    }
    void settle()
    {
        spin([this] { return m_window.idle(); }, 120);
    }

    bool open(const QString &path)
    {
        const auto before = document().model();
        m_window.openFile(path);
        const bool opened = spin([&] { return document().model() != before; }, 120);
        settle();
        return opened;
    }
    bool openSample(const QString &name)
    {
        const auto before = document().model();
        if (!m_window.openSample(name)) return false;
        const bool opened = spin([&] { return document().model() != before; }, 120);
        settle();
        return opened;
    }

    /// What an input costs up to the last pixel: it is handled, and everything it changed is painted.
    void frame(Measure &measure, const std::function<void()> &input)
    {
        const double wall = wallMs(), cpu = threadMs();
        input();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::UpdateRequest);
        QCoreApplication::processEvents(QEventLoop::ExcludeSocketNotifiers);
        measure.wall.push_back(wallMs() - wall);
        measure.cpu.push_back(threadMs() - cpu);
    }

    static void wheel(QWidget &widget, QPointF at, int delta, Qt::KeyboardModifiers modifiers)
    {
        QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(&widget, &event);
    }
    static void mouse(QWidget &widget, QEvent::Type type, QPointF at)
    {
        const bool pressed = type != QEvent::MouseButtonRelease;
        QMouseEvent event(type, at, widget.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                          pressed ? Qt::LeftButton : Qt::NoButton, {});
        QCoreApplication::sendEvent(&widget, &event);
    }

private:
    MainWindow m_window;
};

/// Writes a graph as a file that the window opens like any other.
QString writeGraph(const QTemporaryDir &folder, Graph graph, const QString &name)
{
    graph.name = name.toStdString();
    const QString path = folder.filePath(name + QStringLiteral(".json"));
    if (!writeFileAtomically(path.toStdString(), test::graphText(graph)))
        qFatal("%s cannot be written.", qPrintable(path));
    return path;
}

/// Two clusters, the first of `wide` ops and the second of a few more, chains with a residual connection over every
/// ten ops, and a backward op each. Neither is most of the model, so both are closed at first.
Graph wideClusters(int wide)
{
    Graph graph;
    graph.name = "wide";
    const auto storage = [&](const std::string &name, StorageKind kind, OpId producer) {
        Storage made;
        made.name = name;
        made.bytes = 1 << 20;
        made.kind = kind;
        made.producer = producer;
        graph.storages.push_back(made);
        return StorageId(graph.storages.size() - 1);
    };
    const auto op = [&](const std::string &name, const std::string &module, Phase phase, OpId forward,
                        std::vector<StorageId> inputs) {
        Op made;
        made.name = name;
        made.kind = "linear";
        made.module = module;
        made.phase = phase;
        made.forwardOp = forward;
        made.timeUs = 10;
        std::sort(inputs.begin(), inputs.end());
        inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
        made.inputs = std::move(inputs);
        const OpId id(graph.ops.size());
        const auto kind = phase == Phase::Backward ? StorageKind::Gradient : StorageKind::Activation;
        made.outputs = {storage("t_" + name, kind, id)};
        graph.ops.push_back(made);
        return made.outputs.front();
    };
    const int all = 2 * wide + 10;
    const auto module = [&](int i) { return i < wide ? "model.left" : "model.right"; };
    std::vector<StorageId> made = {storage("x", StorageKind::Input, {})};
    for (int i = 0; i < all; ++i) {
        const int first = i < wide ? 0 : wide;
        const auto at = static_cast<std::size_t>(i),
                   before = static_cast<std::size_t>(i % 10 == 9 ? std::max(first, i - 9) : i);
        made.push_back(op("f" + std::to_string(i), module(i), Phase::Forward, {}, {made[at], made[before]}));
    }
    StorageId gradient = op("loss", "", Phase::Loss, {}, {made.back()});
    for (int i = all; i-- > 0;) {
        const auto at = static_cast<std::size_t>(i);
        gradient =
            op("b" + std::to_string(i), module(i), Phase::Backward, OpId(at), {gradient, made[at], made[at + 1]});
    }
    graph.storages[gradient.index()].isOutput = true;
    return graph;
}

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

/// From asking for the file to the picture of its graph, with timeline and first plan.
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

/// Each lesson in a window of its own, from asking for it until its panel and views stand there and nothing is left to
/// do: the model read, its first plan made, all painted.
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

/// How long an event posted from outside waits, and how long until it is painted, while a solve runs on all threads.
Measure answering(Bench &bench)
{
    Measure measure{QStringLiteral("answer to input while solving"), QStringLiteral("ms"), {}, {}, 50, 50, 0};
    bench.document().setBudget(bench.document().model()->keepAll->peakBytes * 45 / 100);
    SolveSettings settings = bench.window().workspace()->planPanel()->settings();
    settings.planner = "auto";
    settings.timeLimitSeconds = 8;
    settings.threads = std::max(1, QThread::idealThreadCount());
    bench.window().session().solver.solve(settings);
    GraphCanvas &canvas = *bench.graph().canvas();
    std::atomic<bool> busy{false}, ended{false};
    // The GUI thread's time on a processor from being asked to having answered, read from the other thread.
    clockid_t guiClock{};
    pthread_getcpuclockid(pthread_self(), &guiClock);
    const auto guiMs = [guiClock] {
        timespec now{};
        clock_gettime(guiClock, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    };
    std::thread person([&] {
        while (!ended) {
            std::this_thread::sleep_for(std::chrono::milliseconds(37));
            if (busy.exchange(true)) continue;
            QMetaObject::invokeMethod(
                &canvas,
                [&, asked = wallMs(), cpu = guiMs()] {
                    static int turn = 0;
                    Bench::wheel(canvas, {300, 300}, ++turn % 40 < 20 ? -120 : 120, {});
                    QCoreApplication::sendPostedEvents(nullptr, QEvent::UpdateRequest);
                    measure.wall.push_back(wallMs() - asked);
                    measure.cpu.push_back(guiMs() - cpu);
                    busy = false;
                },
                Qt::QueuedConnection);
        }
    });
    bench.spin([&] { return !bench.window().session().solver.running(); }, 30);
    ended = true;
    person.join();
    QCoreApplication::processEvents();
    bench.settle();
    return measure;
}

/// Plans that reach the screen in each second of dragging the budget line.
Measure dragging(Bench &bench)
{
    Measure measure{QStringLiteral("plans shown while the budget is dragged"), QStringLiteral("1/s"), {}, {}, 0, 0, 30};
    MemoryCanvas &canvas = bench.memory();
    int shown = 0;
    int last = -1;
    class Painted : public QObject
    {
    public:
        explicit Painted(std::function<void()> work) : m_work(std::move(work)) {}
        bool eventFilter(QObject *, QEvent *event) override
        {
            if (event->type() == QEvent::Paint) m_work();
            return false;
        }

    private:
        std::function<void()> m_work;
    } painted([&] {
        const auto plan = bench.document().currentPlan();
        if (plan && std::exchange(last, plan->id) != plan->id) ++shown;
    });
    canvas.installEventFilter(&painted);
    const double floor = canvas.layout().budgetY(bench.document().model()->floor.bytes),
                 top = canvas.layout().budgetY(bench.document().model()->keepAll->peakBytes);
    // By its handle: the card of the peak may lie over the line.
    const double x = canvas.layout().budgetHandle(bench.document().budgetBytes()).center().x();
    double y = canvas.layout().budgetY(bench.document().budgetBytes());
    Bench::mouse(canvas, QEvent::MouseMove, {x, y});
    Bench::mouse(canvas, QEvent::MouseButtonPress, {x, y});
    for (int second = 0; second < 5; ++second) {
        shown = 0;
        const double begin = wallMs(), cpu = threadMs();
        for (int move = 0; move < 60; ++move) {
            // Up and down between 90 and 40 % of what a plan can have.
            const double share = 0.65 + 0.25 * std::sin((second * 60 + move) * 0.04);
            y = floor + (top - floor) * share;
            Bench::mouse(canvas, QEvent::MouseMove, {x, y});
            bench.spin([&] { return wallMs() >= begin + (move + 1) * 1000.0 / 60; }, 1);
        }
        measure.wall.push_back(shown * 1000.0 / (wallMs() - begin));
        measure.cpu.push_back(threadMs() - cpu);
    }
    Bench::mouse(canvas, QEvent::MouseButtonRelease, {x, y});
    canvas.removeEventFilter(&painted);
    bench.settle();
    return measure;
}

/// Layers of other sizes each, so that the view cannot show one in place of all.
Graph unlikeLayers(int layers)
{
    Graph graph = test::layeredGraph(layers);
    for (const Op &op : graph.ops) {
        const auto layer = QString::fromStdString(op.module).section(QLatin1Char('.'), 2, 2).toInt();
        for (const StorageId made : op.outputs)
            graph.storages[made.index()].bytes += 64 * layer;
    }
    return graph;
}

/// What a graph of so many ops costs: opening it, expanding 200 of its blocks one after the other, scrolling and
/// panning with these open, dragging the budget, and what the trade-off computes in the background.
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
    Measure drag = dragging(bench);
    drag.name = title("plans shown while dragging");
    drag.least = leastPlans;
    measures.push_back(drag);

    bench.graph().revealPath(QStringLiteral("model.h.0"));
    bench.settle();
    Measure expand{title("expand a block"), QStringLiteral("ms"), {}, {}, 150, 0, 0};
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
    return measures;
}

void print(const std::vector<Measure> &measures)
{
    std::printf("%-42s %10s %10s %10s %10s %6s  %s\n", "", "median", "99 %", "cpu med.", "cpu 99 %", "times", "");
    for (const Measure &measure : measures) {
        const bool time = measure.unit == QLatin1String("ms");
        std::printf("%-42s %7.1f %-2s %7.1f %-2s %7.1f ms %7.1f ms %6zu  %s\n", qPrintable(measure.name),
                    quantile(measure.wall, 0.5), time ? "ms" : "/s", quantile(measure.wall, 0.99), time ? "ms" : "/s",
                    quantile(measure.cpu, 0.5), quantile(measure.cpu, 0.99), measure.wall.size(),
                    measure.met() ? "met" : "not met");
    }
}

void writeJson(const std::vector<Measure> &measures)
{
    QJsonArray list;
    for (const Measure &measure : measures)
        list.append(QJsonObject{{QStringLiteral("name"), measure.name},
                                {QStringLiteral("unit"), measure.unit},
                                {QStringLiteral("median"), quantile(measure.wall, 0.5)},
                                {QStringLiteral("p99"), quantile(measure.wall, 0.99)},
                                {QStringLiteral("cpu_median_ms"), quantile(measure.cpu, 0.5)},
                                {QStringLiteral("cpu_p99_ms"), quantile(measure.cpu, 0.99)},
                                {QStringLiteral("times"), static_cast<int>(measure.wall.size())},
                                {QStringLiteral("most_median"), measure.mostMedian},
                                {QStringLiteral("most_p99"), measure.mostWorst},
                                {QStringLiteral("least_median"), measure.least},
                                {QStringLiteral("met"), measure.met()}});
    std::printf("%s\n", QJsonDocument(QJsonObject{{QStringLiteral("window"), list}}).toJson().constData());
}

} // namespace

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
    // Layers of 28 ops.
    if (wanted("10000")) add(largeGraph(bench, folder, 358, 10));
    if (wanted("50000")) add(largeGraph(bench, folder, 1786, 3));
    if ((wanted("answer") || wanted("drag")) && bench.openSample(QStringLiteral("gpt2"))) {
        if (wanted("drag")) add({dragging(bench)});
        if (wanted("answer")) add({answering(bench)});
    }
    if (parser.isSet(json))
        writeJson(measures);
    else
        print(measures);
    return std::all_of(measures.begin(), measures.end(), [](const Measure &measure) { return measure.met(); }) ? 0 : 1;
}
