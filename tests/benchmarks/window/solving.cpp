// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/plan_panel.h"
#include "tests/benchmarks/window/scenes.h"

#include <QApplication>
#include <QThread>

#include <atomic>
#include <cmath>
#include <pthread.h>
#include <thread>

namespace remat::bench {

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
    const auto guiMs = [guiClock] { return clockMs(guiClock); };
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

} // namespace remat::bench
