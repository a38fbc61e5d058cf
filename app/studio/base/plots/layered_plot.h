// SPDX-License-Identifier: Apache-2.0
// Base of plots of two layers: a base that is kept as a picture, and what follows the mouse over it.
#pragma once

#include "app/studio/base/plots/plot_canvas.h"

#include <QPixmap>

namespace remat::studio {

/// Takes keys and the mouse without a button. GUI thread only.
class LayeredPlot : public PlotCanvas
{
    Q_OBJECT
public:
    explicit LayeredPlot(QWidget *parent = nullptr);

    void paintPlot(QPainter &painter, const QSizeF &size, double devicePixelRatio) const final;

protected:
    /// What changes with data, visible part and size only.
    virtual void paintBase(QPainter &painter, QSizeF size, double ratio) const = 0;
    /// What follows mouse, selection and cursor.
    virtual void paintOverlay(QPainter &painter, QSizeF size, double ratio) const = 0;
    /// On the widget only, while keys have brought the focus here.
    virtual void paintFocus(QPainter &painter) const;
    /// Called before anything is painted: what is stale is made anew here.
    virtual void ensure() const {}
    /// The base is painted anew when it is seen next.
    void spoilBase() { m_baseStale = true; }
    /// The same, and soon.
    void refresh();
    /// Keys brought the focus here.
    bool focusIsShown() const { return m_focusShown; }

    void paintEvent(QPaintEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    QPixmap m_base;
    bool m_baseStale = true;
    bool m_focusShown = false;
};

} // namespace remat::studio
