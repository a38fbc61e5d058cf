// SPDX-License-Identifier: Apache-2.0
// What mouse, wheel and keys do in every view over time: pan, zoom, brush, choose a range, step the cursor.
#pragma once

#include "app/studio/base/plots/time_frame.h"
#include "app/studio/work/document/document.h"

#include <QObject>

#include <functional>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;
class QWidget;

namespace remat::studio {

/// Turns events of a canvas into changes of the document's time window, range and cursor. The canvas hands over what is
/// not its own; each call says whether the event was for it. GUI thread only.
class TimeGestures : public QObject
{
    Q_OBJECT
public:
    enum class Part { Nothing, Plot, Labels, Minimap, BrushFrom, BrushTo };

    /// `area` is asked at each event.
    TimeGestures(Document *document, QWidget *canvas, std::function<TimeArea()> area);

    Part partAt(const QPointF &position) const;
    bool press(const QMouseEvent &event);
    bool move(const QMouseEvent &event);
    bool release(const QMouseEvent &event);
    bool doubleClick(const QMouseEvent &event);
    bool wheel(const QWheelEvent &event);
    bool key(const QKeyEvent &event);
    bool active() const { return m_gesture != Gesture::None; }
    /// To the next sample or the one before; brings it into sight.
    void stepCursor(int by);
    /// Cursor at a position of the mouse; none outside of the plan.
    void hover(const QPointF &position);
    /// The mouse's shape over a part.
    static Qt::CursorShape shape(Part part);
    static QString tooltip(Part part);

Q_SIGNALS:
    /// A press and release in the plot without a drag.
    void clicked(const QPointF &position, Qt::KeyboardModifiers modifiers);

private:
    enum class Gesture { None, Pan, Range, BrushFrom, BrushTo, BrushMove };
    /// The border of a sample where one is near, so that ranges begin and end with ops.
    double snapped(const TimeArea &area, double pixel) const;

    Document *m_document;
    QWidget *m_canvas;
    std::function<TimeArea()> m_area;
    Gesture m_gesture = Gesture::None;
    QPointF m_pressed;
    double m_lastX = 0;
    double m_anchor = 0; ///< where a range begins on the axis; for handles of the brush their distance in pixels
    bool m_moved = false;
};

/// The sample at the cursor, or the peak when there is no cursor; only with a model that has ops.
std::size_t cursorSample(Document &document);
/// Selects what makes the largest input of the selected op, or what reads its storage first after it; then brings it
/// into sight of views over time. False when there is none.
bool followProducer(Document &document);
bool followConsumer(Document &document);
/// The range becomes what the selection spans: an op's computations, a storage's life. False without one.
bool rangeOfSelection(Document &document);

} // namespace remat::studio
