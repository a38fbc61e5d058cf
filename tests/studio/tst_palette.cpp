// SPDX-License-Identifier: Apache-2.0
// Fuzzy matching against brute force, and the palette in the real window.
#include "app/studio/base/widgets/search_field.h"
#include "app/studio/shell/palette/palette_box.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "tests/studio/window_test.h"
#include "tests/support/costed_models.h"

#include <random>

using namespace remat;
using namespace remat::studio;

namespace {

/// Best score by trying every way to place the letters: what the dynamic program has to find.
int bestByTrying(const std::u16string &word, const FuzzyText &text, std::size_t letter, int before)
{
    constexpr int kNone = -1000000;
    if (letter == word.size()) return 0;
    int best = kNone;
    for (std::size_t at = static_cast<std::size_t>(before + 1); at < text.folded.size(); ++at) {
        if (text.folded[at] != word[letter]) continue;
        int score = 16 + text.bonus[at];
        const int gap = static_cast<int>(at) - before - 1;
        if (letter == 0)
            score -= std::min(static_cast<int>(at), 12);
        else
            score += gap == 0 ? 14 : -3 - (gap - 1);
        const int rest = bestByTrying(word, text, letter + 1, static_cast<int>(at));
        if (rest > kNone) best = std::max(best, score + rest);
    }
    return best;
}

} // namespace

class TestPalette : public QObject, fixture::InWindow
{
    Q_OBJECT

    PaletteBox *box() { return m_window->findChild<PaletteBox *>(); }
    void open()
    {
        m_window->activateWindow();
        QTRY_VERIFY(m_window->isActiveWindow());
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(box() && box()->isVisible());
    }
    void type(const QString &text)
    {
        QTest::keyClicks(box()->field(), text);
        box()->list().finish();
    }
    QString title(int row) { return box()->list().index(row).data().toString(); }

    void openTiny()
    {
        m_window->openSample(QStringLiteral("tiny_gpt2"));
        QTRY_VERIFY(m_window->session().document.model() && m_window->idle());
        // Ops are gathered in the background.
        bool gathered = false;
        for (int i = 0; i < 500 && !gathered; ++i) {
            open();
            type(QStringLiteral("@"));
            gathered = box()->list().fitting() > 0;
            QTest::keyClick(box()->field(), Qt::Key_Escape);
            if (!gathered) QTest::qWait(20);
        }
        QVERIFY(gathered);
    }

private Q_SLOTS:
    void init()
    {
        openFresh({1280, 800});
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    void scoresAreTheBestThereAre()
    {
        std::mt19937 random(7);
        const QString letters = QStringLiteral("abAB.1_");
        const auto word = [&](int most) {
            QString text;
            for (int i = 1 + static_cast<int>(random() % static_cast<unsigned>(most)); i > 0; --i)
                text += letters[static_cast<qsizetype>(random() % static_cast<unsigned>(letters.size()))];
            return text;
        };
        int fitting = 0, scattered = 0;
        for (int i = 0; i < 3000; ++i) {
            const FuzzyText text(word(10));
            const QString pattern = word(4);
            const auto score = FuzzyPattern(pattern).score(text);
            const int best = bestByTrying(pattern.toLower().toStdU16String(), text, 0, -1);
            QVERIFY(!score || best > -1000000);
            if (!score) {
                scattered += best > -1000000 ? 1 : 0; // letters in order, and no word that they spell
                continue;
            }
            ++fitting;
            QCOMPARE(*score, best);
            const auto places = FuzzyPattern(pattern).places(text);
            QCOMPARE(places.size(), static_cast<std::size_t>(pattern.size()));
            for (std::size_t at = 0; at < places.size(); ++at)
                QCOMPARE(text.folded[static_cast<std::size_t>(places[at])],
                         pattern.toLower()[static_cast<qsizetype>(at)].unicode());
        }
        QVERIFY2(fitting > 300 && scattered > 10, qPrintable(QStringLiteral("%1 and %2").arg(fitting).arg(scattered)));
    }

    void scatteredLettersAreNoHit()
    {
        QVERIFY(!FuzzyPattern(QStringLiteral("train")).score(FuzzyText(QStringLiteral("Next recomputation"))));
        QVERIFY(!FuzzyPattern(QStringLiteral("mlp")).score(FuzzyText(QStringLiteral("h.1.matmul.up"))));
        QVERIFY(FuzzyPattern(QStringLiteral("train")).score(FuzzyText(QStringLiteral("Train with this…"))));
    }

    void beginningsOfWordsWin()
    {
        const auto better = [](const char *pattern, const char *a, const char *b) {
            const FuzzyPattern wanted(QString::fromLatin1(pattern));
            return wanted.score(FuzzyText(QString::fromLatin1(a))).value() >
                   wanted.score(FuzzyText(QString::fromLatin1(b))).value_or(-1000000);
        };
        QVERIFY(better("sp", "Save plan", "Display"));
        QVERIFY(better("mlp", "h.11.mlp.c_fc", "h.1.matmul.p"));
        QVERIFY(better("fit", "Fit the view", "Profit"));
        QVERIFY(!FuzzyPattern(QStringLiteral("fit x")).score(FuzzyText(QStringLiteral("Fit the view"))));
        QVERIFY(FuzzyPattern(QStringLiteral("view fit")).score(FuzzyText(QStringLiteral("Fit the view"))));
    }

    void slicesGiveTheSameRows()
    {
        auto items = std::make_shared<std::vector<PaletteItem>>();
        for (int i = 0; i < 6000; ++i) {
            PaletteItem item;
            item.kind = PaletteItem::Kind::Op;
            item.title = QStringLiteral("transformer.h.%1.mlp.c_fc %2").arg(i % 97).arg(i);
            item.text = FuzzyText(item.title);
            item.op = OpId(static_cast<std::size_t>(i));
            items->push_back(item);
        }
        // The shortest slices: how many there are is then the same on every machine.
        PaletteList sliced(nullptr, 0), whole;
        QAbstractItemModelTester tester(&sliced, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sliced.setItems({}, items);
        whole.setItems({}, items);
        const PaletteQuestion question{PaletteScope::Ops, QStringLiteral("h.7 fc")};
        whole.ask(question);
        whole.finish();
        sliced.ask(question);
        QVERIFY(sliced.ranking()); // the call came back before all were ranked
        QTRY_VERIFY(!sliced.ranking());
        QCOMPARE(sliced.rowCount(), static_cast<int>(PaletteList::kMostRows));
        QCOMPARE(sliced.fitting(), whole.fitting());
        for (int row = 0; row < sliced.rowCount(); ++row)
            QCOMPARE(sliced.itemAt(row).op, whole.itemAt(row).op);
    }

    void runsACommand()
    {
        open();
        type(QStringLiteral(">keys"));
        QCOMPARE(title(0), QStringLiteral("Keys and commands"));
        QTest::keyClick(box()->field(), Qt::Key_Return);
        QVERIFY(!box()->isVisible());
        QTRY_VERIFY(m_window->findChild<QDialog *>(QStringLiteral("keysWindow")));
        // What was run last stands on top.
        open();
        box()->list().finish();
        QCOMPARE(title(0), QStringLiteral("Keys and commands"));
    }

    /// By whatever word somebody looks for it.
    void trainingIsFoundByItsWords()
    {
        openTiny();
        for (const char *word : {"train", "script", "export"}) {
            open();
            type(QString::fromLatin1(word));
            QStringList first;
            for (int row = 0; row < std::min(5, box()->list().rowCount()); ++row)
                first << title(row);
            QVERIFY2(first.contains(QStringLiteral("Train with this")),
                     qPrintable(QLatin1String(word) + u':' + first.join(u'|')));
            QTest::keyClick(box()->field(), Qt::Key_Escape);
        }
    }

    void everyCommandSaysItsMenuAndKey()
    {
        open();
        type(QStringLiteral(">"));
        const PaletteList &list = box()->list();
        QVERIFY(list.rowCount() > 40);
        int keys = 0;
        for (int row = 0; row < list.rowCount(); ++row) {
            const PaletteItem &item = list.itemAt(row);
            QVERIFY2(!list.index(row).data(PaletteList::PlaceRole).toString().isEmpty(), qPrintable(item.title));
            const QString key = list.index(row).data(PaletteList::KeyRole).toString();
            QCOMPARE(key, item.action->shortcut().toString(QKeySequence::NativeText));
            keys += !key.isEmpty();
        }
        QVERIFY(keys > 20);
        QTest::keyClick(box()->field(), Qt::Key_Escape);
    }

    void disabledCommandsStayBelow()
    {
        open();
        type(QStringLiteral(">solve"));
        const int rows = box()->list().rowCount();
        bool disabledSeen = false;
        for (int row = 0; row < rows; ++row) {
            const bool enabled = box()->list().index(row).data(PaletteList::EnabledRole).toBool();
            QVERIFY(!(disabledSeen && enabled));
            disabledSeen |= !enabled;
        }
        QVERIFY(disabledSeen); // there is no model
        QTest::keyClick(box()->field(), Qt::Key_Escape);
        QVERIFY(!box()->isVisible());
    }

    void findsTheNamesOfFiles()
    {
        openTiny();
        const Graph &graph = m_window->session().document.model()->graph();
        open();
        type(QStringLiteral("_log_softmax")); // shown as "log softmax"
        const PaletteItem &first = box()->list().itemAt(0);
        QCOMPARE(first.kind, PaletteItem::Kind::Op);
        QCOMPARE(graph.op(first.op).name, std::string("_log_softmax"));
    }

    void goesToOpsAndStorages()
    {
        openTiny();
        Document &document = m_window->session().document;
        open();
        type(QStringLiteral("@mlp.c_fc"));
        const OpId op = box()->list().itemAt(0).op;
        QVERIFY(op);
        QVERIFY(document.model()->graph().op(op).module.ends_with("mlp.c_fc"));
        QTest::keyClick(box()->field(), Qt::Key_Down);
        QTest::keyClick(box()->field(), Qt::Key_Up);
        QTest::keyClick(box()->field(), Qt::Key_Return);
        QCOMPARE(document.selection().op, op);
        QTRY_VERIFY(!m_window->workspace()->graph()->layoutPending());
        const auto items = m_window->workspace()->graph()->visibleItems();
        QVERIFY(std::any_of(items.begin(), items.end(), [](const VisibleItem &item) { return item.selected; }));

        open();
        type(QStringLiteral("#c_fc"));
        const StorageId storage = box()->list().itemAt(0).storage;
        const QRect first = box()->view()->visualRect(box()->list().index(0));
        QTest::mouseClick(box()->view()->viewport(), Qt::LeftButton, {}, first.center());
        QCOMPARE(document.selection().storage, storage);
    }

    void opsTakeFilters()
    {
        openTiny();
        open();
        type(QStringLiteral("@kind:tanh phase:forward"));
        const int tanhs = box()->list().fitting();
        const Graph &graph = m_window->session().document.model()->graph();
        QCOMPARE(tanhs, static_cast<int>(std::count_if(graph.ops.begin(), graph.ops.end(), [](const Op &each) {
                     return each.kind == "tanh" && each.phase == Phase::Forward;
                 })));
        QVERIFY(tanhs > 0);
        QTest::keyClick(box()->field(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(static_cast<int>(m_window->workspace()->graph()->scene().matches.ops.size()), tanhs);
        open();
        type(QStringLiteral("@size>x"));
        auto *hints = box()->findChild<QLabel *>(QStringLiteral("paletteHints"));
        QVERIFY2(hints->text().contains(QStringLiteral("size>10MiB")), qPrintable(hints->text()));
    }

    void theFieldOpensIt()
    {
        auto *field = m_window->findChild<SearchField *>();
        QVERIFY(field);
        QCOMPARE(field->width(), SearchField::kNarrow);
        m_window->resize(1600, 1000);
        QCOMPARE(field->width(), SearchField::kWide);
        QTest::mouseClick(field, Qt::LeftButton);
        QVERIFY(box()->isVisible());
        QCOMPARE(box()->geometry().center().x(), m_window->rect().center().x());
        QCOMPARE(box()->width() - 2 * PaletteBox::kShadow, 560);
        QCOMPARE(box()->y() + PaletteBox::kShadow, 96);
        QTest::keyClick(box()->field(), Qt::Key_Escape);
        field->setFocus();
        QTest::keyClick(field, Qt::Key_G);
        QCOMPARE(box()->field()->text(), QStringLiteral("g"));
    }

    void looksAsDrawn_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::addColumn<QString>("text");
        QTest::newRow("light_commands") << int(Scheme::Light) << QStringLiteral(">pan");
        QTest::newRow("light_ops") << int(Scheme::Light) << QStringLiteral("@mlp");
        QTest::newRow("dark_commands") << int(Scheme::Dark) << QStringLiteral(">pan");
        QTest::newRow("dark_ops") << int(Scheme::Dark) << QStringLiteral("@mlp");
    }

    void looksAsDrawn()
    {
        const fixture::RowLook look;
        QFETCH(QString, text);
        const auto model = test::costedSample("tiny_gpt2");
        if (!model) QFAIL("The samples are not installed.");
        QWidget parent;
        parent.resize(620, 500);
        PaletteBox palette(&parent);
        QAction graph(QStringLiteral("Modules and plans panel")), memory(QStringLiteral("Memory panel"));
        std::vector<PaletteItem> commands;
        for (QAction *action : {&graph, &memory}) {
            PaletteItem item;
            item.icon = action == &graph ? QStringLiteral("panel-left") : QStringLiteral("panel-bottom");
            item.title = action->text();
            item.place = QStringLiteral("View");
            item.key = action == &graph ? QStringLiteral("Alt+1") : QStringLiteral("Alt+2");
            item.text = FuzzyText(item.title);
            item.action = action;
            commands.push_back(item);
        }
        memory.setEnabled(false);
        const auto items = std::make_shared<const std::vector<PaletteItem>>(modelItems(*(*model)->open));
        palette.list().setItems(commands, items);
        connect(&palette, &PaletteBox::asked, &palette,
                [&](const QString &asked) { palette.list().ask(paletteQuestion(asked)); });
        parent.show();
        palette.open(text);
        palette.list().finish();
        QVERIFY(QTest::qWaitForWindowExposed(&parent));
        parent.setFocus(); // no blinking cursor in the picture
        palette.show();
        fixture::looksAsItDid(palette, "palette");
    }
};

QTEST_MAIN(TestPalette)
#include "tst_palette.moc"
