// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/matrix/matrix_canvas.h"

#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/matrix/matrix_raster.h"
#include "app/studio/work/document/time_window.h"

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr double kLeft = 76, kTop = 30, kBottom = 14, kRight = 176;
constexpr double kGapFrom = 6;         ///< device pixels a cell needs before cells stand apart
constexpr double kPatternFrom = 8;     ///< logical pixels a cell needs to bear a pattern
constexpr double kKept = 0.35;         ///< opacity of what is kept
constexpr double kNarrowest = 8;       ///< cells that fill the view at least
constexpr std::size_t kMostNamed = 40; ///< ops that have their names at the axes
constexpr double kNamedTop = 84,
                 kNamedFromHeight = 300; ///< height of upright names, and of a view that has room for it
constexpr double kNameCell = 12;         ///< logical pixels a cell needs for a name

QRgb blended(const QColor &over, const QColor &ground, double share)
{
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1 - share))); };
    return qRgb(mix(over.red(), ground.red()), mix(over.green(), ground.green()), mix(over.blue(), ground.blue()));
}

} // namespace

MatrixCanvas::MatrixCanvas(Document *document, QWidget *parent)
    : LayeredPlot(parent), m_document(document), m_gestures(new TimeGestures(document, this, [] { return TimeArea(); }))
{
    setAccessibleName(tr("Matrix of what is computed and kept from op to op"));
    connect(document, &Document::modelChanged, this, [this] { takeData(true); });
    connect(document, &Document::currentPlanChanged, this, [this] { takeData(false); });
    connect(&Theme::instance(), &Theme::changed, this, &MatrixCanvas::refresh);
    const auto repaint = qOverload<>(&QWidget::update);
    connect(document, &Document::selectionChanged, this, repaint);
    connect(document, &Document::hoverChanged, this, repaint);
    connect(document, &Document::cursorChanged, this, repaint);
}

void MatrixCanvas::takeData(bool newModel)
{
    m_stale = true;
    m_fitNext = m_fitNext || newModel;
    refresh();
    Q_EMIT sceneChanged();
}

void MatrixCanvas::ensure() const
{
    if (!m_stale) return;
    m_stale = false;
    const auto model = m_document->model();
    m_timeline = m_document->timeline();
    m_scene = model ? MatrixScene(model->graph(), *m_timeline, m_forwardOnly) : MatrixScene();
    if (m_labelsOf != model) {
        m_labelsOf = model;
        m_labels = model ? OpLabels(model->graph()) : OpLabels();
    }
    // What was seen stays where another plan has it too.
    const Viewport rows = m_rows, columns = m_columns;
    m_rows.fit(m_scene.rows, kNarrowest);
    m_columns.fit(static_cast<double>(m_scene.columns.size()), kNarrowest);
    if (!m_fitNext && !(rows.all() && columns.all())) {
        m_rows.show(rows.from, rows.to);
        m_columns.show(columns.from, columns.to);
    }
    m_fitNext = false;
}

const MatrixScene &MatrixCanvas::scene() const
{
    ensure();
    return m_scene;
}

QString MatrixCanvas::opName(OpId op) const
{
    ensure();
    return m_labels.op(m_document->model()->graph(), op);
}

void MatrixCanvas::setForwardOnly(bool forwardOnly)
{
    if (forwardOnly == m_forwardOnly) return;
    m_forwardOnly = forwardOnly;
    takeData(true);
}

void MatrixCanvas::fit()
{
    m_fitNext = true;
    m_stale = true;
    refresh();
}

bool MatrixCanvas::hasNames(QSizeF size) const
{
    return m_scene.columns.size() <= kMostNamed && size.height() >= kNamedFromHeight;
}

QRectF MatrixCanvas::plot(QSizeF size) const
{
    return {QPointF(kLeft, hasNames(size) ? kNamedTop : kTop),
            QPointF(std::max(size.width() - kRight, kLeft + 40), std::max(size.height() - kBottom, kTop + 40))};
}

Scale MatrixCanvas::across(QSizeF size) const
{
    return {m_columns.from, m_columns.to, plot(size).left(), plot(size).right()};
}

Scale MatrixCanvas::down(QSizeF size) const
{
    return {m_rows.from, m_rows.to, plot(size).top(), plot(size).bottom()};
}

QPointF MatrixCanvas::cellCenter(std::int32_t row, std::int32_t column) const
{
    ensure();
    return {across(size()).pixel(column + 0.5), down(size()).pixel(row + 0.5)};
}

MatrixCanvas::Place MatrixCanvas::placeAt(const QPointF &position) const
{
    ensure();
    if (!plot().contains(position) || m_scene.columns.empty()) return {};
    const auto row = static_cast<std::int32_t>(std::floor(down(size()).value(position.y())));
    const auto column = static_cast<std::int32_t>(std::floor(across(size()).value(position.x())));
    if (row < 0 || row >= m_scene.rows || column < 0 || column >= static_cast<std::int32_t>(m_scene.columns.size()))
        return {};
    return {row, column};
}

MatrixCanvas::Place MatrixCanvas::litPlace() const
{
    Place place;
    if (!m_timeline || m_timeline->op.empty()) return place;
    if (m_document->cursorUs() >= 0) {
        const std::size_t sample = cursorSample(*m_document);
        place.row = m_scene.rowOfSample[sample];
        place.column = m_scene.columnOf[m_timeline->op[sample].index()];
    }
    if (const OpId hovered = m_document->hover().op) place.column = m_scene.columnOf[hovered.index()];
    return place;
}

void MatrixCanvas::paintNames(QPainter &painter, const QRectF &box, const Scale &x, const Scale &y) const
{
    const Graph &graph = m_document->model()->graph();
    painter.setPen(Theme::instance().color(Token::Text2));
    const int lastColumn = static_cast<int>(std::min(m_columns.to, static_cast<double>(m_scene.columns.size())));
    const int lastRow = static_cast<int>(std::min(m_rows.to, static_cast<double>(m_scene.rows)));
    for (int column = static_cast<int>(std::ceil(m_columns.from)); column < lastColumn; ++column) {
        const QString name = m_labels.op(graph, m_scene.columns[static_cast<std::size_t>(column)]);
        painter.save();
        painter.translate(x.pixel(column + 0.5), box.top() - 6);
        painter.rotate(-90);
        const double length = kNamedTop - 10;
        painter.drawText(QRectF(0, -8, length, 16), Qt::AlignLeft | Qt::AlignVCenter, elided(painter, name, length));
        painter.restore();
    }
    for (int row = static_cast<int>(std::ceil(m_rows.from)); row < lastRow; ++row) {
        const auto sample = static_cast<std::size_t>(m_scene.sampleOfRow[static_cast<std::size_t>(row)]);
        const QString name = m_labels.op(graph, m_timeline->op[sample]);
        const double length = box.left() - 12;
        painter.drawText(QRectF(4, y.pixel(row + 0.5) - 8, length, 16), Qt::AlignRight | Qt::AlignVCenter,
                         elided(painter, name, length));
    }
}

void MatrixCanvas::paintAxes(QPainter &painter, const QRectF &box, double ratio) const
{
    const Theme &theme = Theme::instance();
    painter.setFont(theme.font(FontRole::Small));
    const Scale x{m_columns.from, m_columns.to, box.left(), box.right()};
    const Scale y{m_rows.from, m_rows.to, box.top(), box.bottom()};
    const bool room = box.width() / m_columns.width() >= kNameCell && box.height() / m_rows.width() >= kNameCell;
    if (room && box.top() == kNamedTop) return paintNames(painter, box, x, y);
    for (const Tick &tick : countTicks(m_columns.from, m_columns.to, std::max(2, static_cast<int>(box.width() / 90)))) {
        const double at = sharp(x.pixel(tick.value), ratio);
        painter.setPen(QPen(theme.color(Token::LineStrong), 1));
        painter.drawLine(QPointF(at, box.top() - 4), QPointF(at, box.top()));
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(at - 40, box.top() - 19, 80, 14), Qt::AlignCenter, tick.label);
    }
    for (const Tick &tick : countTicks(m_rows.from, m_rows.to, std::max(2, static_cast<int>(box.height() / 50)))) {
        const double at = sharp(y.pixel(tick.value), ratio);
        painter.setPen(QPen(theme.color(Token::LineStrong), 1));
        painter.drawLine(QPointF(box.left() - 4, at), QPointF(box.left(), at));
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(0, at - 7, box.left() - 8, 14), Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    painter.setPen(theme.color(Token::Text3));
    painter.drawText(QRectF(8, box.top() - 19, box.left() - 30, 14), Qt::AlignLeft | Qt::AlignVCenter, tr("Slot"));
    painter.drawText(QRectF(box.right() + 16, box.top() - 19, 100, 14), Qt::AlignLeft | Qt::AlignVCenter,
                     m_forwardOnly ? tr("Forward op") : tr("Op"));
}

void MatrixCanvas::paintBase(QPainter &painter, QSizeF size, double ratio) const
{
    const Theme &theme = Theme::instance();
    painter.fillRect(QRectF(QPointF(), size), theme.color(Token::Plot));
    if (m_scene.columns.empty()) return;
    const QRectF box = plot(size);
    const QSize pixels = (box.size() * ratio).toSize();
    const MatrixRaster raster = rasterOf(m_scene, m_columns, m_rows, pixels.width(), pixels.height(), kGapFrom);
    QImage image(pixels, QImage::Format_RGB32);
    const QColor ground = theme.color(Token::Plot);
    const QRgb colors[] = {ground.rgb(), blended(theme.color(Token::Kept), ground, kKept),
                           theme.color(Token::Text3).rgb(), theme.color(Token::Recomputed).rgb()};
    for (int y = 0; y < raster.height; ++y) {
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
        for (int x = 0; x < raster.width; ++x)
            line[x] = colors[static_cast<std::size_t>(raster.at(x, y))];
    }
    image.setDevicePixelRatio(ratio);
    painter.drawImage(box.topLeft(), image);

    painter.setRenderHint(QPainter::Antialiasing);
    const Scale x = across(size), y = down(size);
    const double cellWidth = box.width() / m_columns.width(), cellHeight = box.height() / m_rows.width();
    if (cellWidth >= kPatternFrom && cellHeight >= kPatternFrom) {
        painter.save();
        painter.setClipRect(box);
        const QBrush pattern = theme.categoryBrush(Category::RecomputedActivations, ratio);
        for (const MatrixCell &cell : m_scene.cells) {
            if (!cell.recomputed || cell.row + 1 < m_rows.from || cell.row > m_rows.to) continue;
            painter.fillRect(QRectF(QPointF(x.pixel(cell.column), y.pixel(cell.row)),
                                    QPointF(x.pixel(cell.column + 1) - 1, y.pixel(cell.row + 1) - 1)),
                             pattern);
        }
        painter.restore();
    }
    painter.setPen(QPen(theme.color(Token::Line), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5));
    paintAxes(painter, box, ratio);
}

QString MatrixCanvas::stateText(const Place &place) const
{
    if (place.row < 0 || place.column < 0) return {};
    switch (m_scene.stateAt(place.row, place.column)) {
    case MatrixScene::State::Recomputed:
        return tr("computed again");
    case MatrixScene::State::Computed:
        return tr("computed first");
    case MatrixScene::State::Kept:
        return tr("kept from the slot before");
    case MatrixScene::State::Nothing:
        break;
    }
    return tr("not in memory before this slot");
}

void MatrixCanvas::paintSide(QPainter &painter, QSizeF size, double ratio) const
{
    const Theme &theme = Theme::instance();
    const QRectF box = plot(size);
    const double left = box.right() + 16, width = size.width() - left - 8;
    double y = box.top();
    painter.setFont(theme.font(FontRole::Label));
    const auto entry = [&](const QString &name, const QBrush &brush) {
        painter.setPen(Qt::NoPen);
        painter.setBrushOrigin(QPointF(left, y + 3));
        painter.setBrush(brush);
        painter.drawRoundedRect(QRectF(left, y + 3, 11, 11), 2, 2);
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(left + 17, y, width - 17, 17), Qt::AlignVCenter, elided(painter, name, width - 17));
        y += 20;
    };
    entry(tr("Computed"), theme.color(Token::Text3));
    entry(tr("Computed again"), theme.categoryBrush(Category::RecomputedActivations, ratio));
    entry(tr("Kept"), QColor(blended(theme.color(Token::Kept), theme.color(Token::Plot), kKept)));
    painter.setBrushOrigin(0, 0);

    const Place lit = litPlace();
    if (lit.row < 0 && lit.column < 0) return;
    y += 10;
    const auto say = [&](const QString &text, FontRole role, Token token) {
        painter.setFont(theme.font(role));
        painter.setPen(theme.color(token));
        painter.drawText(QRectF(left, y, width, 18), Qt::AlignLeft | Qt::AlignVCenter, elided(painter, text, width));
        y += 18;
    };
    const Graph &graph = m_document->model()->graph();
    if (lit.row >= 0) {
        say(tr("Slot %1").arg(countText(lit.row)), FontRole::Label, Token::Text2);
        const auto sample = static_cast<std::size_t>(m_scene.sampleOfRow[static_cast<std::size_t>(lit.row)]);
        say(m_labels.op(graph, m_timeline->op[sample]), FontRole::Name, Token::Text);
        y += 6;
    }
    if (lit.column < 0) return;
    say(tr("Op %1").arg(countText(lit.column)), FontRole::Label, Token::Text2);
    say(m_labels.op(graph, m_scene.columns[static_cast<std::size_t>(lit.column)]), FontRole::Name, Token::Text);
    if (lit.row >= 0) say(stateText(lit), FontRole::Label, Token::Text2);
}

void MatrixCanvas::paintOverlay(QPainter &painter, QSizeF size, double ratio) const
{
    if (m_scene.columns.empty()) return;
    const Theme &theme = Theme::instance();
    const QRectF box = plot(size);
    const Scale x = across(size), y = down(size);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.save();
    painter.setClipRect(box);
    const auto band = [&](double row, double column, Token token, float opacity) {
        QColor color = theme.color(token);
        color.setAlphaF(opacity);
        if (row >= 0)
            painter.fillRect(QRectF(QPointF(box.left(), y.pixel(row)),
                                    QPointF(box.right(), std::max(y.pixel(row + 1), y.pixel(row) + 1))),
                             color);
        if (column >= 0)
            painter.fillRect(QRectF(QPointF(x.pixel(column), box.top()),
                                    QPointF(std::max(x.pixel(column + 1), x.pixel(column) + 1), box.bottom())),
                             color);
    };
    if (const OpId selected = m_document->selection().op)
        band(-1, m_scene.columnOf[selected.index()], Token::Accent, 0.4F);
    if (const auto module = m_document->selectedModule())
        for (const OpId op : module->ops)
            band(-1, m_scene.columnOf[op.index()], Token::Accent, 0.25F);
    const Place lit = litPlace();
    band(lit.row, lit.column, Token::Text, 0.28F);
    painter.restore();
    painter.setRenderHint(QPainter::Antialiasing);
    paintSide(painter, size, ratio);
}

void MatrixCanvas::paintFocus(QPainter &painter) const
{
    if (m_scene.columns.empty()) return;
    painter.setPen(QPen(Theme::instance().color(Token::Focus), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(plot().adjusted(-1.5, -1.5, 1.5, 1.5));
}

void MatrixCanvas::showEvent(QShowEvent *event)
{
    LayeredPlot::showEvent(event);
    Q_EMIT sceneChanged();
}

} // namespace remat::studio
