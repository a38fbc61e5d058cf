// SPDX-License-Identifier: Apache-2.0
// What a style sheet cannot draw: glyphs in the theme's colours, and the focus ring.
#pragma once

#include <QFocusFrame>
#include <QPointer>
#include <QProxyStyle>

namespace remat::studio {

/// Fusion with our combo boxes, check boxes, radio buttons, branches and focus ring. GUI thread only.
class StudioStyle : public QProxyStyle
{
    Q_OBJECT
public:
    StudioStyle();

    using QProxyStyle::polish;
    /// Labels show their text as it is written, unless they ask for HTML themselves: names come from files.
    void polish(QWidget *widget) override;

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                         const QWidget *widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                           const QWidget *widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    QIcon standardIcon(StandardPixmap which, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *result) const override;

private:
    void moveFocusRing(QWidget *now);

    QPointer<QFocusFrame> m_ring;
};

} // namespace remat::studio
