// SPDX-License-Identifier: Apache-2.0
// How a solve closed in: overhead of the best plan from above, the proven bound from below.
#pragma once

#include "app/studio/work/jobs/solve_runner.h"

#include <QWidget>

namespace remat::studio {

/// 92 high. Never moves data: each frame shows the newest samples as they are.
class StepChart : public QWidget
{
    Q_OBJECT
public:
    explicit StepChart(QWidget *parent = nullptr);
    /// `seconds` is the right end of the time axis.
    void setSamples(const std::vector<SolveSample> &samples, double keepAllTimeUs, double seconds);
    QSize sizeHint() const override { return {299, 92}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Line {
        std::vector<QPointF> points; ///< seconds, overhead
        double last() const { return points.back().y(); }
    };
    Line line(double SolveSample::*value) const;
    void paintLine(QPainter &painter, const Line &line, bool hatched, const QRectF &plot, double low,
                   double high) const;

    std::vector<SolveSample> m_samples;
    double m_keepAllTimeUs = 0;
    double m_seconds = 0;
};

} // namespace remat::studio
