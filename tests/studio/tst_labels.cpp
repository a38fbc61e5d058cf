// SPDX-License-Identifier: Apache-2.0
// What legends, notes and short labels say, and that they are seen whole.
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/shell/exports/view_picture.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_minimap.h"
#include "app/studio/views/graph/graph_rail.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/plan/options_form.h"
#include "app/studio/views/solves/jobs_model.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestLabels : public QObject, fixture::InWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        openFresh({1280, 800});
        openChain(12);
    }

    void theLegendsKeepTheirWords()
    {
        // Labels of the memory view, in its header or on a line below, and of the graph, green outlines included.
        const auto said = [this](QWidget &view) {
            const QString path = m_folder.filePath(QStringLiteral("view.svg"));
            writePicture(view, QStringLiteral("view"), path);
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        };
        const QString memory = said(*m_window->workspace()->bottomDock());
        for (const char *word : {"Kept", "Recomputed", "Gradients", "Workspace", "Keep-all"})
            QVERIFY2(memory.contains(QLatin1String(word)), word);
        auto *rail = m_window->workspace()->graph()->findChild<GraphRail *>();
        QVERIFY(rail->isVisible());
        const QString graph = said(*rail);
        for (const char *word : {"Kept", "Recomputed", "Mixed", "Freed", "Backward", "Held at cursor"})
            QVERIFY2(graph.contains(QLatin1String(word)), word);
    }

    void aLowGraphKeepsItsLegend()
    {
        auto *rail = m_window->workspace()->graph()->findChild<GraphRail *>();
        const auto said = [this, rail] {
            const QString path = m_folder.filePath(QStringLiteral("rail.svg"));
            writePicture(*rail, QStringLiteral("rail"), path);
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        };
        QVERIFY(rail->minimap().isVisible());
        m_window->resize(1280, 640);
        QTRY_VERIFY(!rail->minimap().isVisible());
        QVERIFY(said().contains(QStringLiteral("Recomputed")));
        m_window->resize(1280, 800);
        QTRY_VERIFY(rail->minimap().isVisible());
    }

    void greyPlansSayWhy()
    {
        document().moveBudget(document().model()->keepAll->peakBytes);
        QTRY_VERIFY(m_window->idle() && document().currentPlan());
        m_window->solve();
        QTRY_VERIFY(m_window->session().solver.report().ended() && m_window->idle());
        command("leftPanel")->trigger();
        document().setBudget(document().model()->keepAll->peakBytes / 2);
        auto *note = m_window->findChild<QLabel *>(QStringLiteral("greyNote"));
        QTRY_VERIFY(note->isVisible());
        QVERIFY2(note->text().startsWith(QStringLiteral("Grey plans need more than the budget")),
                 qPrintable(note->text()));
    }

    /// "×12" is twelve alike, and nothing else is written with that sign.
    void timesMeansSoManyAlike()
    {
        QFile file(QStringLiteral(REMAT_SAMPLES "/../translations/remat-studio.ts"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QRegularExpression other(QStringLiteral("×(?!\\d)"));
        for (const QString &line : QString::fromUtf8(file.readAll()).split(u'\n'))
            QVERIFY2(!line.contains(other), qPrintable(line));
        QFile samples(QStringLiteral(REMAT_SAMPLES "/samples.json"));
        QVERIFY(samples.open(QIODevice::ReadOnly) && !samples.readAll().contains("×"));
    }

    void oneOptionIsOne()
    {
        OptionRecord option;
        option.name = std::string("polish");
        option.label = std::string("Polish");
        option.type = OptionType::Bool;
        option.advanced = true;
        OptionsForm form;
        form.setRecords({option}, {});
        form.resize(300, 100);
        const QString path = m_folder.filePath(QStringLiteral("form.svg"));
        QVERIFY(writePicture(form, QStringLiteral("form"), path).isEmpty());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray said = file.readAll();
        QVERIFY(said.contains("1 option") && !said.contains("1 options"));
    }

    /// A header in a narrow window had "Ta…", which says nothing.
    void aTextIsShownWhereItSaysSomething()
    {
        const QString text = QStringLiteral("Takes 805 KiB in one piece");
        TokenLabel label(text, FontRole::Label, Token::Text);
        TokenLabel nothing({}, FontRole::Label, Token::Text);
        const auto painted = [](TokenLabel &which, int width) {
            which.resize(width, 20);
            return which.grab().toImage();
        };
        QCOMPARE(painted(label, 24), painted(nothing, 24));
        for (const int width : {90, 400})
            QVERIFY(painted(label, width) != painted(nothing, width));
    }

    void timeThatIsUpIsNoStop()
    {
        SolveReport report;
        report.state = SolveReport::State::Stopped;
        const QString byHand = JobsModel::stateText(report);
        report.sentence = QString::fromLatin1(kTimeWasUp);
        QVERIFY(JobsModel::stateText(report) != byHand);
    }
};

QTEST_MAIN(TestLabels)
#include "tst_labels.moc"
