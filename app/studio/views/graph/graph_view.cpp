// SPDX-License-Identifier: Apache-2.0
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

constexpr double kNarrowColumn = 300, kNarrowMargin = 22;
constexpr int kRoomForRail = 6 * GraphRail::kWidth; ///< both columns stay whole

bool animates()
{
    return !qEnvironmentVariableIsSet("QT_REDUCED_MOTION") && !qEnvironmentVariableIsSet("REMAT_NO_ANIMATION");
}

} // namespace

GraphView::GraphView(Document *document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_layouts(m_scene),
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

    connect(&m_layouts, &OpenLayouts::settled, this, &GraphView::relayout);
    connect(&m_layouts, &OpenLayouts::done, this, [this] {
        m_canvas->setProgress(-1, {});
        Q_EMIT layoutProgress({});
    });
    connect(&m_layouts, &OpenLayouts::waiting, this, [this](double share, const QString &text, bool inView) {
        m_canvas->setProgress(share, inView ? text : QString());
        Q_EMIT layoutProgress(text);
    });
    connect(&m_layouts.book(), &LayoutBook::fellBack, this, [this](const QString &sentence) {
        Notice notice = Notice::failure(tr("%1 The graph shows plain order instead.").arg(sentence));
        notice.actionText = tr("Try again");
        notice.action = [this] {
            m_layouts.book().forgetFallbacks();
            m_layouts.forget();
            relayout();
        };
        m_strip->say(notice);
    });
    takeModel();
}

GraphView::~GraphView()
{
    m_canvas->disconnect(this); // it loses the focus while it goes, when there is no scene any more
}

void GraphView::showRail()
{
    m_rail->setVisible(m_scene.model != nullptr && width() >= kRoomForRail);
}

void GraphView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    showRail();
}

void GraphView::takeModel()
{
    const auto model = m_document->model();
    const bool sameTree = model && m_scene.model && model->open == m_scene.model->open;
    m_scene.model = model;
    m_openPanel->setVisible(!model);
    m_canvas->setEmptyText(model ? QString() : tr("No model is open."));
    showRail();
    if (!model) {
        m_scene = {};
        m_motion.forget();
        m_layouts.forget();
        m_table.resetItems();
        updatePath();
        return;
    }
    if (!sameTree) {
        m_expansion.forget();
        m_branches.forget();
        m_selectedNode = -1;
        m_motion.forget();
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
    m_layouts.forget();
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

void GraphView::relayout()
{
    if (!m_scene.model || m_scene.tree.nodes.empty()) return;
    if (const auto open = m_layouts.gather(m_expansion, m_branches)) showPicture(*open);
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

    PictureMotion::Step step = m_motion.take(m_scene);
    if (resized || !animates() || !isVisible()) step.from.clear();

    m_table.resetItems();
    updateMarks();
    m_canvas->pictureChanged(std::move(step.from));
    if (step.steady && !resized && formerWidth != m_scene.picture.columnWidth)
        m_canvas->keepInPlace(step.steady->first, step.steady->second);
    if (const auto sight = std::exchange(m_sightAfter, {})) m_canvas->setSight(sight->first, sight->second);
    m_rail->minimap().refresh();
    m_rail->minimap().setSight(m_canvas->sight());
    m_rail->update();
    if (m_revealing && m_scene.marks.selected >= 0)
        m_canvas->ensureVisible(m_scene.picture.item(m_scene.marks.selected).rect);
    m_revealing = false;
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
