// SPDX-License-Identifier: Apache-2.0
// Several models in one real window, and all that a person has done with each.
#pragma once

#include "app/studio/shell/features/history_feature.h"
#include "app/studio/shell/window/page_tabs.h"
#include "app/studio/work/document/time_window.h"
#include "app/studio/work/pages/autosave.h"
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/session/last_session.h"
#include "tests/studio/window_test.h"

namespace remat::studio::fixture {

/// What a person would look for on coming back to a model.
struct Work {
    std::vector<int> plans;
    std::vector<Step> currentSteps;
    int current = 0;
    std::int64_t budget = 0;
    Pins pins;
    std::vector<int> compared;
    Selection selection;
    double seenFrom = 0;
    AxisKind axis = AxisKind::Time;

    bool operator==(const Work &) const = default;
};

/// What their tests share; a test class derives from QObject and from this.
struct InPages : InWindow {
    static constexpr int kPlans = 27; // as many as were lost once

    ModelPages &pages() { return m_window->pages(); }
    QTabBar *bar() { return m_window->findChild<PageTabs *>()->bar(); }
    bool stripSeen() { return m_window->findChild<PageTabs *>()->isVisible(); }
    History &history() { return m_window->findChild<HistoryFeature *>()->history(); }
    void waitIdle() { QTRY_VERIFY(m_window->idle()); }

    void open(int stages)
    {
        const QString path = fixture::writeChain(m_folder, stages);
        m_window->openFile(path);
        QTRY_COMPARE(m_window->session().loader.modelPath(), path);
        waitIdle();
    }

    void addPlan(int percent)
    {
        const std::int64_t peak = document().model()->keepAll->peakBytes;
        document().addPlan(fixture::solvedEntry(*document().model(), percent < 100 ? "chen-sqrt" : "keep-all",
                                                peak * percent / 100, document().nextPlanId()));
    }

    /// Something of everything, as an afternoon leaves it.
    void work(int plans)
    {
        for (int i = 0; i < plans; ++i)
            addPlan(70 + i);
        const int first = document().plans().front()->id, last = document().plans().back()->id;
        document().setCurrentPlan(first);
        m_window->setBudget(document().model()->keepAll->peakBytes * 7 / 10 + plans);
        waitIdle();
        document().setCurrentPlan(first);
        document().setCompared({last, first});
        document().setPins({{document().model()->graph().op(OpId(2)).outputs.front()}, {OpId(4)}, {}});
        document().selectOp(OpId(3));
        document().time().setKind(AxisKind::Steps);
        document().time().show(3, 12);
        waitIdle();
    }

    Work seen()
    {
        Work work;
        for (const auto &plan : document().plans())
            if (!plan->quick) work.plans.push_back(plan->id);
        if (const auto current = document().currentPlan()) {
            work.current = current->id;
            work.currentSteps = current->plan->steps;
        }
        work.budget = document().budgetBytes();
        work.pins = document().pins();
        work.compared = document().compared();
        work.selection = document().selection();
        work.seenFrom = document().time().view().from;
        work.axis = document().time().kind();
        return work;
    }

    void closeWindow()
    {
        QVERIFY(m_window->close());
        m_window.reset();
    }
    /// A window of its own, and nothing is kept from before.
    void begin()
    {
        QSettings().clear();
        QDir(keptSessionsFolder()).removeRecursively();
        QFile::remove(lastSessionPath());
        openWindow();
    }
};

} // namespace remat::studio::fixture
