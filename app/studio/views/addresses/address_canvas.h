// SPDX-License-Identifier: Apache-2.0
// The address map, painted: offset up, time right, one rectangle per storage instance.
#pragma once

#include "app/studio/base/text/op_labels.h"
#include "app/studio/views/shared/time_plot.h"
#include "core/views/address_map.h"
#include "core/views/sample_axis.h"

namespace remat::studio {

/// A map with the timeline it was made for, since a newer plan may be shown before its map is there.
struct AddressScene {
    std::shared_ptr<const CostedModel> model;
    std::shared_ptr<const MemoryTimeline> timeline;
    std::shared_ptr<const AddressMap> map;
    bool current = true; ///< belongs to the current plan; else greyed
};

/// GUI thread only.
class AddressCanvas : public TimePlot
{
    Q_OBJECT
public:
    explicit AddressCanvas(Document *document, QWidget *parent = nullptr);

    void setScene(const AddressScene &scene);
    const AddressScene &scene() const { return m_scene; }
    /// While a replay moves the cursor the mouse does not.
    void setReplaying(bool replaying) { m_replaying = replaying; }
    TimeArea areaAt(QSizeF size) const override;
    /// Offsets to pixels.
    Scale offsets(QSizeF size) const;
    /// The block at a position, -1 for none.
    int blockAt(const QPointF &position) const;
    /// Where a block is painted now; empty when out of sight.
    QRectF blockRect(std::size_t block) const;
    QString nameOf(const AddressBlock &block) const;

Q_SIGNALS:
    void replayToggled(); ///< Space

protected:
    void rebuild() const override;
    void paintBase(QPainter &painter, QSizeF size, double ratio) const override;
    void paintMarks(QPainter &painter, QSizeF size, double ratio) const override;
    Selection selectionAt(const QPointF &position) const override;
    QString markTooltip(const QPointF &position) const override;
    bool cursorFollowsMouse() const override { return !m_replaying; }
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Extent {
        double from = 0, to = 0;
    };
    Extent extentOf(const AddressBlock &block) const;
    QRectF rectOf(const AddressBlock &block, const TimeArea &area, const Scale &y) const;
    void paintBlocks(QPainter &painter, const TimeArea &area, const Scale &y, double ratio) const;
    void paintOutlines(QPainter &painter, const TimeArea &area, const Scale &y, const Selection &selection,
                       const QPen &pen) const;
    /// Around all that a module makes, while one is selected as a whole.
    void paintModule(QPainter &painter, const TimeArea &area, const Scale &y) const;
    void paintColumn(QPainter &painter, const TimeArea &area, const Scale &y, QSizeF size, double ratio) const;
    void paintMinimap(QPainter &painter, const TimeArea &area, double ratio) const;
    void describe();

    AddressScene m_scene;
    mutable SampleAxis m_axis; ///< axis of the scene's own timeline
    OpLabels m_labels;
    std::shared_ptr<const CostedModel> m_labelsOf;
    bool m_replaying = false;
};

} // namespace remat::studio
