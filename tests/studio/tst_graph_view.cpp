// SPDX-License-Identifier: Apache-2.0
// The graph view as people use it: opens, closes, selects, moves; and pictures to look at.
#include "app/studio/base/style/theme.h"
#include "app/studio/views/graph/card_text.h"
#include "app/studio/views/graph/graph_painter.h"
#include "app/studio/views/graph/graph_view.h"
#include "tests/studio/golden.h"
#include "tests/support/costed_models.h"
#include "tests/support/thread_time.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QJsonArray>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <ctime>
#include <set>

using namespace remat;
using namespace remat::studio;

class TestGraphView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void emptyOffersToOpen();
    void chevronOpensAndCloses();
    void doubleClickOpens();
    void sameHeightInBothColumns();
    void clickSelectsAnOp();
    void clickOnAClusterTellsItsPath();
    void clickOnTheBackgroundClears();
    void selectionFromElsewhereMarksTheNearestCard();
    void revealOpensTheWay();
    void revealPathOpensTheWay();
    void stepperChoosesTheBlock();
    void keysMoveAndOpen();
    void backspaceGoesOutwards();
    void wheelPansAndZoomsAroundTheCursor();
    void dragPans();
    void minimapMovesTheView();
    void statesFollowThePlan();
    void cursorMarksTheRunningOp();
    void cursorLightsWhatIsAlive();
    void hoverIsShared();
    void followsMakersAndReaders();
    void keysFrameAndWalk();
    void spaceAndDragOnlyMoves();
    void wheelMayZoom();
    void altOpensEverythingBelow();
    void detailsSayEverythingOfTheSelection();
    void pinsAreOnCards();
    void overlaysAreWhatTheySay();
    void matchesAreLit();
    void longLayoutsCanBeStopped();
    void stateIsRemembered();
    void partitionAndBack();
    void colourByBytes();
    void tableTwin();
    void tooltipsSayEverything();
    void failingHelperIsSaidAndTheGraphStays();
    void newestExpansionWins();
    void modelCanBeReplacedAndClosed();
    void narrowViewsDropTheKind();
    void movesWhenItMay();
    void pansTenThousandOpsSmoothly();
    void branchesStandSideBySide();
    void oneClusterOtherwise();
    void keysReachEveryBranch();
    void openedBranchStaysWhereItIs();
    void branchesWithoutTheHelper();
    void goldenPicture_data();
    void goldenPicture();
};

namespace {

/// A view of a model, shown and laid out.
struct Stage {
    explicit Stage(std::shared_ptr<const CostedModel> model, QSize size = {1032, 800}) : view(&document)
    {
        view.resize(size);
        view.show();
        if (model) document.setModel(std::move(model));
        if (document.model()) settle();
    }
    void settle()
    {
        QVERIFY(QTest::qWaitFor([&] { return !view.layoutPending() && !view.scene().picture.items.empty(); }, 20000));
    }
    VisibleItem item(const QString &path, Side side = Side::Forward) const
    {
        for (const VisibleItem &item : view.visibleItems())
            if (item.path == path && item.side == side) return item;
        return {};
    }
    void open(const std::vector<const char *> &paths)
    {
        for (const char *path : paths)
            view.expand(QString::fromLatin1(path));
        settle();
    }
    bool shows(const QString &path, Side side = Side::Forward) const { return !item(path, side).rect.isNull(); }
    void click(QPointF position)
    {
        QTest::mouseClick(view.canvas(), Qt::LeftButton, {}, (position - view.canvas()->pos()).toPoint());
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(view.canvas(), key, modifiers);
        settle();
    }
    QString selected() const
    {
        for (const VisibleItem &item : view.visibleItems())
            if (item.selected) return item.title;
        return {};
    }

    Document document;
    GraphView view;
};

const QString kBlock = QStringLiteral("model.h.5");
const QString kMlp = QStringLiteral("model.h.5.mlp");

std::shared_ptr<const CostedModel> layers(int count)
{
    return test::costedModel(test::layeredGraph(count));
}

/// Inception cells, heads and experts.
std::shared_ptr<const CostedModel> branched()
{
    auto model = test::loadSample("branches");
    if (!model) return nullptr;
    for (Op &op : model->graph.ops)
        op.timeUs = 10;
    return test::costedModel(std::move(model->graph));
}

/// What a frame of the graph is measured against in the same run: as many cards and names as fill the picture.
void paintCards(QImage &image)
{
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int card = 0; card < 200; ++card) {
        const QRect place(card % 8 * 60, card / 8 * 20, 56, 18);
        painter.drawRoundedRect(place, 4, 4);
        painter.drawText(place, Qt::AlignCenter, QStringLiteral("card %1").arg(card));
    }
}
constexpr double kMostReferences = 12;

OpId firstOp(const Graph &graph, const std::string &module, const std::string &kind)
{
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (graph.ops[i].module == module && graph.ops[i].kind == kind) return OpId(i);
    return {};
}

} // namespace

void TestGraphView::initTestCase()
{
    qputenv("REMAT_NO_ANIMATION", "1");
    Theme::instance().setScheme(Scheme::Light);
    Theme::instance().apply();
}

void TestGraphView::emptyOffersToOpen()
{
    Stage stage(nullptr);
    QSignalSpy open(&stage.view, &GraphView::openRequested);
    auto *button = stage.view.findChild<QPushButton *>();
    auto buttons = stage.view.findChildren<QPushButton *>();
    for (QPushButton *candidate : buttons)
        if (candidate->isVisible()) button = candidate;
    QVERIFY(button && button->isVisible());
    button->click();
    QCOMPARE(open.size(), 1);
    QVERIFY(stage.view.visibleItems().empty());
    QTest::keyClick(stage.view.canvas(), Qt::Key_Down); // does nothing, and does not crash
}

void TestGraphView::chevronOpensAndCloses()
{
    Stage stage(layers(6));
    stage.view.expand(kBlock);
    stage.settle();
    QVERIFY(stage.shows(kMlp));
    QCOMPARE(stage.item(kMlp).shape, ItemShape::OpCard);
    const double topBefore = stage.item(kMlp).rect.top();
    stage.click(stage.item(kMlp).chevron.center());
    stage.settle();
    QVERIFY(stage.view.isExpanded(kMlp));
    QCOMPARE(stage.item(kMlp).shape, ItemShape::Frame);
    QCOMPARE(stage.item(kMlp, Side::Backward).shape, ItemShape::Frame);
    QCOMPARE(stage.item(kMlp).rect.top(), topBefore);
    int inside = 0;
    for (const VisibleItem &item : stage.view.visibleItems()) {
        if (!item.path.startsWith(kMlp + QLatin1Char('/'))) continue;
        ++inside;
        QVERIFY(stage.item(kMlp, item.side).rect.contains(item.rect));
    }
    QVERIFY(inside >= 10);
    stage.click(stage.item(kMlp).chevron.center());
    stage.settle();
    QVERIFY(!stage.view.isExpanded(kMlp));
    QCOMPARE(stage.item(kMlp).shape, ItemShape::OpCard);
}

void TestGraphView::doubleClickOpens()
{
    Stage stage(layers(6));
    stage.view.expand(kBlock);
    const QPoint middle = (stage.item(kMlp).rect.topLeft() + QPointF(60, 12) - stage.view.canvas()->pos()).toPoint();
    QTest::mouseClick(stage.view.canvas(), Qt::LeftButton, {}, middle);
    QTest::mouseDClick(stage.view.canvas(), Qt::LeftButton, {}, middle);
    stage.settle();
    QVERIFY(stage.view.isExpanded(kMlp));
}

void TestGraphView::sameHeightInBothColumns()
{
    Stage stage(layers(6));
    stage.view.expandAll();
    stage.settle();
    int pairs = 0;
    for (const VisibleItem &item : stage.view.visibleItems()) {
        const VisibleItem twin = stage.item(item.path, Side::Backward);
        if (item.side != Side::Forward || twin.rect.isNull()) continue;
        QCOMPARE(item.rect.top(), twin.rect.top());
        QVERIFY(twin.rect.left() > item.rect.right());
        ++pairs;
    }
    QVERIFY(pairs > 50);
    stage.view.collapseAll();
    stage.settle();
    QCOMPARE(stage.view.visibleItems().size(), std::size_t(3)); // model, ∂ model, loss
}

void TestGraphView::clickSelectsAnOp()
{
    Stage stage(layers(6));
    QSignalSpy cluster(&stage.view, &GraphView::clusterSelected);
    const QString embed = QStringLiteral("model.embed");
    stage.click(stage.item(embed).rect.center());
    const Graph &graph = stage.document.model()->graph();
    QCOMPARE(stage.document.selection().op, firstOp(graph, "model.embed", "embedding"));
    QVERIFY(stage.item(embed).selected);
    stage.click(stage.item(embed, Side::Backward).rect.center());
    QCOMPARE(stage.document.selection().op, firstOp(graph, "model.embed", "embedding_backward"));
    QVERIFY(stage.item(embed, Side::Backward).selected);
    const QVector<GraphCrumb> path = stage.view.path();
    QCOMPARE(path.size(), 3);
    QCOMPARE(path.last().path, embed);
}

void TestGraphView::clickOnAClusterTellsItsPath()
{
    Stage stage(layers(6));
    stage.document.selectOp(OpId(0));
    QSignalSpy cluster(&stage.view, &GraphView::clusterSelected);
    stage.view.expand(kBlock);
    stage.settle();
    stage.click(stage.item(kMlp).rect.topLeft() + QPointF(60, 12));
    QCOMPARE(cluster.size(), 1);
    QCOMPARE(cluster[0][0].toString(), kMlp);
    QVERIFY(!stage.document.selection().op);
    QVERIFY(stage.item(kMlp).selected);
    // A frame is selected by its header, not by the room between its cards.
    stage.click(stage.item(kBlock).rect.topLeft() + QPointF(60, 12));
    QCOMPARE(cluster.last()[0].toString(), kBlock);
}

void TestGraphView::clickOnTheBackgroundClears()
{
    Stage stage(layers(6));
    stage.document.selectOp(OpId(0));
    QVERIFY(!stage.selected().isEmpty());
    stage.click(QPointF(5, 780));
    QVERIFY(stage.selected().isEmpty());
    QVERIFY(!stage.document.selection().op);
}

void TestGraphView::selectionFromElsewhereMarksTheNearestCard()
{
    Stage stage(layers(6));
    const Graph &graph = stage.document.model()->graph();
    const OpId gelu = firstOp(graph, "model.h.5.mlp", "gelu");
    QSignalSpy cluster(&stage.view, &GraphView::clusterSelected);
    stage.document.selectStorage(graph.op(gelu).outputs[0]);
    QVERIFY(!stage.view.isExpanded(kMlp)); // nothing opens by itself
    const GraphScene &scene = stage.view.scene();
    QVERIFY(scene.marks.selected >= 0);
    QVERIFY(kMlp.startsWith(QString::fromStdString(scene.nodeOf(scene.picture.item(scene.marks.selected)).path)));
    QCOMPARE(cluster.size(), 0);
    stage.view.expand(kBlock);
    stage.view.expand(kMlp);
    stage.settle();
    QCOMPARE(stage.selected(), QString::fromStdString(graph.op(gelu).name));
    // Its readers are lit, and an arc goes over to the backward op that reads it.
    QVERIFY(scene.marks.readers.size() >= 2);
    QCOMPARE(scene.marks.arcs.size(), std::size_t(1));
    QCOMPARE(scene.picture.item(scene.marks.arcs[0].second).side, Side::Backward);
    stage.document.clearSelection();
    QVERIFY(scene.marks.readers.empty() && scene.marks.arcs.empty() && scene.marks.selected < 0);
}

void TestGraphView::revealOpensTheWay()
{
    Stage stage(layers(12), {1032, 400});
    const Graph &graph = stage.document.model()->graph();
    const OpId op = firstOp(graph, "model.h.3.mlp", "gelu_backward");
    QVERIFY(op);
    stage.view.reveal(op);
    stage.settle();
    QCOMPARE(stage.document.selection().op, op);
    // The stacked block has become the one that is shown.
    QVERIFY(stage.view.isExpanded(QStringLiteral("model.h.3.mlp")));
    QVERIFY(stage.shows(QStringLiteral("model.h.3")));
    bool seen = false;
    for (const VisibleItem &item : stage.view.visibleItems()) {
        if (!item.selected) continue;
        seen = true;
        QCOMPARE(item.side, Side::Backward);
        QVERIFY(QRectF(stage.view.rect()).contains(item.rect));
    }
    QVERIFY(seen);
}

void TestGraphView::revealPathOpensTheWay()
{
    Stage stage(layers(12));
    QSignalSpy cluster(&stage.view, &GraphView::clusterSelected);
    stage.view.revealPath(QStringLiteral("model.h.7.attn"));
    stage.settle();
    QVERIFY(stage.item(QStringLiteral("model.h.7.attn")).selected);
    QCOMPARE(cluster.last()[0].toString(), QStringLiteral("model.h.7.attn"));
    stage.view.revealPath(QStringLiteral("no.such.path"));
    QVERIFY(stage.item(QStringLiteral("model.h.7.attn")).selected);
    stage.view.revealPath(QString()); // the root
    QVERIFY(stage.selected().isEmpty());
}

void TestGraphView::stepperChoosesTheBlock()
{
    Stage stage(layers(12));
    const std::vector<std::string> members = stage.view.scene().tree.runs.at(0).paths;
    const QString last = QString::fromStdString(members.back());
    const QString before = QString::fromStdString(members[members.size() - 2]);
    stage.view.expand(last);
    stage.view.expand(last + QStringLiteral(".mlp"));
    stage.settle();
    const std::size_t count = stage.view.visibleItems().size();
    stage.view.stepRun(last, -1);
    stage.settle();
    QVERIFY(stage.shows(before) && !stage.view.isExpanded(last));
    QVERIFY(stage.view.isExpanded(before + QStringLiteral(".mlp"))); // what was open stays open
    QVERIFY(stage.view.visibleItems().size() >= count);
    // By mouse: back again.
    const GraphScene &scene = stage.view.scene();
    const GraphItem item =
        scene.picture.item(scene.picture.itemOf[0][static_cast<std::size_t>(scene.tree.find(before.toStdString()))]);
    QCOMPARE(item.shape, ItemShape::Frame);
    stage.click(stage.view.canvas()->toWidget(item.rect).topRight() + QPointF(-17, 13) + stage.view.canvas()->pos());
    stage.settle();
    QVERIFY(stage.view.isExpanded(last + QStringLiteral(".mlp")));
    stage.view.stepRun(last, 1); // there is none after it
    QVERIFY(stage.view.isExpanded(last));
    stage.view.stepRun(QStringLiteral("model"), 1);
}

void TestGraphView::keysMoveAndOpen()
{
    Stage stage(layers(6));
    stage.view.collapseAll();
    stage.settle();
    stage.view.activateWindow();
    stage.view.canvas()->setFocus();
    QTRY_VERIFY(stage.view.canvas()->hasFocus());
    stage.key(Qt::Key_Down);
    QVERIFY(stage.view.scene().marks.focusRing);
    QCOMPARE(stage.selected(), QStringLiteral("model"));
    stage.key(Qt::Key_Right); // opens
    QVERIFY(stage.view.isExpanded(QStringLiteral("model")));
    stage.key(Qt::Key_Down);
    QCOMPARE(stage.selected(), QStringLiteral("embed"));
    stage.key(Qt::Key_Right); // nothing to open: over to the backward column
    QCOMPARE(stage.selected(), QStringLiteral("∂ embed"));
    stage.key(Qt::Key_Left);
    QCOMPARE(stage.selected(), QStringLiteral("embed"));
    stage.key(Qt::Key_Up);
    QCOMPARE(stage.selected(), QStringLiteral("model"));
    stage.key(Qt::Key_Left); // closes
    QVERIFY(!stage.view.isExpanded(QStringLiteral("model")));
    stage.key(Qt::Key_Return);
    QVERIFY(stage.view.isExpanded(QStringLiteral("model")));
    stage.key(Qt::Key_End);
    QCOMPARE(stage.selected(), QStringLiteral("loss"));
    stage.key(Qt::Key_Home);
    QCOMPARE(stage.selected(), QStringLiteral("model"));
    stage.key(Qt::Key_Escape);
    QVERIFY(stage.selected().isEmpty());
}

void TestGraphView::backspaceGoesOutwards()
{
    Stage stage(layers(6));
    stage.view.revealPath(kMlp);
    stage.settle();
    QSignalSpy path(&stage.view, &GraphView::pathChanged);
    stage.key(Qt::Key_Backspace);
    QVERIFY(stage.item(kBlock).selected);
    QCOMPARE(path.size(), 1);
    QCOMPARE(stage.view.path().last().path, kBlock);
    stage.key(Qt::Key_Backspace);
    stage.key(Qt::Key_Backspace);
    QCOMPARE(stage.view.path().last().path, QStringLiteral("model"));
    stage.key(Qt::Key_Backspace);
    QCOMPARE(stage.view.path().size(), 1);
}

void TestGraphView::wheelPansAndZoomsAroundTheCursor()
{
    Stage stage(layers(6));
    stage.view.expandAll();
    stage.settle();
    GraphCanvas *canvas = stage.view.canvas();
    const auto wheel = [&](QPointF at, QPoint by, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(at, canvas->mapToGlobal(at), {}, by, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(canvas, &event);
    };
    const double top = canvas->sight().top();
    wheel({300, 300}, {0, -480}, {});
    QVERIFY(canvas->sight().top() > top + 100);
    const QPointF under = canvas->toPicture({300, 300});
    wheel({300, 300}, {0, 240}, Qt::ControlModifier);
    QVERIFY(canvas->scale() > 1.3);
    QVERIFY((canvas->toPicture({300, 300}) - under).manhattanLength() < 1);
    for (int i = 0; i < 100; ++i)
        wheel({300, 300}, {0, -240}, Qt::ControlModifier);
    QCOMPARE(canvas->scale(), GraphCanvas::kSmallest);
    for (int i = 0; i < 200; ++i)
        wheel({300, 300}, {0, 240}, Qt::ControlModifier);
    QCOMPARE(canvas->scale(), GraphCanvas::kLargest);
    stage.key(Qt::Key_F);
    QVERIFY(canvas->scale() <= 1);
    QVERIFY(canvas->sight().contains(QRectF(0, 0, 10, 10)));
    // At every level of detail something is painted and nothing fails.
    for (const double factor : {1.0, 0.55, 0.3, 0.15, 0.05}) {
        canvas->zoomAround({300, 300}, factor / canvas->scale());
        QVERIFY(!canvas->grab().isNull());
    }
}

void TestGraphView::dragPans()
{
    Stage stage(layers(6));
    stage.view.expandAll();
    stage.settle();
    GraphCanvas *canvas = stage.view.canvas();
    const double top = canvas->sight().top();
    QTest::mousePress(canvas, Qt::LeftButton, {}, {5, 600});
    QMouseEvent move(QEvent::MouseMove, QPointF(5, 300), canvas->mapToGlobal(QPointF(5, 300)), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(canvas, &move);
    QTest::mouseRelease(canvas, Qt::LeftButton, {}, {5, 300});
    QCOMPARE(canvas->sight().top(), top + 300);
}

void TestGraphView::minimapMovesTheView()
{
    Stage stage(layers(12));
    stage.view.expandAll();
    stage.settle();
    GraphMinimap &map = stage.view.rail()->minimap();
    QTest::mouseClick(&map, Qt::LeftButton, {}, {55, 56});
    const GraphScene &scene = stage.view.scene();
    const double middle = stage.view.canvas()->sight().center().y();
    QVERIFY(qAbs(middle - scene.picture.bounds.center().y()) < scene.picture.bounds.height() * 0.1);
    QVERIFY(map.frame().contains(QPointF(55, 56)));
}

void TestGraphView::statesFollowThePlan()
{
    Stage stage(layers(6));
    stage.view.expand(kBlock);
    stage.view.expand(kMlp);
    stage.settle();
    const Graph &graph = stage.document.model()->graph();
    const QString gelu =
        kMlp + QLatin1Char('/') + QString::fromStdString(graph.op(firstOp(graph, "model.h.5.mlp", "gelu")).name);
    QCOMPARE(stage.item(gelu).state, NodeState::Kept);
    stage.document.addPlan(test::recomputingPlan(*stage.document.model(), stage.document.nextPlanId(),
                                                 [](const Op &op) { return op.kind == "gelu"; }));
    QCOMPARE(stage.item(gelu).state, NodeState::Recomputed);
    QCOMPARE(stage.item(kMlp).state, NodeState::Mixed);
    QCOMPARE(stage.item(gelu, Side::Backward).state, NodeState::Backward);
    const GraphScene &scene = stage.view.scene();
    for (const GraphItem &item : scene.picture.items) {
        if (item.side == Side::Backward && item.shape == ItemShape::Frame &&
            scene.nodeOf(item).path == kMlp.toStdString())
            QCOMPARE(recomputeChip(scene, item), QStringLiteral("1 op · 12 µs"));
    }
}

void TestGraphView::cursorMarksTheRunningOp()
{
    Stage stage(layers(6));
    const auto &timeline = *stage.document.model()->keepAll;
    const GraphScene &scene = stage.view.scene();
    stage.document.setCursor(timeline.startUs[0] + 0.5);
    QVERIFY(scene.marks.running >= 0);
    QCOMPARE(scene.nodeOf(scene.picture.item(scene.marks.running)).path, std::string("model.embed"));
    stage.document.setCursor(timeline.timeUs - 0.5);
    QCOMPARE(scene.picture.item(scene.marks.running).side, Side::Backward);
    stage.document.setCursor(-1);
    QCOMPARE(scene.marks.running, -1);
}

void TestGraphView::cursorLightsWhatIsAlive()
{
    Stage stage(layers(6));
    stage.view.expandAll();
    stage.settle();
    const auto &model = *stage.document.model();
    const MemoryTimeline &timeline = *model.keepAll;
    const GraphScene &scene = stage.view.scene();
    for (std::size_t sample = 0; sample < timeline.op.size(); sample += 7) {
        stage.document.setCursor((timeline.startUs[sample] + timeline.endUs[sample]) / 2);
        std::set<int> alive;
        for (const LiveRange &range : aliveAt(model.graph(), timeline, sample)) {
            const OpId maker = model.graph().storage(range.storage).producer;
            const Side side = model.graph().op(maker).phase == Phase::Backward ? Side::Backward : Side::Forward;
            const int item = scene.picture.nearestItem(scene.tree, scene.tree.leafOf[maker.index()], side);
            if (item >= 0 && scene.picture.item(item).shape != ItemShape::Frame) alive.insert(item);
        }
        QCOMPARE(std::vector<int>(alive.begin(), alive.end()), scene.marks.live);
        QVERIFY(!alive.empty());
    }
    stage.document.setCursor(-1);
    QVERIFY(scene.marks.live.empty());
}

void TestGraphView::hoverIsShared()
{
    Stage stage(layers(6));
    stage.view.expand(kBlock);
    stage.view.expand(kMlp);
    stage.settle();
    const Graph &graph = stage.document.model()->graph();
    const OpId gelu = firstOp(graph, "model.h.5.mlp", "gelu");
    const QString path = kMlp + QLatin1Char('/') + QString::fromStdString(graph.op(gelu).name);
    const QPointF at = stage.item(path).rect.center() - stage.view.canvas()->pos();
    QTest::mouseMove(stage.view.canvas(), at.toPoint());
    QCOMPARE(stage.document.hover().op, gelu);
    QVERIFY(stage.document.hover().storage);
    QTest::mouseMove(stage.view.canvas(), QPoint(2, stage.view.canvas()->height() - 2));
    QVERIFY(!stage.document.hover().op);
    stage.document.setHover({{}, graph.op(gelu).outputs.front()});
    const GraphScene &scene = stage.view.scene();
    QVERIFY(scene.marks.hovered >= 0);
    QCOMPARE(QString::fromStdString(scene.nodeOf(scene.picture.item(scene.marks.hovered)).path), path);
}

void TestGraphView::followsMakersAndReaders()
{
    Stage stage(layers(6));
    const Graph &graph = stage.document.model()->graph();
    const OpId gelu = firstOp(graph, "model.h.5.mlp", "gelu");
    stage.view.reveal(gelu);
    stage.settle();
    stage.view.follow(true);
    stage.settle();
    const OpId reader = stage.document.selection().op;
    const auto &readers = stage.document.model()->open->readers[graph.op(gelu).outputs.front().index()];
    QCOMPARE(reader, readers.front());
    QVERIFY(!stage.selected().isEmpty());
    stage.view.reveal(gelu);
    stage.view.follow(false);
    const OpId maker = stage.document.selection().op;
    QVERIFY(maker.index() < gelu.index());
    const auto makers = producersOf(*stage.document.model()->open, gelu);
    QCOMPARE(maker, makers.back());
}

void TestGraphView::keysFrameAndWalk()
{
    Stage stage(layers(6), {1032, 360});
    stage.view.expandAll();
    stage.settle();
    GraphCanvas &canvas = *stage.view.canvas();
    const double before = canvas.scale();
    stage.key(Qt::Key_W);
    QVERIFY(canvas.scale() > before);
    stage.key(Qt::Key_S);
    QCOMPARE(canvas.scale(), before);
    const double top = canvas.sight().top();
    stage.key(Qt::Key_D);
    QVERIFY(canvas.sight().top() > top);
    stage.key(Qt::Key_A);
    QCOMPARE(canvas.sight().top(), top);
    stage.key(Qt::Key_Backspace, Qt::ShiftModifier);
    QCOMPARE(canvas.scale(), 1.0);
    stage.key(Qt::Key_Space);
    QVERIFY(canvas.scale() < 1);
    const double fitted = canvas.scale();
    stage.key(Qt::Key_Plus);
    stage.key(Qt::Key_0);
    QCOMPARE(canvas.scale(), fitted);

    canvas.showActualSize();
    stage.document.selectOp(firstOp(stage.document.model()->graph(), "model.h.3.mlp", "gelu"));
    stage.view.frame();
    const GraphScene &scene = stage.view.scene();
    const QRectF rect = canvas.toWidget(scene.picture.item(scene.marks.selected).rect);
    QVERIFY(qAbs(rect.center().y() - (canvas.height() - DetailsStrip::kHeight + GraphCanvas::kHeader) / 2.0) < 2);
    stage.view.frame();
    QCOMPARE(canvas.scale(), fitted);
}

void TestGraphView::spaceAndDragOnlyMoves()
{
    Stage stage(layers(6), {1032, 360});
    stage.view.expandAll();
    stage.settle();
    GraphCanvas &canvas = *stage.view.canvas();
    canvas.showActualSize();
    QTest::keyPress(&canvas, Qt::Key_Space);
    QTest::mousePress(&canvas, Qt::LeftButton, {}, {400, 200});
    QTest::mouseMove(&canvas, {400, 150});
    QTest::mouseMove(&canvas, {400, 120});
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, {400, 120});
    QTest::keyRelease(&canvas, Qt::Key_Space);
    QCOMPARE(canvas.scale(), 1.0);
}

void TestGraphView::wheelMayZoom()
{
    Stage stage(layers(6), {1032, 360});
    stage.view.expandAll();
    stage.settle();
    GraphCanvas &canvas = *stage.view.canvas();
    const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(QPointF(300, 200), canvas.mapToGlobal(QPointF(300, 200)), {}, {0, -120}, {}, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&canvas, &event);
    };
    canvas.showActualSize();
    wheel({});
    QCOMPARE(canvas.scale(), 1.0);
    canvas.setWheelZooms(true);
    wheel({});
    QVERIFY(canvas.scale() < 1);
    const double scale = canvas.scale();
    wheel(Qt::ControlModifier);
    QCOMPARE(canvas.scale(), scale);
}

void TestGraphView::altOpensEverythingBelow()
{
    Stage stage(layers(6));
    stage.view.collapse(kBlock);
    stage.settle();
    const auto block = stage.item(kBlock);
    QVERIFY(!block.chevron.isNull());
    QTest::mouseClick(stage.view.canvas(), Qt::LeftButton, Qt::AltModifier,
                      (block.chevron.center() - stage.view.canvas()->pos()).toPoint());
    stage.settle();
    QVERIFY(stage.view.isExpanded(kBlock) && stage.view.isExpanded(kMlp));
    const auto frame = stage.item(kBlock);
    QTest::mouseClick(stage.view.canvas(), Qt::LeftButton, Qt::AltModifier,
                      (frame.chevron.center() - stage.view.canvas()->pos()).toPoint());
    stage.settle();
    QVERIFY(!stage.view.isExpanded(kBlock));
    stage.view.expand(kBlock);
    stage.settle();
    QVERIFY(!stage.view.isExpanded(kMlp));
}

void TestGraphView::detailsSayEverythingOfTheSelection()
{
    Stage stage(layers(6));
    DetailsStrip &strip = *stage.view.details();
    QVERIFY(!strip.isVisible());
    const Graph &graph = stage.document.model()->graph();
    const OpId gelu = firstOp(graph, "model.h.5.mlp", "gelu");
    stage.view.reveal(gelu);
    stage.settle();
    QVERIFY(strip.isVisible());
    const OpDetails details = opDetails(*stage.document.model(), nullptr, gelu);
    QCOMPARE(strip.details().text(), details.text());
    QVERIFY(details.text().contains(QString::fromStdString(graph.op(gelu).name)));
    // The selected card is never below it.
    const GraphScene &scene = stage.view.scene();
    QVERIFY(stage.view.canvas()->toWidget(scene.picture.item(scene.marks.selected).rect).bottom() <= strip.y());

    auto *link = strip.findChild<QLabel *>(QStringLiteral("details.link"));
    QVERIFY(link);
    QTest::mouseClick(link, Qt::LeftButton);
    QTRY_COMPARE(stage.document.selection().op, details.producers.front());
    stage.settle();
    QTest::mouseClick(strip.findChild<QAbstractButton *>(QStringLiteral("details.copy")), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), strip.details().text());
    QTest::mouseClick(strip.findChild<QAbstractButton *>(QStringLiteral("details.close")), Qt::LeftButton);
    QVERIFY(!strip.isVisible());
    stage.document.selectOp(gelu);
    QVERIFY(!strip.isVisible());
    strip.setWanted(true);
    QVERIFY(strip.isVisible());
    stage.document.clearSelection();
    QVERIFY(!strip.isVisible());
}

void TestGraphView::pinsAreOnCards()
{
    Stage stage(layers(6));
    stage.view.expand(kBlock);
    stage.view.expand(kMlp);
    stage.settle();
    const Graph &graph = stage.document.model()->graph();
    const OpId gelu = firstOp(graph, "model.h.5.mlp", "gelu");
    const GraphScene &scene = stage.view.scene();
    QVERIFY(scene.pins.empty());
    Pins pins;
    pins.never = {gelu};
    stage.document.setPins(pins);
    const auto state = [&](const QString &path) {
        return scene.pins[static_cast<std::size_t>(scene.tree.find(path.toStdString()))];
    };
    QCOMPARE(scene.pins[static_cast<std::size_t>(scene.tree.leafOf[gelu.index()])], PinState::Locked);
    QCOMPARE(state(kMlp), PinState::Locked);
    pins.keep = {graph.op(OpId(gelu.index() - 1)).outputs.front()};
    stage.document.setPins(pins);
    QCOMPARE(state(kBlock), PinState::Several);
    const QImage pinned = stage.view.grab().toImage();
    stage.document.setPins({});
    QVERIFY(scene.pins.empty());
    QVERIFY(stage.view.grab().toImage() != pinned);
}

void TestGraphView::overlaysAreWhatTheySay()
{
    const auto model = layers(6);
    Stage stage(model);
    stage.view.expandAll();
    stage.settle();
    stage.document.addPlan(test::recomputingPlan(*model, 1, [](const Op &op) { return op.kind == "gelu"; }));
    const Graph &graph = model->graph();
    const MemoryTimeline &timeline = *stage.document.currentPlan()->timeline;
    const GraphScene &scene = stage.view.scene();

    // Sample by sample: from when to when each copy is there, and when it was used last.
    std::vector<double> lifetimes(graph.storages.size(), 0), waits(graph.storages.size(), 0);
    for (const LiveRange &range : timeline.ranges) {
        double from = -1, to = 0, used = -1;
        for (std::size_t i = 0; i < timeline.op.size(); ++i) {
            if (timeline.step[i] < range.firstStep || timeline.step[i] > range.lastStep) continue;
            if (from < 0) from = timeline.startUs[i];
            to = timeline.endUs[i];
            const Op &op = graph.op(timeline.op[i]);
            const auto uses = [&](const std::vector<StorageId> &list) {
                return std::find(list.begin(), list.end(), range.storage) != list.end();
            };
            if (!uses(op.inputs) && !uses(op.outputs)) continue;
            double &wait = waits[range.storage.index()];
            if (used >= 0) wait = std::max(wait, timeline.startUs[i] - used);
            used = timeline.endUs[i];
        }
        double &lifetime = lifetimes[range.storage.index()];
        lifetime = std::max(lifetime, to - from);
    }
    QCOMPARE(lifetimesUs(graph, timeline), lifetimes);
    QCOMPARE(waitsUs(graph, timeline), waits);

    for (const ColourBy by : colourChoices()) {
        stage.view.setColourBy(by);
        QCOMPARE(scene.colourBy, by);
        if (by == ColourBy::PlanState) continue;
        if (!overlayKnown(by, *scene.model)) continue;
        QVERIFY(scene.rampTop > 0);
        double most = 0;
        for (const GraphItem &item : scene.picture.items)
            if (item.shape != ItemShape::Frame) most = std::max(most, rampValue(scene, item));
        QCOMPARE(scene.rampTop, most);
        QVERIFY(!overlayText(by, most).isEmpty());
    }
    stage.view.setColourBy(ColourBy::Recomputes);
    int gelus = 0;
    for (const GraphItem &item : scene.picture.items)
        if (item.shape == ItemShape::OpCard && item.side == Side::Forward && rampValue(scene, item) > 0) ++gelus;
    QVERIFY(gelus > 0);

    // How far predictions are off needs measured costs; without them the rail says so.
    stage.view.setColourBy(ColourBy::TimeError);
    QVERIFY(!overlayKnown(ColourBy::TimeError, *scene.model));
    QCOMPARE(scene.rampTop, 0.0);
    auto measured = std::make_shared<CostedModel>(*stage.document.model());
    auto roofline = std::make_shared<CostTable>(*measured->costs);
    const OpId off = firstOp(graph, "model.h.5.mlp", "gelu");
    roofline->timeUs[off.index()] *= 0.5;
    measured->roofline = roofline;
    QVERIFY(overlayKnown(ColourBy::TimeError, *measured));
    const Overlay errors = overlayOf(ColourBy::TimeError, scene.tree, *measured, scene.figures, timeline);
    const auto leaf = static_cast<std::size_t>(scene.tree.leafOf[off.index()]);
    QCOMPARE(errors[0][leaf], 1.0);
    const auto mlp = static_cast<std::size_t>(scene.tree.nodes[leaf].parent);
    QVERIFY(errors[0][mlp] > 0 && errors[0][mlp] < 1);
    QVERIFY(overlayText(ColourBy::TimeError, errors[0][leaf]).startsWith(QStringLiteral("100")));
}

void TestGraphView::matchesAreLit()
{
    Stage stage(layers(6));
    stage.view.expand(kBlock);
    stage.settle();
    const Graph &graph = stage.document.model()->graph();
    const QImage plain = stage.view.grab().toImage();
    const OpId gelu = firstOp(graph, "model.h.5.mlp", "gelu");
    stage.view.setMatches(std::vector<OpId>{gelu});
    const GraphScene &scene = stage.view.scene();
    int lit = 0;
    for (const GraphItem &item : scene.picture.items)
        if (item.shape != ItemShape::Frame && matchesIn(scene, item) > 0) ++lit;
    QCOMPARE(lit, 1); // the closed mlp
    QVERIFY(stage.view.grab().toImage() != plain);
    stage.view.setMatches(std::nullopt);
    QVERIFY(stage.view.grab().toImage() == plain);
}

void TestGraphView::longLayoutsCanBeStopped()
{
    Stage stage(layers(6));
    GraphCanvas &canvas = *stage.view.canvas();
    auto *stop = canvas.findChild<QAbstractButton *>(QStringLiteral("stopLayout"));
    QVERIFY(stop && !stop->isVisible());
    canvas.setProgress(0.4, QString()); // the bar alone, before there is much to wait for
    QVERIFY(!stop->isVisible());
    canvas.setProgress(0.5, QStringLiteral("Laying out h.5, 3 of 14 clusters"));
    QVERIFY(stop->isVisible());
    QVERIFY(canvas.rect().contains(stop->geometry()));
    QSignalSpy wanted(&canvas, &GraphCanvas::stopWanted);
    QTest::mouseClick(stop, Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    canvas.setProgress(-1, {});
    QVERIFY(!stop->isVisible());
}

void TestGraphView::stateIsRemembered()
{
    Stage stage(layers(6));
    stage.view.expand(kBlock);
    stage.view.expand(kMlp);
    stage.settle();
    stage.view.setColourBy(ColourBy::Lifetime);
    stage.view.zoomIn();
    const double scale = stage.view.canvas()->scale();
    const QJsonObject state = stage.view.saveState();
    stage.view.collapseAll();
    stage.settle();
    stage.view.setHierarchy(Hierarchy::Partition);
    stage.settle();
    stage.view.setColourBy(ColourBy::PlanState);
    stage.view.fit();
    stage.view.restoreState(state);
    stage.settle();
    QCOMPARE(stage.view.hierarchy(), Hierarchy::Modules);
    QVERIFY(stage.view.isExpanded(kBlock) && stage.view.isExpanded(kMlp));
    QCOMPARE(stage.view.colourBy(), ColourBy::Lifetime);
    QCOMPARE(stage.view.canvas()->scale(), scale);
    QCOMPARE(stage.view.saveState(), state);
    // Another model's state, or nonsense: nothing of it is taken, and nothing breaks.
    stage.view.restoreState({{QStringLiteral("open"), QJsonArray{QStringLiteral("no.such"), 3}},
                             {QStringLiteral("colourBy"), 99},
                             {QStringLiteral("scale"), -1},
                             {QStringLiteral("chosen"), QJsonObject{{QStringLiteral("model.h.0"), 900}}}});
    stage.settle();
    QVERIFY(!stage.view.isExpanded(kBlock));
}

void TestGraphView::partitionAndBack()
{
    Stage stage(layers(6));
    stage.view.expand(kBlock);
    stage.settle();
    stage.view.setHierarchy(Hierarchy::Partition);
    stage.settle();
    QVERIFY(!stage.shows(kBlock));
    bool blocks = false;
    for (const VisibleItem &item : stage.view.visibleItems())
        blocks = blocks || item.path.startsWith(QLatin1String("block"));
    QVERIFY(blocks);
    stage.document.selectOp(OpId(3));
    QVERIFY(!stage.selected().isEmpty());
    stage.view.setHierarchy(Hierarchy::Modules);
    stage.settle();
    QVERIFY(stage.view.isExpanded(kBlock)); // as it was left
}

void TestGraphView::colourByBytes()
{
    Stage stage(layers(6));
    const QImage before = stage.view.grab().toImage();
    stage.view.rail()->colourChoice().setCurrentIndex(1);
    QVERIFY(stage.view.scene().rampTop > 0);
    QVERIFY(stage.view.grab().toImage() != before);
    stage.view.rail()->colourChoice().setCurrentIndex(0);
    QCOMPARE(stage.view.grab().toImage(), before);
}

void TestGraphView::tableTwin()
{
    Stage stage(layers(6));
    QAbstractItemModel *table = stage.view.table();
    QAbstractItemModelTester tester(table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(table->rowCount(), static_cast<int>(stage.view.visibleItems().size()));
    stage.view.expandAll();
    stage.settle();
    const std::vector<VisibleItem> items = stage.view.visibleItems();
    QCOMPARE(table->rowCount(), static_cast<int>(items.size()));
    for (int row = 0; row < table->rowCount(); ++row) {
        QCOMPARE(table->index(row, GraphTable::Name).data().toString(), items[static_cast<std::size_t>(row)].title);
        QCOMPARE(table->index(row, GraphTable::Path).data().toString(), items[static_cast<std::size_t>(row)].path);
        for (int column = 0; column < table->columnCount(); ++column)
            QVERIFY(column == GraphTable::Kind || !table->index(row, column).data().toString().isEmpty());
    }
}

void TestGraphView::tooltipsSayEverything()
{
    Stage stage(layers(6));
    stage.view.expandAll();
    stage.settle();
    const GraphScene &scene = stage.view.scene();
    for (const GraphItem &item : scene.picture.items) {
        const QString text = cardTooltip(scene, item);
        QVERIFY(text.startsWith(QLatin1String("<b>")));
        QVERIFY(text.contains(QLatin1String("Time")));
        QVERIFY(text.contains(QLatin1String("bytes")));
    }
}

void TestGraphView::failingHelperIsSaidAndTheGraphStays()
{
    Document document;
    GraphView view(&document);
    view.layouts().client().setProgram(QStringLiteral("/nowhere/remat-layout"));
    view.resize(1032, 800);
    view.show();
    document.setModel(layers(6));
    QTRY_VERIFY_WITH_TIMEOUT(!view.layoutPending() && !view.scene().picture.items.empty(), 120000);
    QVERIFY(view.strip()->isVisible());
    QVERIFY(view.strip()->sentence().contains(QLatin1String("remat-layout")));
    QVERIFY(view.visibleItems().size() > 5);
    view.layouts().client().setProgram(LayoutClient::defaultProgram());
    view.strip()->findChild<QAbstractButton *>(QStringLiteral("messageAction"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(view.layouts().laidOut() > 0 && !view.layoutPending(), 120000);
    QVERIFY(!view.strip()->isVisible());
}

void TestGraphView::newestExpansionWins()
{
    Stage stage(layers(6));
    stage.view.collapseAll();
    stage.settle();
    for (int i = 0; i < 7; ++i) {
        stage.view.expandAll();
        stage.view.collapseAll();
        stage.view.expand(QStringLiteral("model"));
        if (i % 2 == 0) stage.view.expand(QStringLiteral("model.h"));
    }
    stage.settle();
    QVERIFY(stage.view.isExpanded(QStringLiteral("model.h")));
    QCOMPARE(stage.item(QStringLiteral("model.h")).shape, ItemShape::Frame);
    for (const VisibleItem &item : stage.view.visibleItems())
        QVERIFY2(!item.path.contains(QLatin1Char('/')), qPrintable(item.path));
}

void TestGraphView::modelCanBeReplacedAndClosed()
{
    Stage stage(layers(6));
    stage.document.selectOp(OpId(4));
    stage.document.setModel(test::costedModel(test::chainGraph(5)));
    stage.settle();
    QVERIFY(stage.selected().isEmpty());
    QVERIFY(!stage.view.visibleItems().empty());
    stage.document.setModel(nullptr);
    QVERIFY(stage.view.visibleItems().empty());
    QVERIFY(!stage.view.grab().isNull());
    stage.document.setModel(layers(3));
    stage.settle();
    QVERIFY(!stage.view.visibleItems().empty());
    // Other costs of the same model leave everything open as it was.
    stage.view.expandAll();
    stage.settle();
    const std::size_t count = stage.view.visibleItems().size();
    stage.document.setModel(std::make_shared<CostedModel>(*stage.document.model()));
    QCOMPARE(stage.view.visibleItems().size(), count);
}

void TestGraphView::narrowViewsDropTheKind()
{
    Stage stage(layers(6), {928, 400});
    QVERIFY(stage.view.scene().picture.columnWidth < PictureMetrics::kFullColumn);
    for (const VisibleItem &item : stage.view.visibleItems())
        QVERIFY(item.rect.right() <= stage.view.canvas()->width() && item.rect.left() >= 0);
    stage.view.resize(1400, 400);
    QTRY_COMPARE(stage.view.scene().picture.columnWidth, PictureMetrics::kFullColumn);
}

void TestGraphView::movesWhenItMay()
{
    qunsetenv("REMAT_NO_ANIMATION");
    Stage stage(layers(6));
    stage.view.collapse(QStringLiteral("model.h"));
    QTest::qWait(250);
    const QImage closed = stage.view.grab().toImage();
    stage.view.expand(QStringLiteral("model.h"));
    stage.settle();
    QTest::qWait(60);
    const QImage between = stage.view.grab().toImage();
    QTest::qWait(300);
    const QImage open = stage.view.grab().toImage();
    qputenv("REMAT_NO_ANIMATION", "1");
    QVERIFY(between != closed);
    QVERIFY(between != open);
    QCOMPARE(stage.view.grab().toImage(), open); // at rest
}

void TestGraphView::pansTenThousandOpsSmoothly()
{
    const auto model = layers(360);
    QVERIFY(model->graph().ops.size() >= 10000);
    Stage stage(model, {1600, 900});
    stage.view.expandAll();
    stage.settle();
    QVERIFY(stage.view.visibleItems().size() > 10000);
    GraphCanvas *canvas = stage.view.canvas();
    QImage image(canvas->size(), QImage::Format_ARGB32_Premultiplied);
    QStringList medians;
    for (const double scale : {1.0, 0.5, 0.25, 0.1, GraphCanvas::kSmallest}) {
        canvas->zoomAround({400, 400}, scale / canvas->scale());
        std::vector<double> times, references;
        for (int i = 0; i < 40; ++i) {
            canvas->centreOn({400, 2000.0 + 97.0 * i / scale});
            // Time of this thread, so that a busy machine does not count.
            const double before = test::threadMs();
            canvas->render(&image);
            times.push_back(test::threadMs() - before);
            const double begun = test::threadMs();
            paintCards(image);
            references.push_back(test::threadMs() - begun);
        }
        std::nth_element(times.begin(), times.begin() + 20, times.end());
        std::nth_element(references.begin(), references.begin() + 20, references.end());
        medians << QStringLiteral("%1 ms at %2 (reference %3 ms)")
                       .arg(times[20], 0, 'f', 1)
                       .arg(scale)
                       .arg(references[20], 0, 'f', 1);
        QVERIFY2(times[20] <= kMostReferences * references[20], qPrintable(medians.last()));
    }
    qInfo("10,000 ops: %s", qPrintable(medians.join(QLatin1String(", "))));
}

void TestGraphView::branchesStandSideBySide()
{
    Stage stage(branched());
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

void TestGraphView::oneClusterOtherwise()
{
    Stage stage(branched(), {1400, 1100});
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

void TestGraphView::keysReachEveryBranch()
{
    Stage stage(branched());
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

void TestGraphView::openedBranchStaysWhereItIs()
{
    Stage stage(branched(), {1100, 900});
    QVERIFY(stage.document.model());
    const QRectF before = stage.item(QStringLiteral("mixed_a"), Side::Backward).rect;
    stage.click(stage.item(QStringLiteral("mixed_a"), Side::Backward).chevron.center());
    stage.settle();
    const QRectF after = stage.item(QStringLiteral("mixed_a"), Side::Backward).rect;
    QVERIFY(after.width() > before.width() + 100);
    QVERIFY2(std::abs(after.left() - before.left()) < 40,
             qPrintable(QStringLiteral("%1 to %2").arg(before.left()).arg(after.left())));
}

void TestGraphView::branchesWithoutTheHelper()
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

void TestGraphView::goldenPicture_data()
{
    QTest::addColumn<int>("scheme");
    QTest::addColumn<int>("colourBy");
    QTest::addColumn<QSize>("size");
    const QSize large(1032, 640), small(928, 380);
    QTest::newRow("light") << 0 << int(ColourBy::PlanState) << large;
    QTest::newRow("dark") << 1 << int(ColourBy::PlanState) << large;
    QTest::newRow("contrast") << 2 << int(ColourBy::PlanState) << large;
    QTest::newRow("branches_light") << 0 << int(ColourBy::PlanState) << QSize(1500, 760);
    QTest::newRow("branches_dark") << 1 << int(ColourBy::PlanState) << QSize(1500, 760);
    QTest::newRow("overlay_light") << 0 << int(ColourBy::Lifetime) << large;
    QTest::newRow("overlay_dark") << 1 << int(ColourBy::Lifetime) << large;
    QTest::newRow("overlay_light_small") << 0 << int(ColourBy::Bytes) << small;
    QTest::newRow("overlay_dark_small") << 1 << int(ColourBy::Bytes) << small;
}

void TestGraphView::goldenPicture()
{
    QFETCH(int, scheme);
    Theme::instance().setScheme(static_cast<Scheme>(scheme));
    Theme::instance().apply();
    QFETCH(int, colourBy);
    QFETCH(QSize, size);
    if (QByteArray(QTest::currentDataTag()).startsWith("branches")) {
        Stage stage(branched(), size);
        stage.open({"mixed_e", "mixed_a", "attention", "attention.heads", "attention.heads.3"});
        stage.document.selectOp(firstOp(stage.document.model()->graph(), "mixed_a", "avg_pool2d"));
        if (scheme == 0) stage.view.canvas()->fit(); // in the other the details
        const QString wrong = fixture::goldenDifference(
            stage.view, QStringLiteral("graph_view_%1.png").arg(QString::fromLatin1(QTest::currentDataTag())), 0.004);
        Theme::instance().setScheme(Scheme::Light);
        Theme::instance().apply();
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        return;
    }
    Stage stage(layers(6), size);
    stage.view.setColourBy(static_cast<ColourBy>(colourBy));
    stage.document.addPlan(test::recomputingPlan(*stage.document.model(), 1, [](const Op &op) {
        return op.kind == "gelu" || (op.kind == "norm" && op.module != "model.h.5.attn");
    }));
    stage.view.expand(kBlock);
    stage.view.expand(kMlp);
    stage.settle();
    const Graph &graph = stage.document.model()->graph();
    stage.document.selectOp(firstOp(graph, "model.h.5.mlp", "gelu"));
    const QString wrong = fixture::goldenDifference(
        stage.view, QStringLiteral("graph_view_%1.png").arg(QString::fromLatin1(QTest::currentDataTag())), 0.004);
    Theme::instance().setScheme(Scheme::Light);
    Theme::instance().apply();
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

QTEST_MAIN(TestGraphView)
#include "tst_graph_view.moc"
