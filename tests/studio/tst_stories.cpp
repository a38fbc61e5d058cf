// SPDX-License-Identifier: Apache-2.0
// How planners think, in the real window: recorded on the open model, opened from a file, played by clicks and keys.
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/shell/lessons/lesson_list.h"
#include "app/studio/shell/start_page/start_rows.h"
#include "app/studio/shell/stories/stories.h"
#include "app/studio/shell/stories/story_chart.h"
#include "app/studio/shell/stories/story_list.h"
#include "app/studio/shell/stories/story_window.h"
#include "app/studio/shell/window/start_up.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "core/base/file.h"
#include "solvers/uses/record.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestStories : public QObject, fixture::InWindow
{
    Q_OBJECT

    Stories *stories() { return m_window->findChild<Stories *>(); }
    StoryWindow *story() { return m_window->findChild<StoryWindow *>(); }
    void click(const char *name)
    {
        auto *button = story()->findChild<QAbstractButton *>(QLatin1String(name));
        QVERIFY(button && button->isVisible() && !button->accessibleName().isEmpty());
        QTest::mouseClick(button, Qt::LeftButton);
    }
    void record(const char *planner)
    {
        document().setBudget(document().model()->keepAll->peakBytes * 6 / 10);
        command(planner)->trigger();
        QTRY_VERIFY(story() && m_window->idle());
        QVERIFY(QTest::qWaitForWindowExposed(story()));
    }
    QString text() { return story()->findChild<QLabel *>(QStringLiteral("storyText"))->text(); }

private Q_SLOTS:
    void init()
    {
        QSettings().clear();
        openWindow();
        openChain(6);
    }
    void cleanup()
    {
        m_window.reset();
        Theme::instance().setScheme(Scheme::Light);
    }

    void everyPlannerThatTellsIsRecorded()
    {
        for (const std::string &name : tellingPlanners()) {
            record(("story." + name).c_str());
            QCOMPARE(story()->story().planner, name);
            QCOMPARE(story()->story().fingerprint, document().model()->graph().fingerprint);
            QVERIFY(story()->story().frames.size() > 1);
            delete story();
        }
    }

    void framesAreSteppedByClicksAndKeys()
    {
        record("story.rotor");
        const auto &frames = story()->story().frames;
        const int last = static_cast<int>(frames.size()) - 1;
        QCOMPARE(text(), toQString(frames[0].text));
        click("storyForward");
        QCOMPARE(story()->frame(), 1);
        QCOMPARE(text(), toQString(frames[1].text));
        click("storyBack");
        QCOMPARE(story()->frame(), 0);
        QTest::keyClick(story(), Qt::Key_End);
        QCOMPARE(story()->frame(), last);
        QTest::keyClick(story(), Qt::Key_Left);
        QCOMPARE(story()->frame(), last - 1);
        QTest::keyClick(story(), Qt::Key_Home);
        story()->findChild<QSlider *>(QStringLiteral("storySlider"))->setValue(3);
        QCOMPARE(story()->frame(), 3);
        const StoryTable &table = *frames[3].table;
        auto *shown = story()->findChild<QTableWidget *>(QStringLiteral("storyTable"));
        QCOMPARE(shown->rowCount(), static_cast<int>(table.rows.size()));
        const auto &[row, column] = table.marked.front();
        QCOMPARE(shown->item(row, column)->text(),
                 toQString(table.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]));
        QCOMPARE(story()->findChild<StoryChartView *>()->accessibleName(), toQString(frames[3].chart->title));
        // What the frame is about is lit in the graph.
        m_window->workspace()->graph()->expandAll();
        QTRY_VERIFY(m_window->idle());
        click("storyForward");
        QVERIFY(m_window->workspace()->graph()->scene().matches.searching);
        QTest::keyClick(story(), Qt::Key_Space);
        QVERIFY(story()->playing());
        QTRY_VERIFY(story()->frame() > 4);
        click("storyPlay");
        QVERIFY(!story()->playing());
        story()->reject();
        QVERIFY(!m_window->workspace()->graph()->scene().matches.searching);
    }

    /// For a person who has never heard of them: Help, Learn and the lessons' list lead to this one.
    void theListTellsOnASmallGraph()
    {
        command("lessons")->trigger();
        auto *lessons = m_window->findChild<LessonList *>();
        QVERIFY(lessons);
        QTest::mouseClick(lessons->findChild<QAbstractButton *>(QStringLiteral("lessonStories")), Qt::LeftButton);
        auto *list = m_window->findChild<StoryList *>();
        QVERIFY(list && list->isVisible());
        QCOMPARE(list->findChildren<HelpRow *>().size(), static_cast<qsizetype>(tellingPlanners().size()));
        for (const HelpRow *row : list->findChildren<HelpRow *>())
            QVERIFY(!row->accessibleName().isEmpty() && !row->accessibleDescription().isEmpty());
        QTest::mouseClick(list->findChild<HelpRow *>(QStringLiteral("tell.dtr")), Qt::LeftButton);
        QTRY_VERIFY(story() && m_window->idle());
        QCOMPARE(story()->story().planner, "dtr");
        QCOMPARE(document().model()->graph().name, std::string("two_towers"));
        QCOMPARE(story()->story().fingerprint, document().model()->graph().fingerprint);
    }

    void everyRowOfTheListTells()
    {
        for (const std::string &name : tellingPlanners()) {
            stories()->recordOnSmallGraph(toQString(name));
            QTRY_VERIFY(story() && m_window->idle());
            QCOMPARE(story()->story().planner, name);
            QVERIFY2(story()->story().frames.size() > 1, name.c_str());
            delete story();
        }
    }

    void thePlanPanelOffersTheStory()
    {
        document().setBudget(document().model()->keepAll->peakBytes * 6 / 10);
        PlanPanel *panel = m_window->workspace()->planPanel();
        auto *button = panel->findChild<StudioButton *>(QStringLiteral("tellPlanner"));
        panel->setPlanner("chen-sqrt"); // tells nothing
        QVERIFY(button->isHidden());
        panel->setPlanner("rotor");
        QVERIFY(!button->isHidden());
        button->click();
        QTRY_VERIFY(story() && m_window->idle());
        QCOMPARE(story()->story().fingerprint, document().model()->graph().fingerprint); // the person's own graph
        delete story();
        // Nothing is to be decided within all of the memory, so a small graph tells.
        document().setBudget(document().model()->keepAll->peakBytes);
        button->click();
        QTRY_VERIFY(story() && m_window->idle());
        QCOMPARE(document().model()->graph().name, std::string("uneven8"));
        QCOMPARE(story()->story().fingerprint, document().model()->graph().fingerprint);
    }

    void theStoryBecomesAnAnimation()
    {
        record("story.dtr");
        story()->go(1);
        const QString file = m_folder.filePath(QStringLiteral("dtr.png"));
        QCOMPARE(stories()->exportAnimation(file), QString());
        QCOMPARE(story()->frame(), 1);
        QFile png(file);
        QVERIFY(png.open(QIODevice::ReadOnly));
        const QByteArray bytes = png.readAll();
        const qsizetype control = bytes.indexOf("acTL"); // the number of frames stands behind it
        QVERIFY(control > 0);
        QCOMPARE(qFromBigEndian<quint32>(bytes.constData() + control + 4), story()->story().frames.size());
        const QImage first = QImage::fromData(bytes, "PNG");
        QVERIFY(first.width() == story()->width() && first.height() < story()->height()); // without the buttons
        // The command line takes the story, not the plan, while one is played.
        StartUp startUp(*m_window);
        QSignalSpy ended(&startUp, &StartUp::ended);
        const QString again = m_folder.filePath(QStringLiteral("again.png"));
        startUp.start({QStringLiteral("animation=") + again}, {});
        QTRY_VERIFY(!ended.isEmpty());
        QFile same(again);
        QVERIFY(same.open(QIODevice::ReadOnly));
        QCOMPARE(same.readAll(), bytes);
        QVERIFY(!stories()->exportAnimation(QStringLiteral("/nowhere/story.png")).isEmpty());
    }

    void aFileIsOpenedAndAMistakeIsSaid()
    {
        record("story.dtr");
        const Story told = story()->story();
        delete story();
        const QString file = m_folder.filePath(QStringLiteral("dtr-story.json"));
        QVERIFY(writeFileAtomically(toPath(file), storyText(told)));
        m_window->openFile(file);
        QVERIFY(story());
        QVERIFY(story()->story().frames == told.frames);
        delete story();
        QVERIFY(writeFileAtomically(toPath(file), R"({"format": "remat-story/1", "title": 3})"));
        m_window->openFile(file);
        QVERIFY(!story());
    }

    void aLessonShowsHowAPlannerPlans()
    {
        QFile lesson(QStringLiteral(REMAT_SAMPLES "/../lessons/rotor.json"));
        QVERIFY(lesson.open(QIODevice::ReadOnly));
        QString text = QString::fromUtf8(lesson.readAll());
        const QString scene = QStringLiteral("\"budget\": \"100%\"");
        text.replace(text.indexOf(scene), scene.size(), QStringLiteral("\"budget\": \"60%\", \"story\": \"rotor\""));
        const QString file = m_folder.filePath(QStringLiteral("mine.json"));
        QVERIFY(writeFileAtomically(toPath(file), text.toStdString()));
        m_window->openFile(file);
        QTRY_VERIFY(story() && m_window->idle());
        QCOMPARE(story()->story().planner, "rotor");
        QCOMPARE(story()->story().fingerprint, document().model()->graph().fingerprint);
    }

    void looks_data() { fixture::lookRows({{"", QSize(940, 560)}, {"_large", QSize(1280, 720)}}); }
    void looks()
    {
        const fixture::RowLook look;
        QFETCH(QSize, size);
        record("story.rotor");
        story()->resize(size);
        story()->go(14);
        QCOMPARE(fixture::goldenDifference(*story(),
                                           QStringLiteral("story_%1.png").arg(QLatin1String(QTest::currentDataTag()))),
                 QString());
    }
};

QTEST_MAIN(TestStories)
#include "tst_stories.moc"
