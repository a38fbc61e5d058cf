#include "app/studio/views/graph/graph_view.h"

#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/graph/card_text.h"
#include "app/studio/views/graph/graph_painter.h"

#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr int kTellAfterMs = 200, kTellInViewAfterMs = 2000;
constexpr std::size_t kMostMoving = 3000; // more items than this appear at once
constexpr double kNarrowColumn = 300, kNarrowMargin = 22;

bool animates()
{
    return !qEnvironmentVariableIsSet("QT_REDUCED_MOTION") && !qEnvironmentVariableIsSet("REMAT_NO_ANIMATION");
}

/// What an item is found by after the tree was made anew.
std::string placeKey(const GraphScene &scene, const GraphItem &item)
{
    return scene.nodeOf(item).path + (item.side == Side::Forward ? "\nF" : "\nB");
}

} // namespace

GraphView::GraphView(Document *document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_table(m_scene),
      m_canvas(new GraphCanvas(m_scene)),
      m_rail(new GraphRail(m_scene)),
      m_strip(new MessageStrip),
      m_openPanel(new QWidget(m_canvas)),
      m_details(new DetailsStrip(document, m_canvas))
{
    auto *columns = new QHBoxLayout;
    columns->setSpacing(0);
    columns->addWidget(m_canvas, 1);
    columns->addWidget(m_rail);
    auto *rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_strip);
    rows->addLayout(columns, 1);
    m_table.setParent(this); // where exports find it
    setFocusProxy(m_canvas);

    auto *open = new QPushButton(tr("Open a model…"), m_openPanel);
    auto *openRow = new QHBoxLayout(m_openPanel);
    openRow->setAlignment(Qt::AlignCenter);
    openRow->addWidget(open);
    connect(open, &QPushButton::clicked, this, &GraphView::openRequested);

    connect(m_document, &Document::modelChanged, this, &GraphView::takeModel);
    connect(m_document, &Document::currentPlanChanged, this, &GraphView::takePlan);
    connect(m_document, &Document::selectionChanged, this, &GraphView::takeSelection);
    connect(m_document, &Document::cursorChanged, this, &GraphView::takeCursor);
    connect(m_document, &Document::hoverChanged, this, &GraphView::takeHover);
    connect(m_document, &Document::pinsChanged, this, &GraphView::takePins);
    connect(m_canvas, &GraphCanvas::stopWanted, this, &GraphView::stopLayout);
    connect(m_details, &DetailsStrip::opChosen, this, &GraphView::reveal);
    connect(m_details, &DetailsStrip::shownChanged, this, &GraphView::placeDetails);

    connect(m_canvas, &GraphCanvas::sightChanged, this, [this] { m_rail->minimap().setSight(m_canvas->sight()); });
    connect(m_canvas, &GraphCanvas::resized, this, [this] {
        m_openPanel->setGeometry(0, m_canvas->height() / 2 + 8, m_canvas->width(), 48);
        placeDetails();
        const GraphPicture &picture = m_scene.picture;
        const bool wider = !picture.lanes.empty() && widestBranches() != picture.widestBranches;
        if (columnWidth() != picture.givenWidth || wider) relayout();
    });
    connect(m_canvas, &GraphCanvas::focusChanged, this, &GraphView::updateMarks);
    connect(m_canvas, &GraphCanvas::toggled, this, &GraphView::toggle);
    connect(m_canvas, &GraphCanvas::commanded, this, &GraphView::command);
    connect(m_canvas, &GraphCanvas::stepped, this, [this](int item, int by) {
        const QString path = toQString(m_scene.nodeOf(m_scene.picture.item(item)).path);
        stepRun(path, by);
        Q_EMIT stateTouched(tr("Another block than %1").arg(path));
    });
    connect(m_canvas, &GraphCanvas::branchesSwitched, this,
            [this](int item) { switchBranches(toQString(m_scene.nodeOf(m_scene.picture.item(item)).path)); });
    connect(m_canvas, &GraphCanvas::hovered, this, &GraphView::hoverItem);
    connect(m_canvas, &GraphCanvas::clicked, this, [this](int index) {
        if (index < 0)
            clearSelection();
        else
            select(m_scene.picture.item(index).node, m_scene.picture.item(index).side, true);
    });
    connect(&m_rail->minimap(), &GraphMinimap::centred, m_canvas, &GraphCanvas::centreOn);
    connect(m_rail, &GraphRail::colourByChanged, this, [this](ColourBy by) {
        if (by == m_scene.colourBy) return;
        m_scene.colourBy = by;
        remakeOverlay();
        m_canvas->update();
        Q_EMIT stateTouched(tr("Colour by %1").arg(colourName(by).toLower()));
    });

    connect(&m_book, &LayoutBook::settled, this, &GraphView::relayout);
    connect(&m_book, &LayoutBook::progressed, this, &GraphView::showProgress);
    connect(&m_book, &LayoutBook::fellBack, this, [this](const QString &sentence) {
        m_strip->say({true, tr("%1 The graph shows plain order instead.").arg(sentence), tr("Try again"), [this] {
                          m_book.forgetFallbacks();
                          forgetLayouts();
                          relayout();
                      }});
    });
    m_waitTimer.setSingleShot(true);
    connect(&m_waitTimer, &QTimer::timeout, this, &GraphView::showProgress);
    takeModel();
}

GraphView::~GraphView()
{
    m_canvas->disconnect(this); // it loses the focus while it goes, when there is no scene any more
}

void GraphView::takeModel()
{
    const auto model = m_document->model();
    const bool sameTree = model && m_scene.model && model->open == m_scene.model->open;
    m_scene.model = model;
    m_openPanel->setVisible(!model);
    m_canvas->setEmptyText(model ? QString() : tr("No model is open."));
    m_rail->setVisible(model != nullptr);
    if (!model) {
        m_scene = {};
        m_places.clear();
        forgetLayouts();
        m_table.resetItems();
        updatePath();
        return;
    }
    if (!sameTree) {
        m_expansion.forget();
        m_branches.forget();
        m_selectedNode = -1;
        m_places.clear();
        m_strip->clear();
        rebuildTree();
        m_expansion.openFirst(m_scene.tree);
        relayout();
    }
    remakeFigures();
    takeSelection();
}

void GraphView::takePlan()
{
    if (!m_scene.model) return;
    m_figuresStale = !isVisible();
    if (m_figuresStale) return;
    remakeFigures();
    if (m_document->cursorUs() >= 0) updateMarks();
}

void GraphView::takePins()
{
    if (!m_scene.model) return;
    m_scene.pins = pinStates(m_scene.tree, m_scene.model->graph(), m_document->pins());
    m_canvas->update();
}

void GraphView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_figuresStale) takePlan();
    updateMarks();
}

void GraphView::placeDetails()
{
    const int height = DetailsStrip::kHeight;
    m_details->setGeometry(0, m_canvas->height() - height, m_canvas->width(), height);
    m_canvas->setCovered(m_details->isHidden() ? 0 : height);
    if (!m_details->isHidden() && m_scene.marks.selected >= 0)
        m_canvas->ensureVisible(m_scene.picture.item(m_scene.marks.selected).rect);
}

void GraphView::setColourBy(ColourBy by)
{
    m_rail->colourChoice().setCurrentIndex(m_rail->colourChoice().findData(static_cast<int>(by)));
}

const MemoryTimeline &GraphView::timeline() const
{
    const auto plan = m_document->currentPlan();
    return plan && plan->timeline ? *plan->timeline : *m_scene.model->keepAll;
}

void GraphView::remakeOverlay()
{
    m_scene.overlay = overlayOf(m_scene.colourBy, m_scene.tree, *m_scene.model, m_scene.figures, timeline());
    m_scene.rampTop = rampTop(m_scene);
}

void GraphView::rebuildTree()
{
    const OpenModel &open = *m_scene.model->open;
    const ClusterTree &clusters = m_hierarchy == Hierarchy::Modules ? open.modules : open.partition;
    m_scene.tree = buildGraphTree(m_scene.model->graph(), clusters, m_expansion.choices());
    m_scene.picture = {};
    m_scene.marks = {};
    forgetLayouts();
    m_table.resetItems();
    countMatches(m_scene);
    takePins();
    remakeFigures();
}

void GraphView::remakeFigures()
{
    const CostedModel &model = *m_scene.model;
    m_scene.figures = graphFigures(m_scene.tree, model.graph(), *model.costs, timeline(), model.open->readers);
    remakeOverlay();
    m_table.figuresChanged();
    m_canvas->update();
    m_rail->update();
    m_rail->minimap().refresh();
}

double GraphView::columnWidth() const
{
    const double room = (m_canvas->width() - PictureMetrics::kColumnGap - 2 * kNarrowMargin) / 2;
    const double full = (m_canvas->width() - PictureMetrics::kColumnGap - 2 * PictureMetrics::kMargin) / 2;
    return full >= PictureMetrics::kFullColumn - 1
               ? PictureMetrics::kFullColumn
               : std::clamp(std::floor(room), kNarrowColumn, PictureMetrics::kFullColumn - 1);
}

/// What both columns have room for in a wide view; elsewhere as much as can still be made out when all is fit in.
double GraphView::widestBranches() const
{
    const double room = (m_canvas->width() - PictureMetrics::kColumnGap - 2 * PictureMetrics::kMargin) / 2;
    return std::max(PictureMetrics().widestBranches, std::floor(room));
}

const OpenCluster *GraphView::gatherRows(int node)
{
    const auto known = m_known.find(node);
    if (known != m_known.end()) return &known->second;
    const std::vector<int> &children = m_scene.tree.node(node).children;
    RowEdges edges = rowEdges(m_scene.tree, m_scene.model->graph(), node);
    const OrderQuestion question = orderQuestion(static_cast<int>(children.size()), edges);
    const std::vector<RowRank> *ranks = m_book.ranks(question);
    if (!ranks) return nullptr;
    OpenCluster cluster;
    cluster.edges = std::move(edges);
    for (const int place : rowsInOrder(question, *ranks))
        cluster.rows.push_back(children[static_cast<std::size_t>(place)]);
    return &m_known.emplace(node, std::move(cluster)).first->second;
}

const Bands *GraphView::gatherBranches(int node)
{
    const auto known = m_knownBranches.find(node);
    if (known != m_knownBranches.end()) return &known->second;
    const std::vector<int> &children = m_scene.tree.node(node).children;
    Bands bands;
    if (children.size() <= static_cast<std::size_t>(LayoutClient::kMostRows)) {
        const RowFlow flow = rowFlow(m_scene.tree, m_scene.model->graph(), node);
        const OrderQuestion question = branchQuestion(static_cast<int>(children.size()), flow);
        if (mayBranch(question)) {
            const std::vector<RowRank> *ranks = m_book.ranks(question);
            const OpenCluster *cluster = gatherRows(node);
            if (!ranks || !cluster) return nullptr;
            std::unordered_map<int, int> place;
            for (std::size_t i = 0; i < children.size(); ++i)
                place[children[i]] = static_cast<int>(i);
            std::vector<int> column;
            column.reserve(cluster->rows.size());
            for (const int row : cluster->rows)
                column.push_back(place.at(row));
            bands = bandsOf(column, flow, *ranks);
            if (!hasBranches(bands)) bands.clear();
        }
    }
    return &m_knownBranches.emplace(node, std::move(bands)).first->second;
}

void GraphView::forgetLayouts()
{
    m_known.clear();
    m_knownBranches.clear();
}

bool GraphView::gatherOpen(OpenClusters &open)
{
    bool complete = true;
    std::vector<int> todo = {0};
    while (!todo.empty()) {
        const int index = todo.back();
        todo.pop_back();
        const GraphNode &node = m_scene.tree.node(index);
        const OpenCluster *rows = gatherRows(index);
        const bool branches = m_branches.on() || m_branches.isOtherwise(node.path);
        const Bands *bands = branches ? gatherBranches(index) : nullptr;
        if (!rows || (branches && !bands)) {
            if (complete) m_waitingFor = node.title;
            complete = false;
        } else {
            OpenCluster &cluster = open.emplace(index, *rows).first->second;
            if (bands) cluster.branches = *bands;
            cluster.beside = m_branches.isBeside(node.path);
        }
        for (const int child : node.children)
            if (m_scene.tree.node(child).expandable() && m_expansion.isOpen(m_scene.tree.node(child).path))
                todo.push_back(child);
    }
    return complete;
}

void GraphView::relayout()
{
    if (!m_scene.model || m_scene.tree.nodes.empty()) return;
    OpenClusters open;
    if (gatherOpen(open)) {
        m_pending = false;
        m_waitTimer.stop();
        m_canvas->setProgress(-1, {});
        Q_EMIT layoutProgress({});
        showPicture(open);
    } else if (!m_pending) {
        m_pending = true;
        m_waitClock.start();
        m_waitTimer.start(kTellAfterMs);
    }
}

void GraphView::showProgress()
{
    if (!m_pending || !m_waitClock.isValid() || m_waitClock.elapsed() < kTellAfterMs || m_book.total() == 0) return;
    const QString text = tr("Laying out %1, %2 of %3 clusters")
                             .arg(toQString(m_waitingFor), countText(m_book.done()), countText(m_book.total()));
    const bool inView = m_waitClock.elapsed() >= kTellInViewAfterMs;
    m_canvas->setProgress(static_cast<double>(m_book.done()) / m_book.total(), inView ? text : QString());
    Q_EMIT layoutProgress(text);
    if (!inView) m_waitTimer.start(kTellInViewAfterMs - kTellAfterMs);
}

void GraphView::showPicture(const OpenClusters &open)
{
    PictureMetrics metrics;
    metrics.columnWidth = columnWidth();
    metrics.widestBranches = widestBranches();
    QFont font = Theme::instance().font(FontRole::Name);
    font.setWeight(QFont::DemiBold);
    metrics.nameWidth = [width = QFontMetricsF(font)](const std::string &name) {
        return width.horizontalAdvance(toQString(name));
    };
    const bool resized = metrics.columnWidth != m_scene.picture.givenWidth;
    const double formerWidth = m_scene.picture.columnWidth;
    m_scene.picture = layOutGraph(m_scene.tree, open, metrics);
    m_scene.marks = {};
    m_scene.rampTop = rampTop(m_scene);

    const auto &items = m_scene.picture.items;
    const bool moves = animates() && isVisible() && !resized && !m_places.empty() && items.size() <= kMostMoving;
    std::vector<QRectF> from;
    std::unordered_map<std::string, QRectF> places;
    const auto steady = m_places.find(m_steady);
    std::optional<std::pair<QPointF, QPointF>> kept;
    for (const GraphItem &item : items) {
        if (items.size() > kMostMoving) break;
        const std::string key = placeKey(m_scene, item);
        places[key] = item.rect;
        if (steady != m_places.end() && steady->first == key) kept = {steady->second.topLeft(), item.rect.topLeft()};
        const auto former = m_places.find(key);
        if (moves) from.push_back(former == m_places.end() ? QRectF() : former->second);
    }
    m_places = std::move(places);

    m_table.resetItems();
    updateMarks();
    m_canvas->pictureChanged(std::move(from));
    if (kept && !resized && formerWidth != m_scene.picture.columnWidth)
        m_canvas->keepInPlace(kept->first, kept->second);
    m_steady.clear();
    if (const auto sight = std::exchange(m_sightAfter, {})) m_canvas->setSight(sight->first, sight->second);
    m_rail->minimap().refresh();
    m_rail->minimap().setSight(m_canvas->sight());
    m_rail->update();
    if (m_revealing && m_scene.marks.selected >= 0)
        m_canvas->ensureVisible(m_scene.picture.item(m_scene.marks.selected).rect);
    m_revealing = false;
}

void GraphView::keepSteady(int item)
{
    if (item >= 0) m_steady = placeKey(m_scene, m_scene.picture.item(item));
}

std::vector<VisibleItem> GraphView::visibleItems() const
{
    std::vector<VisibleItem> result;
    const QPointF offset = m_canvas->pos();
    const GraphPicture &picture = m_scene.picture;
    for (std::size_t i = 0; i < picture.items.size(); ++i) {
        const GraphItem &item = picture.items[i];
        VisibleItem visible;
        visible.path = toQString(m_scene.nodeOf(item).path);
        visible.title = cardTitle(m_scene, item);
        visible.side = item.side;
        visible.shape = item.shape;
        visible.state = cardState(m_scene, item);
        visible.rect = m_canvas->toWidget(item.rect).translated(offset);
        if (item.shape == ItemShape::Frame || canOpen(m_scene, item))
            visible.chevron = m_canvas->toWidget(chevronRect(picture, item)).translated(offset);
        visible.selected = m_scene.marks.selected == static_cast<int>(i);
        result.push_back(visible);
    }
    return result;
}

} // namespace remat::studio
