// SPDX-License-Identifier: Apache-2.0
// The glossary wherever its words stand: the mouse on a word, or a key, shows a sentence and the way to the lesson.
#include "app/studio/base/plots/painted_texts.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/shell/lessons/lesson_panel.h"
#include "app/studio/shell/lessons/lessons.h"
#include "app/studio/shell/lessons/word_card.h"
#include "app/studio/views/curve/curve_canvas.h"
#include "app/studio/views/memory/memory_canvas.h"
#include "app/studio/views/memory/memory_header.h"
#include "app/studio/work/lessons/glossary_words.h"
#include "core/teaching/lessons/lesson_json.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestWords : public QObject, fixture::InWindow
{
    Q_OBJECT

    /// The one that is shown.
    QPointer<WordCard> card()
    {
        for (WordCard *each : m_window->findChildren<WordCard *>())
            if (each->isVisible()) return each;
        return {};
    }
    LessonRun &run() { return m_window->lessons().run(); }

    static QStringList names(const std::vector<GlossaryWord> &words)
    {
        QStringList list;
        for (const GlossaryWord &each : words)
            list << each.word;
        return list;
    }

    static void hover(QWidget &widget, QPoint at)
    {
        QHelpEvent event(QEvent::ToolTip, at, widget.mapToGlobal(at));
        QCoreApplication::sendEvent(&widget, &event);
    }

private Q_SLOTS:
    void init() { openFresh({1280, 800}); }

    void wordsAreFoundInTexts()
    {
        const GlossaryWords words(readLessons());
        QVERIFY(words.all().size() > 40);
        for (const char *word : {"overhead", "floor", "phantom", "retention interval", "recompute", "slot", "segment",
                                 "peak", "keep-all", "working set", "lower bound", "gradient"}) {
            const QString text = QStringLiteral("This %1, you see.").arg(QLatin1String(word));
            QCOMPARE(names(words.in(text, false)), QStringList(QLatin1String(word)));
        }
        QCOMPARE(names(words.in(QStringLiteral("Segments: the FLOOR, twice the floor"), false)),
                 QStringList({QStringLiteral("segment"), QStringLiteral("floor")}));
        QVERIFY(words.in(QStringLiteral("Flooring a speaker peaky"), false).empty());
        QVERIFY(words.in(QStringLiteral("Save plan"), false).empty()); // an everyday word
        QCOMPARE(names(words.in(QStringLiteral("Save plan"), true)), QStringList(QStringLiteral("plan")));
        const QString sentence = QStringLiteral("The peak is not the floor.");
        QCOMPARE(names(words.at(sentence, 6, false)), QStringList(QStringLiteral("peak")));
        QVERIFY(words.at(sentence, 12, false).empty());
        QVERIFY(GlossaryWords({}).in(sentence, true).empty());
    }

    void germanWordsAreFoundWithTheirEndings()
    {
        const GlossaryWords words(readLessons("de"));
        QCOMPARE(
            names(words.in(QStringLiteral("Mehraufwand des Segments, zwei Halteintervalle"), false)),
            QStringList({QStringLiteral("Mehraufwand"), QStringLiteral("Segment"), QStringLiteral("Halteintervall")}));
    }

    /// Whatever the window shows: each label that holds a word answers, and says the right one.
    void everyLabelOfTheWindowAnswers()
    {
        openChain(8);
        document().setBudget(document().model()->keepAll->peakBytes * 6 / 10);
        QTRY_VERIFY(m_window->idle());
        const GlossaryWords words(readLessons());
        QStringList found;
        for (auto *label : m_window->findChildren<QLabel *>()) {
            if (!label->isVisible() || label->text().size() > 48 || label->text().contains(QLatin1Char('<'))) continue;
            const auto expected = words.in(label->text(), false);
            if (expected.empty()) continue;
            hover(*label, label->rect().center());
            QVERIFY2(card() && card()->isVisible(), qPrintable(label->text()));
            for (const GlossaryWord &each : expected) {
                QVERIFY(card()->findChild<QLabel *>(QStringLiteral("cardWord.") + each.word));
                found << each.word;
            }
            card()->close();
        }
        for (const char *word : {"overhead", "peak", "lower bound"})
            QVERIFY2(found.contains(QLatin1String(word)), qPrintable(found.join(QLatin1Char(' '))));
    }

    /// Legends, axes and labels that plots paint themselves: each of them that holds a word answers, and only there.
    void whatPlotsPaintAnswers()
    {
        openChain(8);
        document().setBudget(document().model()->keepAll->peakBytes * 6 / 10);
        QTRY_VERIFY(m_window->idle());
        command("showCurve")->trigger();
        QTRY_VERIFY(m_window->idle());
        const GlossaryWords words(readLessons());
        QStringList found;
        const auto look = [&](QWidget *widget) {
            QVERIFY(widget && widget->isVisible());
            for (const PaintedText &each : paintedTexts(*widget)) {
                if (words.in(each.text, false).empty() || !widget->rect().contains(each.rect.toAlignedRect())) continue;
                hover(*widget, each.rect.center().toPoint());
                QVERIFY2(card() && card()->isVisible(), qPrintable(each.text));
                for (const StudioButton *button : card()->findChildren<StudioButton *>())
                    found << button->objectName().section(QLatin1Char('.'), 1);
                card()->close();
            }
            hover(*widget, QPoint(0, widget->height() - 1)); // where nothing is written
            QVERIFY(!card());
        };
        look(m_window->findChild<CurveCanvas *>());
        for (const char *word : {"peak", "dynamic memory", "keep-all", "overhead"})
            QVERIFY2(found.contains(QLatin1String(word)), qPrintable(found.join(QLatin1Char(' '))));
        found.clear();
        look(m_window->findChild<MemoryHeader *>());
        look(m_window->findChild<MemoryCanvas *>());
        for (const char *word : {"keep-all", "recompute", "peak", "budget"})
            QVERIFY2(found.contains(QLatin1String(word)), qPrintable(found.join(QLatin1Char(' '))));
        // And by the keyboard.
        m_window->activateWindow();
        m_window->findChild<CurveCanvas *>()->setFocus();
        command("glossary.here")->trigger();
        QVERIFY(card() && card()->findChild<QLabel *>(QStringLiteral("cardWord.dynamic memory")));
    }

    void everyPaintedTextOfTheWindowAnswers_data()
    {
        QTest::addColumn<QString>("show");
        QTest::addColumn<QString>("expected");
        QTest::addRow("lanes") << QStringLiteral("show.lanes") << QStringLiteral("recompute floor budget");
        QTest::addRow("addresses") << QStringLiteral("show.addresses") << QStringLiteral("floor peak budget");
        QTest::addRow("matrix") << QStringLiteral("show.matrix") << QStringLiteral("recompute keep-all");
    }

    /// But for the drawn graph and the tables, whose texts are a document's own names.
    void everyPaintedTextOfTheWindowAnswers()
    {
        QFETCH(QString, show);
        QFETCH(QString, expected);
        openChain(8);
        m_window->resize(1400, 1100); // the figures of the plan are in sight
        document().setBudget(document().model()->keepAll->peakBytes * 6 / 10);
        command(qPrintable(show))->trigger();
        QTRY_VERIFY(m_window->idle());
        const GlossaryWords words(readLessons());
        QStringList found;
        for (auto *widget : m_window->findChildren<QWidget *>()) {
            if (!widget->isVisible() || qobject_cast<QAbstractScrollArea *>(widget->parentWidget()) ||
                qobject_cast<QAbstractScrollArea *>(widget) || qobject_cast<QAbstractButton *>(widget) ||
                qobject_cast<QLabel *>(widget) || qobject_cast<QMenuBar *>(widget))
                continue;
            for (const PaintedText &each : paintedTexts(*widget)) {
                const auto inText = words.in(each.text, false);
                const QPoint middle = each.rect.center().toPoint();
                if (inText.empty() || !widget->visibleRegion().contains(middle)) continue;
                hover(*widget, middle);
                QVERIFY2(card() && card()->isVisible(),
                         qPrintable(QLatin1String(widget->metaObject()->className()) + each.text));
                for (const GlossaryWord &word : inText)
                    found << word.word;
                card()->close();
            }
        }
        for (const QString &word : expected.split(QLatin1Char(' ')))
            QVERIFY2(found.contains(word), qPrintable(found.join(QLatin1Char(' '))));
    }

    void aTooltipKeepsItsTextAndExplainsItsWords()
    {
        openChain(8);
        auto *button = new StudioButton(QStringLiteral("x"), {}, ButtonKind::Plain, m_window.get());
        button->setToolTip(QStringLiteral("Goes to the floor"));
        button->show();
        hover(*button, {2, 2});
        QVERIFY(card());
        QCOMPARE(card()->findChild<QLabel *>(QStringLiteral("wordCardTip"))->text(), button->toolTip());
        QVERIFY(card()->findChild<QLabel *>(QStringLiteral("cardWord.floor")));
        card()->close();
        button->setToolTip(QStringLiteral("Nothing to explain"));
        hover(*button, {2, 2});
        QTRY_VERIFY(!card());
    }

    void theCardGoesWithTheMouse()
    {
        openChain(8);
        auto *label = new QLabel(QStringLiteral("the peak"), m_window.get());
        label->setGeometry(400, 300, 80, 20);
        label->show();
        const auto move = [this](QPoint global) {
            QMouseEvent event(QEvent::MouseMove, m_window->mapFromGlobal(global), global, Qt::NoButton, Qt::NoButton,
                              {});
            QCoreApplication::sendEvent(m_window.get(), &event);
        };
        hover(*label, {5, 5});
        QPointer<WordCard> shown = card();
        QVERIFY(shown);
        move(label->mapToGlobal(QPoint(30, 10)));
        QVERIFY(shown->isVisible());
        move(shown->geometry().center()); // on its way to "Show me"
        QVERIFY(shown->isVisible());
        move(m_window->mapToGlobal(QPoint(20, 20)));
        QTRY_VERIFY(!shown);
    }

    void nothingIsExplainedWhileAButtonIsDown()
    {
        openChain(8);
        QLabel label(QStringLiteral("the peak"), m_window.get());
        label.setGeometry(400, 300, 80, 20);
        label.show();
        QTest::mousePress(&label, Qt::LeftButton, {}, {5, 5});
        hover(label, {5, 5});
        QVERIFY(!card());
        QTest::mouseRelease(&label, Qt::LeftButton, {}, {5, 5});
        hover(label, {5, 5});
        QVERIFY(card());
    }

    void showMeOpensTheStep()
    {
        openChain(8);
        auto *label = new QLabel(QStringLiteral("Overhead"), m_window.get());
        label->show();
        hover(*label, {2, 2});
        auto *show = card()->findChild<StudioButton *>(QStringLiteral("showWord.overhead"));
        QVERIFY(show && show->accessibleName().contains(QStringLiteral("overhead")));
        QTest::mouseClick(show, Qt::LeftButton);
        QTRY_VERIFY(m_window->idle());
        QCOMPARE(run().lesson().name, std::string("again"));
        QVERIFY(m_window->lessons().panel()->shownText().contains(QStringLiteral("**overhead**")));
    }

    void inALessonTheWordUnderTheMouseIsMeant()
    {
        QVERIFY(m_window->openLesson(QStringLiteral("sqrt"), 1));
        QTRY_VERIFY(m_window->idle());
        auto *text = m_window->lessons().panel()->findChild<QLabel *>(QStringLiteral("lessonText"));
        QStringList found;
        for (int y = 4; y < text->height(); y += 8)
            for (int x = 4; x < text->width(); x += 8) {
                hover(*text, {x, y});
                if (!card()) continue;
                QCOMPARE(card()->findChildren<StudioButton *>().size(), 1);
                found << card()->findChildren<StudioButton *>().front()->objectName();
                card()->close();
            }
        found.removeDuplicates();
        found.sort();
        // Everyday words, too, and nothing that does not stand there.
        for (const char *word : {"chain", "layer", "keep-all", "activation", "checkpoint", "segment"})
            QVERIFY2(found.contains(QStringLiteral("showWord.") + QLatin1String(word)),
                     qPrintable(found.join(QLatin1Char(' '))));
        QVERIFY(!found.contains(QStringLiteral("showWord.floor")));
    }

    void aKeyShowsTheWordsWhereTheKeyboardIs()
    {
        QVERIFY(m_window->openLesson(QStringLiteral("sqrt"), 1));
        QTRY_VERIFY(m_window->idle());
        m_window->activateWindow();
        m_window->lessons().panel()->setFocus();
        command("glossary.here")->trigger();
        QPointer<WordCard> shown = card();
        QVERIFY(shown && shown->isVisible());
        const auto buttons = shown->findChildren<StudioButton *>();
        QVERIFY(buttons.size() >= 3 && buttons.size() <= 6);
        QTest::keyClick(shown, Qt::Key_Escape);
        QTRY_VERIFY(!shown);
        QVERIFY(run().running());
        command("glossary.here")->trigger();
        auto *show = card()->findChildren<StudioButton *>().front();
        QTest::keyClick(show, Qt::Key_Space);
        QTRY_VERIFY(!card());
        QVERIFY(run().running());
    }
};

QTEST_MAIN(TestWords)
#include "tst_words.moc"
