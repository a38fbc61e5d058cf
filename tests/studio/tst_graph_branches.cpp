// SPDX-License-Identifier: Apache-2.0
// Branches in the graph view: side by side, opened, cut otherwise.
#include "app/studio/views/graph/card_parts.h"
#include "tests/studio/graph_stage.h"

#include <QtTest>

#include <set>

using namespace remat;
using namespace remat::studio;
using namespace remat::studio::fixture;

class TestGraphBranches : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepareGraphs(); }

    void branchesStandSideBySide()
    {
        GraphStage stage(branched());
        QVERIFY(stage.document.model());
        QVERIFY(stage.view.branchesBeside());
        stage.open({"mixed_a"});
        const auto at = [&](const char *path, Side side = Side::Forward) {
            return stage.item(QStringLiteral("mixed_a.") + QLatin1String(path), side).rect;
        };
        for (const Side side : {Side::Forward, Side::Backward}) {
            QCOMPARE(at("branch5x5_1", side).top(), at("branch1x1", side).top());
            QCOMPARE(at("branch3x3dbl_1", side).top(), at("branch1x1", side).top());
            QVERIFY(at("branch5x5_2", side).top() > at("branch5x5_1", side).bottom());
            QCOMPARE(at("branch5x5_2", side).left(), at("branch5x5_1", side).left());
            // As the layout has them from the left.
            QVERIFY(at("branch1x1", side).right() < at("branch5x5_1", side).left());
            QVERIFY(at("branch5x5_1", side).right() < at("branch3x3dbl_1", side).left());
        }
        QVERIFY(stage.view.layouts().laidOut() > 0);
        QVERIFY(stage.view.scene().picture.columnWidth > PictureMetrics::kFullColumn);

        QSignalSpy changed(&stage.view, &GraphView::branchesBesideChanged);
        stage.view.setBranchesBeside(false);
        stage.settle();
        QCOMPARE(changed.size(), 1);
        QVERIFY(at("branch5x5_1").top() > at("branch1x1").bottom());
        QCOMPARE(at("branch5x5_1").left(), at("branch1x1").left());
        QCOMPARE(stage.view.scene().picture.columnWidth, PictureMetrics::kFullColumn);
        for (const GraphItem &item : stage.view.scene().picture.items)
            QCOMPARE(item.branching, Branching::None);
        const QJsonObject state = stage.view.saveState();
        stage.view.setBranchesBeside(true);
        stage.settle();
        stage.view.restoreState(state);
        stage.settle();
        QVERIFY(!stage.view.branchesBeside());
        QVERIFY(at("branch5x5_1").top() > at("branch1x1").bottom());
        // Sessions from before there were branches.
        QJsonObject old = state;
        old.remove(QStringLiteral("branches"));
        old.remove(QStringLiteral("branchesOtherwise"));
        stage.view.restoreState(old);
        stage.settle();
        QVERIFY(stage.view.branchesBeside());
        QCOMPARE(at("branch5x5_1").top(), at("branch1x1").top());
    }

    void oneClusterOtherwise()
    {
        GraphStage stage(branched(), {1400, 1100});
        QVERIFY(stage.document.model());
        stage.open({"mixed_e", "mixed_a"});
        const auto beside = [&](const char *path) {
            const auto &picture = stage.view.scene().picture;
            for (const GraphItem &item : picture.items)
                if (stage.view.scene().nodeOf(item).path == path) return item.branching;
            return Branching::None;
        };
        QCOMPARE(beside("mixed_a"), Branching::Beside);
        QCOMPARE(beside("mixed_e"), Branching::Beside);
        QSignalSpy touched(&stage.view, &GraphView::stateTouched);
        // The switch in the header.
        const int frame =
            stage.view.scene().picture.itemOf[0][static_cast<std::size_t>(stage.view.scene().tree.find("mixed_a"))];
        const QRectF spot = branchSwitchRect(stage.view.scene().picture.item(frame));
        QVERIFY(!spot.isEmpty());
        stage.click(stage.view.canvas()->toWidget(spot).center() + stage.view.canvas()->pos());
        stage.settle();
        QCOMPARE(touched.size(), 1);
        QCOMPARE(beside("mixed_a"), Branching::Column);
        QCOMPARE(beside("mixed_e"), Branching::Beside);
        const QJsonObject state = stage.view.saveState();
        // By keys: what the selection is in.
        stage.view.revealPath(QStringLiteral("mixed_a.branch5x5_1"));
        stage.settle();
        stage.view.switchBranchesHere();
        stage.settle();
        QCOMPARE(beside("mixed_a"), Branching::Beside);
        stage.view.restoreState(state);
        stage.settle();
        QCOMPARE(beside("mixed_a"), Branching::Column);
        // With all others in a column, it is the one that is not.
        stage.view.setBranchesBeside(false);
        stage.settle();
        QCOMPARE(beside("mixed_a"), Branching::Beside);
        QCOMPARE(beside("mixed_e"), Branching::None);
    }

    void keysReachEveryBranch()
    {
        GraphStage stage(branched());
        QVERIFY(stage.document.model());
        stage.open(
            {"mixed_e", "mixed_a", "attention", "attention.heads", "attention.heads.3", "experts", "experts.experts"});
        const auto &picture = stage.view.scene().picture;
        // Cards that can be opened do so at the key that leads to the right, so these are closed to it.
        std::set<int> reached = {0};
        std::vector<int> todo = {0};
        while (!todo.empty()) {
            const int from = todo.back();
            todo.pop_back();
            for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Up, Qt::Key_Right, Qt::Key_Left}) {
                const GraphItem item = picture.item(from); // opening the way to it makes the picture anew
                const bool frame = item.shape == ItemShape::Frame;
                const auto &lanes = picture.lanes;
                const bool sideways = key == Qt::Key_Right || key == Qt::Key_Left;
                if (sideways && item.lane < 0) continue; // opens, closes or leaves
                if (sideways && (frame || stage.view.scene().nodeOf(item).expandable())) {
                    const GraphLane &lane = lanes[static_cast<std::size_t>(item.lane)];
                    const bool atEdge = key == Qt::Key_Right ? lane.end == lane.bandEnd : lane.begin == lane.bandBegin;
                    if (atEdge) continue;
                }
                stage.view.revealPath(QString::fromStdString(stage.view.scene().nodeOf(item).path));
                stage.settle();
                if (item.side == Side::Backward) continue;
                QCOMPARE(stage.view.scene().marks.selected, from);
                const std::size_t before = picture.items.size();
                stage.key(key);
                QCOMPARE(picture.items.size(), before);
                const int now = stage.view.scene().marks.selected;
                if (now >= 0 && reached.insert(now).second) todo.push_back(now);
            }
        }
        for (int i = 0; i < static_cast<int>(picture.items.size()); ++i)
            if (picture.item(i).side == Side::Forward)
                QVERIFY2(reached.contains(i), stage.view.scene().nodeOf(picture.item(i)).path.c_str());
        // Down a branch, and out of it to what is below all of them.
        stage.view.revealPath(QStringLiteral("mixed_a.branch5x5_1"));
        stage.settle();
        stage.key(Qt::Key_Down);
        QCOMPARE(stage.selected(), QStringLiteral("branch5x5_2"));
        stage.key(Qt::Key_Down);
        QCOMPARE(stage.selected(), QStringLiteral("cat"));
        stage.view.revealPath(QStringLiteral("mixed_a.branch5x5_2"));
        stage.settle();
        stage.key(Qt::Key_Right);
        QCOMPARE(stage.selected(), QStringLiteral("branch3x3dbl_2"));
        stage.key(Qt::Key_Left);
        stage.key(Qt::Key_Left);
        QCOMPARE(stage.selected(), QStringLiteral("branch1x1"));
    }

    void openedBranchStaysWhereItIs()
    {
        GraphStage stage(branched(), {1100, 900});
        QVERIFY(stage.document.model());
        const QRectF before = stage.item(QStringLiteral("mixed_a"), Side::Backward).rect;
        stage.click(stage.item(QStringLiteral("mixed_a"), Side::Backward).chevron.center());
        stage.settle();
        const QRectF after = stage.item(QStringLiteral("mixed_a"), Side::Backward).rect;
        QVERIFY(after.width() > before.width() + 100);
        QVERIFY2(std::abs(after.left() - before.left()) < 40,
                 qPrintable(QStringLiteral("%1 to %2").arg(before.left()).arg(after.left())));
    }

    void branchesWithoutTheHelper()
    {
        Document document;
        GraphView view(&document);
        view.layouts().client().setProgram(QStringLiteral("/nowhere/remat-layout"));
        view.resize(1032, 800);
        view.show();
        document.setModel(branched());
        QVERIFY(document.model());
        view.expand(QStringLiteral("mixed_a"));
        QVERIFY(QTest::qWaitFor([&] { return !view.layoutPending() && !view.scene().picture.lanes.empty(); }, 20000));
        QCOMPARE(view.layouts().laidOut(), 0);
    }
};

QTEST_MAIN(TestGraphBranches)
#include "tst_graph_branches.moc"
