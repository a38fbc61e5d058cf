// SPDX-License-Identifier: Apache-2.0
// Bytes by module at the cursor, or at the peak while there is no cursor, as an icicle from left to right.
#pragma once

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/work/document/document.h"
#include "core/views/icicle.h"

namespace remat::studio {

/// GUI thread only.
class IcicleCanvas : public PlotCanvas
{
    Q_OBJECT
public:
    explicit IcicleCanvas(Document *document, QWidget *parent = nullptr);

    void paintPlot(QPainter &painter, const QSizeF &size, double devicePixelRatio) const override;
    /// The moment that it shows.
    std::size_t sample() const;
    const std::vector<IcicleCell> &cells() const;
    QRectF boxOf(const IcicleCell &cell, QSizeF size) const;
    QSize minimumSizeHint() const override { return {160, 80}; }

Q_SIGNALS:
    /// A module was clicked; the root for all of them.
    void chosen(remat::ClusterId cluster);

protected:
    QString tooltipAt(const QPointF &position) const override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    void spoil();
    const IcicleCell *cellAt(const QPointF &position) const;

    Document *m_document;
    mutable bool m_stale = true;
    mutable std::size_t m_shown = 0; ///< sample that the cells are of
    mutable std::vector<IcicleCell> m_cells;
    mutable int m_levels = 1;
};

} // namespace remat::studio
