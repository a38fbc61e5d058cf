// SPDX-License-Identifier: Apache-2.0
// The budget as a slider: from nothing to the keep-all peak, with the part under the floor hatched.
#pragma once

#include <QAbstractSlider>

namespace remat::studio {

/// Value in tenths of a percent of the keep-all peak, 0..1000. Mouse drags emit sliderPressed, sliderMoved and
/// sliderReleased; arrow keys move by 1 %, with Shift by 0.1 %, Home and End go to the floor and to 100 %.
class BudgetSlider : public QAbstractSlider
{
    Q_OBJECT
public:
    explicit BudgetSlider(QWidget *parent = nullptr);

    /// Bytes of the keep-all peak and of the smallest peak any plan can have; both 0 without a model.
    void setScale(std::int64_t keepAllPeakBytes, std::int64_t floorBytes);
    QSize sizeHint() const override { return {200, 46}; }

Q_SIGNALS:
    /// A key changed the value by hand.
    void steppedTo(int value);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    double xOf(double share) const;
    int valueAt(double x) const;
    void paintTicks(QPainter &painter) const;

    std::int64_t m_peakBytes = 0;
    std::int64_t m_floorBytes = 0;
};

} // namespace remat::studio
