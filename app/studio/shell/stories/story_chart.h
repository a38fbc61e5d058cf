// SPDX-License-Identifier: Apache-2.0
// The lines of one frame of a story.
#pragma once

#include "core/teaching/stories/story.h"

#include <QWidget>

namespace remat::studio {

/// Paints a StoryChart; names stand at the ends of the lines, with a colour and a dash each. GUI thread only.
class StoryChartView : public QWidget
{
    Q_OBJECT
public:
    explicit StoryChartView(QWidget *parent = nullptr);

    void setChart(const std::optional<StoryChart> &chart);
    QSize minimumSizeHint() const override { return {300, 200}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::optional<StoryChart> m_chart;
};

} // namespace remat::studio
