// SPDX-License-Identifier: Apache-2.0
// The strip that starts sweeps, in the real window.
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/curve/sweep_strip.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestSweepStrip : public QObject, fixture::InWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        openFresh({1280, 800});
        openChain(12);
    }

    /// Where Stop stood stands no Sweep when it ends, and the keyboard does not go elsewhere.
    void sweepAndStopKeepTheirPlaces()
    {
        m_window->workspace()->showView(QStringLiteral("curve"));
        auto *start = m_window->findChild<QAbstractButton *>(QStringLiteral("sweepStart"));
        auto *stop = m_window->findChild<QAbstractButton *>(QStringLiteral("sweepStop"));
        QTRY_VERIFY(start->isVisible() && start->isEnabled() && stop->isVisible() && !stop->isEnabled());
        const auto places = [&] {
            return std::pair(start->mapTo(m_window.get(), QPoint()), stop->mapTo(m_window.get(), QPoint()));
        };
        const auto before = places();
        m_window->activateWindow();
        start->setFocus();
        QTest::mouseClick(start, Qt::LeftButton);
        QVERIFY(stop->isEnabled() && stop->hasFocus());
        QVERIFY(places() == before);
        QTRY_VERIFY(!m_window->session().sweeps.running() && m_window->idle());
        QVERIFY(places() == before);
        QVERIFY(start->hasFocus());
        QTest::mouseClick(stop, Qt::LeftButton); // too late, and nothing begins
        QVERIFY(!m_window->session().sweeps.running());
    }

    void plannersOfASweepStandInGroups()
    {
        const QList<QAction *> entries = m_window->findChild<SweepStrip *>()->findChild<QMenu *>()->actions();
        QVERIFY(std::count_if(entries.begin(), entries.end(),
                              [](const QAction *each) { return each->isSeparator() && !each->text().isEmpty(); }) >= 3);
    }
};

QTEST_MAIN(TestSweepStrip)
#include "tst_sweep_strip.moc"
