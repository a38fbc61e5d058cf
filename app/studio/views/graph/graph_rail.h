// SPDX-License-Identifier: Apache-2.0
// The rail at the right of the graph: what colours mean, the legend, the overview.
#pragma once

#include "app/studio/views/graph/graph_minimap.h"

#include <QComboBox>
#include <QLabel>

namespace remat::studio {

class GraphRail : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kWidth = 128;

    explicit GraphRail(const GraphScene &scene, QWidget *parent = nullptr);

    GraphMinimap &minimap() { return *m_minimap; }
    QComboBox &colourChoice() { return *m_choice; }

Q_SIGNALS:
    void colourByChanged(remat::studio::ColourBy by);

protected:
    void paintEvent(QPaintEvent *event) override;
    /// A low rail keeps the legend and gives up the overview: what colours mean stands nowhere else.
    void resizeEvent(QResizeEvent *event) override;

private:
    double legendTop() const;
    double legendBottom() const;
    void paintStates(QPainter &painter, double top);
    void paintRamp(QPainter &painter, double top);
    void paintSentence(QPainter &painter, double top, const QString &sentence);

    const GraphScene &m_scene;
    QLabel *m_label;
    QComboBox *m_choice;
    GraphMinimap *m_minimap;
};

} // namespace remat::studio
