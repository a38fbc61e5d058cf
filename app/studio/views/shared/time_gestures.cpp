// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/shared/time_gestures.h"

#include "app/studio/base/plots/gesture_steps.h"
#include "app/studio/base/plots/physical_keys.h"
#include "app/studio/work/document/time_window.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <limits>

namespace remat::studio {

namespace {

constexpr double kBrushGrab = 6;
constexpr double kSnap = 5;

} // namespace

TimeGestures::TimeGestures(Document *document, QWidget *canvas, std::function<TimeArea()> area)
    : QObject(canvas), m_document(document), m_canvas(canvas), m_area(std::move(area))
{
}

TimeGestures::Part TimeGestures::partAt(const QPointF &position) const
{
    if (!m_document->model()) return Part::Nothing;
    const TimeArea area = m_area();
    if (!area.minimap.isEmpty() && area.minimap.adjusted(-kBrushGrab, 0, kBrushGrab, 0).contains(position)) {
        const QRectF brush = area.brush(m_document->time().view());
        const double toFrom = std::abs(position.x() - brush.left()), toTo = std::abs(position.x() - brush.right());
        if (std::min(toFrom, toTo) <= kBrushGrab) return toFrom <= toTo ? Part::BrushFrom : Part::BrushTo;
        return Part::Minimap;
    }
    if (area.labels.contains(position)) return Part::Labels;
    return area.plot.contains(position) ? Part::Plot : Part::Nothing;
}

Qt::CursorShape TimeGestures::shape(Part part)
{
    switch (part) {
    case Part::BrushFrom:
    case Part::BrushTo:
        return Qt::SizeHorCursor;
    case Part::Labels:
        return Qt::IBeamCursor;
    default:
        return Qt::ArrowCursor;
    }
}

QString TimeGestures::tooltip(Part part)
{
    switch (part) {
    case Part::Minimap:
    case Part::BrushFrom:
    case Part::BrushTo:
        return tr("The part that is shown. W and S zoom, A and D move, F shows all.");
    case Part::Labels:
        return tr("Drag to measure a range. Esc clears it.");
    default:
        return {};
    }
}

double TimeGestures::snapped(const TimeArea &area, double pixel) const
{
    const SampleAxis &axis = m_document->time().axes().plan;
    const double value = area.x.value(pixel);
    if (axis.count() == 0) return value;
    const std::size_t sample = axis.sampleAt(value);
    const double left = axis.edges()[sample], right = axis.edges()[sample + 1];
    const double nearest = std::abs(value - left) <= std::abs(value - right) ? left : right;
    return std::abs(area.x.pixel(nearest) - pixel) <= kSnap ? nearest : value;
}

bool TimeGestures::press(const QMouseEvent &event)
{
    m_pressed = event.position();
    m_lastX = m_pressed.x();
    m_moved = false;
    const bool middle = event.button() == Qt::MiddleButton;
    if (!m_document->model() || (!middle && event.button() != Qt::LeftButton)) return false;
    const TimeArea area = m_area();
    TimeWindow &time = m_document->time();
    const Part part = middle ? Part::Plot : partAt(m_pressed);
    switch (part) {
    case Part::Nothing:
        return false;
    case Part::BrushFrom:
        m_gesture = Gesture::BrushFrom;
        m_anchor = area.whole.pixel(time.view().from) - m_pressed.x(); // a narrow brush is drawn wider than it is
        break;
    case Part::BrushTo:
        m_gesture = Gesture::BrushTo;
        m_anchor = area.whole.pixel(time.view().to) - m_pressed.x();
        break;
    case Part::Minimap: {
        m_gesture = Gesture::BrushMove;
        time.reveal(area.whole.value(m_pressed.x()));
        break;
    }
    case Part::Labels:
    case Part::Plot: {
        const bool measures = event.modifiers().testFlag(Qt::ShiftModifier) || time.measuring();
        m_gesture = part == Part::Labels || (measures && !middle) ? Gesture::Range : Gesture::Pan;
        m_anchor = snapped(area, m_pressed.x());
        break;
    }
    }
    return true;
}

bool TimeGestures::move(const QMouseEvent &event)
{
    if (!active()) return false;
    const QPointF at = event.position();
    if ((at - m_pressed).manhattanLength() >= kClickSlack) m_moved = true;
    const TimeArea area = m_area();
    TimeWindow &time = m_document->time();
    const Viewport &view = time.view();
    switch (m_gesture) {
    case Gesture::None:
        break;
    case Gesture::Pan:
        if (!m_moved) return true;
        time.pan(area.x.value(m_lastX) - area.x.value(at.x()));
        break;
    case Gesture::Range:
        if (m_moved) time.setRange({m_anchor, snapped(area, std::clamp(at.x(), area.plot.left(), area.plot.right()))});
        break;
    case Gesture::BrushMove:
        time.pan(area.whole.value(at.x()) - area.whole.value(m_lastX));
        break;
    case Gesture::BrushFrom:
        time.show(std::min(area.whole.value(at.x() + m_anchor), view.to - view.narrowest), view.to);
        break;
    case Gesture::BrushTo:
        time.show(view.from, std::max(area.whole.value(at.x() + m_anchor), view.from + view.narrowest));
        break;
    }
    m_lastX = at.x();
    return true;
}

bool TimeGestures::release(const QMouseEvent &event)
{
    const Gesture gesture = std::exchange(m_gesture, Gesture::None);
    if (gesture == Gesture::None) return false;
    if (m_moved || event.button() != Qt::LeftButton) return true;
    if (gesture == Gesture::Pan) Q_EMIT clicked(event.position(), event.modifiers());
    if (gesture == Gesture::Range) m_document->time().clearRange();
    return true;
}

bool TimeGestures::doubleClick(const QMouseEvent &event)
{
    const Part part = partAt(event.position());
    if (part != Part::Plot && part != Part::Minimap) return false;
    m_document->time().fit();
    return true;
}

bool TimeGestures::wheel(const QWheelEvent &event)
{
    if (!m_document->model()) return false;
    TimeWindow &time = m_document->time();
    const WheelTurn turn(event);
    if (turn.pans)
        time.pan(turn.pan() * time.view().width());
    else
        time.zoom(m_area().x.value(event.position().x()), turn.zoom());
    return true;
}

void TimeGestures::stepCursor(int by)
{
    const SampleAxis &axis = m_document->time().axes().plan;
    if (!m_document->model() || axis.count() == 0) return;
    const auto from = static_cast<std::int64_t>(cursorSample(*m_document));
    const auto last = static_cast<std::int64_t>(axis.count()) - 1;
    const auto to = static_cast<std::size_t>(std::clamp<std::int64_t>(from + by, 0, last));
    const double middle = (axis.edges()[to] + axis.edges()[to + 1]) / 2;
    m_document->time().reveal(middle);
    m_document->setCursor(axis.toTime(middle));
}

void TimeGestures::hover(const QPointF &position)
{
    const SampleAxis &axis = m_document->time().axes().plan;
    if (!m_document->model() || axis.count() == 0) return;
    const double at = m_area().x.value(position.x());
    m_document->setCursor(at >= 0 && at <= axis.length() ? axis.toTime(at) : -1);
}

bool TimeGestures::key(const QKeyEvent &event)
{
    if (!m_document->model() || (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)))
        return false;
    TimeWindow &time = m_document->time();
    const Viewport &view = time.view();
    const double cursor = time.axes().plan.ofTime(m_document->cursorUs());
    const bool seen = m_document->cursorUs() >= 0 && cursor >= view.from && cursor <= view.to;
    const double center = seen ? cursor : (view.from + view.to) / 2;
    switch (walkingKey(event)) {
    case Qt::Key_Left:
    case Qt::Key_Comma:
        stepCursor(-1);
        return true;
    case Qt::Key_Right:
    case Qt::Key_Period:
        stepCursor(1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (time.axes().plan.count()) m_document->selectOp(m_document->timeline()->op[cursorSample(*m_document)]);
        return true;
    case Qt::Key_W:
        time.zoom(center, kZoomStep);
        return true;
    case Qt::Key_S:
        time.zoom(center, 1 / kZoomStep);
        return true;
    case Qt::Key_A:
        time.pan(-kPanStep * view.width());
        return true;
    case Qt::Key_D:
        time.pan(kPanStep * view.width());
        return true;
    case Qt::Key_F:
        time.fit();
        return true;
    case Qt::Key_BracketLeft:
        followProducer(*m_document);
        return true;
    case Qt::Key_BracketRight:
        followConsumer(*m_document);
        return true;
    case Qt::Key_Escape:
        time.range() ? time.clearRange() : m_document->clearSelection();
        return true;
    default:
        return false;
    }
}

std::size_t cursorSample(Document &document)
{
    const double cursor = document.cursorUs();
    if (cursor < 0) return document.timeline()->peakSample;
    const SampleAxis &axis = document.time().axes().plan;
    return axis.sampleAt(axis.ofTime(cursor));
}

namespace {

/// Where an op is computed first, in sight of the views over time.
void reveal(Document &document, OpId op)
{
    const auto timeline = document.timeline();
    TimeWindow &time = document.time();
    const auto &edges = time.axes().plan.edges();
    for (std::size_t i = 0; i < timeline->op.size(); ++i) {
        if (timeline->op[i] != op) continue;
        time.reveal((edges[i] + edges[i + 1]) / 2);
        return;
    }
}

} // namespace

bool followProducer(Document &document)
{
    const OpId op = document.selection().op;
    if (!document.model() || !op) return false;
    const Graph &graph = document.model()->graph();
    OpId producer;
    std::int64_t largest = -1;
    for (const StorageId input : graph.op(op).inputs) {
        const Storage &storage = graph.storage(input);
        if (!storage.producer || storage.bytes <= largest) continue;
        largest = storage.bytes;
        producer = storage.producer;
    }
    if (!producer) return false;
    document.selectOp(producer);
    reveal(document, producer);
    return true;
}

bool followConsumer(Document &document)
{
    const StorageId storage = document.selection().storage;
    if (!document.model() || !storage) return false;
    const std::vector<OpId> &readers = document.model()->open->readers[storage.index()];
    if (readers.empty()) return false;
    const OpId first =
        *std::min_element(readers.begin(), readers.end(), [](OpId a, OpId b) { return a.index() < b.index(); });
    document.selectOp(first);
    reveal(document, first);
    return true;
}

bool rangeOfSelection(Document &document)
{
    const Selection selection = document.selection();
    const auto timeline = document.timeline();
    if (!timeline || selection == Selection{}) return false;
    double from = std::numeric_limits<double>::infinity(), to = -from;
    const auto &edges = document.time().axes().plan.edges();
    const auto take = [&](std::size_t first, std::size_t end) {
        from = std::min(from, edges[first]);
        to = std::max(to, edges[std::max(first, end)]);
    };
    const auto sampleOf = [&](std::int32_t step) {
        return static_cast<std::size_t>(std::lower_bound(timeline->step.begin(), timeline->step.end(), step) -
                                        timeline->step.begin());
    };
    if (selection.storage)
        for (const LiveRange &range : timeline->ranges)
            if (range.storage == selection.storage) take(sampleOf(range.firstStep), sampleOf(range.lastStep + 1));
    if (from > to)
        for (std::size_t i = 0; i < timeline->op.size(); ++i)
            if (timeline->op[i] == selection.op) take(i, i + 1);
    if (from > to) return false;
    document.time().setRange({from, to});
    return true;
}

} // namespace remat::studio
