// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/puzzles/puzzle_board.h"

#include "app/studio/base/style/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <limits>

namespace remat::studio {

namespace {

constexpr int kMargin = 26, kBetween = 44, kLine = 36, kMostRow = 58, kHeader = 24, kMostColumn = 460,
              kLeastColumn = 300;

bool isBackward(const Op &op)
{
    return op.phase == Phase::Backward;
}

} // namespace

PuzzleBoard::PuzzleBoard(PuzzleRun &run, QWidget *parent)
    : QWidget(parent), m_run(run), m_storages(run.puzzle().graph.storages.size())
{
    setObjectName(QStringLiteral("puzzleBoard"));
    const Graph &graph = run.puzzle().graph;
    const auto add = [this](PuzzleItem *item) {
        connect(item, &PuzzleItem::wanted, &m_run, &PuzzleRun::move);
        item->installEventFilter(this);
        m_items.push_back(item);
        return item;
    };
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        m_ops.push_back(add(new PuzzleItem(run, OpId(i), this)));
        for (const StorageId output : graph.ops[i].outputs)
            m_storages[output.index()] = add(new PuzzleItem(run, output, this));
        m_lines = std::max(m_lines, static_cast<int>(graph.ops[i].outputs.size()));
    }
    makeRows();
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    showState();
}

/// A backward op stands beside its forward op where that is known, and is free; others go up from the bottom.
void PuzzleBoard::makeRows()
{
    const Graph &graph = m_run.puzzle().graph;
    m_row.assign(graph.ops.size(), -1);
    m_right.assign(graph.ops.size(), false);
    int left = 0;
    int right = 0;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        m_right[i] = isBackward(graph.ops[i]);
        if (m_right[i])
            ++right;
        else
            m_row[i] = left++;
    }
    m_rows = std::max(left, right);
    std::vector<bool> taken(static_cast<std::size_t>(m_rows), false);
    int lowest = m_rows - 1;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (!m_right[i]) continue;
        const OpId forward = graph.ops[i].forwardOp;
        int row = forward ? m_row[forward.index()] : lowest;
        if (row > lowest || taken[static_cast<std::size_t>(row)]) row = lowest;
        if (row < 0) row = 0;
        // Those that still come need rows above.
        const auto later =
            std::count_if(graph.ops.begin() + static_cast<std::ptrdiff_t>(i) + 1, graph.ops.end(), isBackward);
        row = std::max(row, static_cast<int>(later));
        taken[static_cast<std::size_t>(row)] = true;
        m_row[i] = row;
        lowest = row - 1;
    }
}

QSize PuzzleBoard::sizeHint() const
{
    return {2 * (kMargin + kLeastColumn) + kBetween, kHeader + m_rows * kLine + 12};
}

void PuzzleBoard::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

void PuzzleBoard::place()
{
    const int column = std::clamp((width() - 2 * kMargin - kBetween) / 2, kLeastColumn, kMostColumn);
    const int row = std::clamp((height() - kHeader - 12) / std::max(m_rows, 1), kLine, kMostRow);
    const int first = std::max((width() - 2 * column - kBetween) / 2, 0);
    const Graph &graph = m_run.puzzle().graph;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const int x = first + (m_right[i] ? column + kBetween : 0);
        const int y = kHeader + m_row[i] * row + (row - kLine) / 2;
        const auto outputs = static_cast<int>(graph.ops[i].outputs.size());
        const int opWidth = outputs > 1 ? column * 2 / 5 : column / 2;
        m_ops[i]->setGeometry(x, y, opWidth, kLine);
        for (int each = 0; each < outputs; ++each) {
            const int from = opWidth + (column - opWidth) * each / outputs;
            const int to = opWidth + (column - opWidth) * (each + 1) / outputs;
            m_storages[graph.ops[i].outputs[static_cast<std::size_t>(each)].index()]->setGeometry(x + from, y,
                                                                                                  to - from, kLine);
        }
    }
    update();
}

void PuzzleBoard::showState()
{
    for (PuzzleItem *item : m_items)
        item->showState();
    update();
}

QPainterPath PuzzleBoard::edge(const PuzzleItem &from, const PuzzleItem &to) const
{
    const std::size_t reader = to.op().index(), maker = m_run.puzzle().graph.storage(from.storage()).producer.index();
    const QRectF start = from.geometry(), end = to.geometry();
    QPainterPath path;
    if (m_right[reader] != m_right[maker]) { // across the middle
        path.moveTo(start.right(), start.center().y());
        const qreal bend = std::max((end.left() - start.right()) / 2, 22.0);
        path.cubicTo(start.right() + bend, start.center().y(), end.left() - bend, end.center().y(), end.left(),
                     end.center().y());
        return path;
    }
    const bool down = end.center().y() > start.center().y();
    const QPointF begin(start.left() + start.width() / 4, down ? start.bottom() - 2 : start.top() + 3);
    const QPointF stop(end.left() + end.width() * 3 / 4, down ? end.top() + 3 : end.bottom() - 2);
    path.moveTo(begin);
    if (std::abs(m_row[reader] - m_row[maker]) == 1) {
        const qreal middle = (begin.y() + stop.y()) / 2;
        path.cubicTo({begin.x(), middle}, {stop.x(), middle}, stop);
        return path;
    }
    // Past others: along the left edge.
    const QPointF side(end.left() + 3, end.center().y());
    const qreal out = end.left() - 6 - 3.0 * std::min(std::abs(m_row[reader] - m_row[maker]), 4);
    path.cubicTo({begin.x(), begin.y() + (down ? 14 : -14)}, {out, begin.y() + (down ? 10 : -10)},
                 {out, begin.y() + (down ? 26 : -26)});
    path.lineTo(out, side.y() - (down ? 14 : -14));
    path.cubicTo({out, side.y()}, {out, side.y()}, side);
    return path;
}

void PuzzleBoard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::instance();
    painter.fillRect(rect(), theme.color(Token::Window));
    painter.setFont(theme.font(FontRole::Label));
    painter.setPen(theme.color(Token::Text2));
    const Graph &graph = m_run.puzzle().graph;
    for (const bool right : {false, true}) {
        const auto found = std::find(m_right.begin(), m_right.end(), right);
        if (found == m_right.end()) continue;
        const int x = m_ops[static_cast<std::size_t>(found - m_right.begin())]->x() + 4;
        painter.drawText(QRect(x, 4, 200, kHeader - 4), Qt::AlignVCenter, right ? tr("Backward") : tr("Forward"));
    }
    const auto *focused = qobject_cast<PuzzleItem *>(focusWidget());
    if (focused && !focused->hasFocus()) focused = nullptr;
    for (const bool strong : {false, true})
        for (std::size_t i = 0; i < graph.ops.size(); ++i)
            for (const StorageId input : graph.ops[i].inputs) {
                if (!m_storages[input.index()]) continue;
                const PuzzleItem &from = *m_storages[input.index()], &to = *m_ops[i];
                const bool isStrong = focused == &from || focused == &to || from.underMouse() || to.underMouse();
                if (isStrong != strong) continue;
                const bool held = m_run.position().storages[input.index()].held;
                QPen pen(theme.color(!strong ? Token::LineStrong
                                     : held  ? Token::Accent
                                             : Token::Error),
                         strong ? 2 : 1.2);
                if (!held) pen.setStyle(Qt::DotLine);
                painter.setPen(pen);
                painter.setBrush(Qt::NoBrush);
                painter.drawPath(edge(from, to));
            }
}

bool PuzzleBoard::moveFocus(PuzzleItem *from, int key)
{
    const QPoint at = from->geometry().center();
    PuzzleItem *best = nullptr;
    int least = std::numeric_limits<int>::max();
    for (PuzzleItem *item : m_items) {
        const QPoint way = item->geometry().center() - at;
        const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
        const int along = key == Qt::Key_Left    ? -way.x()
                          : key == Qt::Key_Right ? way.x()
                          : key == Qt::Key_Up    ? -way.y()
                                                 : way.y();
        if (along <= 0) continue;
        const int away = along + 3 * std::abs(sideways ? way.y() : way.x());
        if (away < least) {
            least = away;
            best = item;
        }
    }
    if (best) best->setFocus(Qt::OtherFocusReason);
    return true;
}

bool PuzzleBoard::eventFilter(QObject *watched, QEvent *event)
{
    auto *item = qobject_cast<PuzzleItem *>(watched);
    if (item && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down)
            return moveFocus(item, key);
    }
    const QEvent::Type type = event->type();
    if (type == QEvent::FocusIn || type == QEvent::FocusOut || type == QEvent::Enter || type == QEvent::Leave) update();
    if (type == QEvent::FocusIn && parentWidget())
        if (auto *scroll = qobject_cast<QScrollArea *>(parentWidget()->parentWidget()))
            scroll->ensureWidgetVisible(item);
    return QWidget::eventFilter(watched, event);
}

} // namespace remat::studio
