// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/plots/painted_texts.h"

#include "app/studio/base/plots/plot_canvas.h"

#include <QPaintDevice>
#include <QPaintEngine>

namespace remat::studio {

namespace {

/// Draws nothing.
class TextEngine : public QPaintEngine
{
public:
    TextEngine() : QPaintEngine(AllFeatures) {}

    bool begin(QPaintDevice *) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState &) override {}
    void drawPixmap(const QRectF &, const QPixmap &, const QRectF &) override {}
    void drawImage(const QRectF &, const QImage &, const QRectF &, Qt::ImageConversionFlags) override {}
    void drawPath(const QPainterPath &) override {}
    void drawPolygon(const QPointF *, int, PolygonDrawMode) override {}
    void drawTextItem(const QPointF &at, const QTextItem &item) override
    {
        const QRectF place(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
        m_texts.push_back({item.text(), state->transform().mapRect(place)});
    }
    Type type() const override { return User; }

    std::vector<PaintedText> m_texts;
};

class TextDevice : public QPaintDevice
{
public:
    explicit TextDevice(const QWidget &like) : m_like(like) {}

    QPaintEngine *paintEngine() const override { return &m_engine; }
    std::vector<PaintedText> take() { return std::move(m_engine.m_texts); }

protected:
    int metric(PaintDeviceMetric what) const override
    {
        switch (what) {
        case PdmWidth:
            return m_like.width();
        case PdmHeight:
            return m_like.height();
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        case PdmDpiX:
        case PdmPhysicalDpiX:
            return m_like.logicalDpiX();
        case PdmDpiY:
        case PdmPhysicalDpiY:
            return m_like.logicalDpiY();
        default:
            return QPaintDevice::metric(what);
        }
    }

private:
    const QWidget &m_like;
    mutable TextEngine m_engine; // the device's engine, which it gives out while it stays the same itself
};

} // namespace

std::vector<PaintedText> paintedTexts(QWidget &widget)
{
    TextDevice device(widget);
    QPainter painter(&device);
    if (const auto *plot = qobject_cast<const PlotCanvas *>(&widget))
        plot->paintPlot(painter, widget.size(), 1);
    else
        widget.render(&painter, {}, {}, {});
    painter.end();
    return device.take();
}

} // namespace remat::studio
