// SPDX-License-Identifier: Apache-2.0
// Where a lesson is found: the list, the start page, a file, the glossary, the page for lecturers; and what is kept of
// it.
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/lessons/class_page.h"
#include "app/studio/shell/lessons/glossary.h"
#include "app/studio/shell/lessons/lesson_list.h"
#include "app/studio/shell/workspace/workspace.h"
#include "core/base/resources.h"
#include "core/teaching/lessons/lesson_json.h"
#include "tests/studio/lesson_test.h"

using namespace remat;
using namespace remat::studio;

class TestLessonList : public QObject, fixture::InLesson
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QSettings().clear(); }
    void cleanup() { m_window.reset(); }

    void theLearnArrangementShowsTheList()
    {
        openWindow({1600, 1000});
        openChain(6);
        QVERIFY(!m_window->findChild<LessonList *>());
        command("preset.learn")->trigger();
        QPointer<LessonList> list = m_window->findChild<LessonList *>();
        QVERIFY(list && list->isVisible());
        QTest::keyClick(list->findChild<QAbstractButton *>(QStringLiteral("lesson.again")), Qt::Key_Return);
        settle();
        QCOMPARE(run().lesson().name, std::string("again"));
        QTRY_VERIFY(!list);
        command("preset.learn")->trigger(); // a lesson is open: nothing to choose
        QVERIFY(!m_window->findChild<LessonList *>());
        command("lesson.end")->trigger();
        // By the mouse, and not because a session or the settings say so.
        command("preset.plan")->trigger();
        auto *choice = m_window->findChild<SegmentedControl *>(QStringLiteral("presetChoice"));
        QTest::mouseClick(choice, Qt::LeftButton, {}, {choice->width() - 12, choice->height() / 2});
        QTRY_VERIFY(m_window->findChild<LessonList *>());
        // Whoever goes on to something else is done with the list.
        command("preset.compare")->trigger();
        QTRY_VERIFY(!m_window->findChild<LessonList *>());
        command("preset.learn")->trigger();
        QTRY_VERIFY(m_window->findChild<LessonList *>());
        m_window.reset();
        openWindow({1600, 1000});
        openChain(6);
        QCOMPARE(m_window->workspace()->preset().id, QStringLiteral("learn"));
        QVERIFY(!m_window->findChild<LessonList *>());
        command("preset.plan")->trigger();
    }

    void aFileIsDropped()
    {
        openWindow({1280, 800});
        QMimeData data;
        data.setUrls(
            {QUrl::fromLocalFile(QString::fromStdString((resourceDir() / "lessons" / "again.json").string()))});
        QDropEvent drop({400, 300}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QDragEnterEvent enter({400, 300}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QCoreApplication::sendEvent(m_window.get(), &drop);
        settle();
        QVERIFY(run().running());
        QCOMPARE(run().lesson().name, std::string("again"));
    }

    void theLecturersPageOpensSteps()
    {
        const std::vector<Lesson> lessons = readLessons();
        openWindow({1280, 800});
        command("lecturers")->trigger();
        auto *page = m_window->findChild<ClassPage *>();
        QVERIFY(page && page->isVisible());
        auto *text = page->findChild<QTextBrowser *>();
        QVERIFY(!text->accessibleName().isEmpty());
        const QString plain = text->toPlainText();
        for (const char *part : {"45", "90"})
            QVERIFY2(plain.contains(QLatin1String(part)), qPrintable(plain));
        // Every step that it names is there.
        static const QRegularExpression link(QStringLiteral("href=\"step:([a-z]+):([0-9]+)\""));
        int links = 0;
        for (auto match = link.globalMatch(text->toHtml()); match.hasNext(); ++links) {
            const QRegularExpressionMatch one = match.next();
            const auto lesson = std::find_if(lessons.begin(), lessons.end(), [&](const Lesson &each) {
                return QString::fromStdString(each.name) == one.captured(1);
            });
            QVERIFY2(lesson != lessons.end(), qPrintable(one.captured()));
            QVERIFY2(one.captured(2).toInt() <= static_cast<int>(lesson->steps.size()), qPrintable(one.captured()));
        }
        QVERIFY(links >= 20);
        Q_EMIT text->anchorClicked(QUrl(QStringLiteral("step:again:3")));
        settle();
        QCOMPARE(fixture::stepName(run()), QStringLiteral("again:3"));
    }

    void fromTheStartPageAndAsAFile()
    {
        openWindow({1280, 800});
        QTest::mouseClick(m_window->findChild<QAbstractButton *>(QStringLiteral("help.lessons")), Qt::LeftButton);
        auto *list = m_window->findChild<LessonList *>();
        QVERIFY(list && list->isVisible());
        auto *row = list->findChild<QAbstractButton *>(QStringLiteral("lesson.again"));
        QVERIFY(row);
        QTest::keyClick(row, Qt::Key_Return);
        settle();
        QVERIFY(run().running());
        QCOMPARE(run().lesson().name, std::string("again"));
        // A file, as one that is dropped: with its graph beside it.
        const QDir shipped(QString::fromStdString((resourceDir() / "lessons").string()));
        QVERIFY(
            QFile::copy(shipped.filePath(QStringLiteral("sqrt.json")), m_folder.filePath(QStringLiteral("mine.json"))));
        m_window->openFile(m_folder.filePath(QStringLiteral("mine.json")));
        settle();
        QCOMPARE(run().lesson().name, std::string("mine"));
        // One with a mistake leaves the lesson as it is, and says where.
        QFile bad(m_folder.filePath(QStringLiteral("bad.json")));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write("{\"format\": \"remat-lesson/1\",\n \"title\": 7}");
        bad.close();
        m_window->openFile(bad.fileName());
        QCOMPARE(run().lesson().name, std::string("mine"));
        QVERIFY(m_window->messages()->isVisible());
        QVERIFY(!m_window->openLesson(QStringLiteral("no-such-lesson"), 0));
    }

    void theGlossaryShowsWhereAWordIsExplained()
    {
        openWindow({1280, 800});
        command("glossary")->trigger();
        auto *glossary = m_window->findChild<Glossary *>();
        QVERIFY(glossary && glossary->isVisible());
        auto *word = glossary->findChild<QAbstractButton *>(QStringLiteral("word.checkpoint"));
        auto *other = glossary->findChild<QAbstractButton *>(QStringLiteral("word.loss"));
        QVERIFY(word && other);
        QTest::keyClicks(glossary->findChild<QLineEdit *>(QStringLiteral("glossaryField")), QStringLiteral("checkpo"));
        QVERIFY(word->isVisible() && !other->isVisible());
        QTest::mouseClick(word, Qt::LeftButton);
        settle();
        QCOMPARE(fixture::stepName(run()), QStringLiteral("sqrt:1"));
        QVERIFY(panel()->shownText().contains(QStringLiteral("**checkpoint**")));
    }

    void progressIsSavedWithoutNames()
    {
        openWindow({1280, 800});
        QVERIFY(m_window->openLesson(QStringLiteral("again"), 2));
        settle();
        clickInPanel(QStringLiteral("lessonChoice.1"));
        const QString table = m_folder.filePath(QStringLiteral("p.csv"));
        m_window->lessons().saveProgress(table);
        QFile csv(table);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll(), QByteArray("lesson,step,kind,done,tries,hints,right\nagain,2,predict,1,1,0,0\n"));
        const QString json = m_folder.filePath(QStringLiteral("p.json"));
        m_window->lessons().saveProgress(json);
        QFile file(json);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject row =
            QJsonDocument::fromJson(file.readAll()).object()[QStringLiteral("steps")].toArray()[0].toObject();
        QCOMPARE(row[QStringLiteral("lesson")].toString(), QStringLiteral("again"));
        QCOMPARE(row[QStringLiteral("right")].toBool(true), false);
    }

    void namesForScreenReaders()
    {
        openWindow({1280, 800});
        QVERIFY(m_window->openLesson(QStringLiteral("again"), 2));
        settle();
        QVERIFY(panel()->accessibleName().contains(QStringLiteral("Keep or compute again")));
        for (const char *name : {"lessonList", "lessonClose"})
            QVERIFY(!panel()->findChild<QWidget *>(QLatin1String(name))->accessibleName().isEmpty());
        auto *choice = panel()->findChild<ChoiceRow *>(QStringLiteral("lessonChoice.1"));
        QCOMPARE(choice->accessibleName(), choice->text());
        QTest::keyClick(choice, Qt::Key_Space);
        QVERIFY(choice->accessibleName().startsWith(QStringLiteral("Wrong")));
        QVERIFY(panel()
                    ->findChild<ChoiceRow *>(QStringLiteral("lessonChoice.2"))
                    ->accessibleName()
                    .startsWith(QStringLiteral("Right")));
    }
};

QTEST_MAIN(TestLessonList)
#include "tst_lesson_list.moc"
