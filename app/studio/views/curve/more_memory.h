// SPDX-License-Identifier: Apache-2.0
// "What one more GiB buys": the best overhead found at the budget and some steps above it, and on which devices it
// fits.
#pragma once

#include "app/studio/views/curve/curve_scene.h"

#include <QWidget>

namespace remat::studio {

/// One row of the card.
struct MemoryStep {
    std::int64_t budgetBytes = 0;
    std::optional<double> overhead; ///< overhead of the best plan found within it
    std::optional<double> change;   ///< against the row above
};

/// At most five rows, memoryStepBytes() apart; ends at the keep-all peak.
std::vector<MemoryStep> memorySteps(const CurveScene &scene);

/// The card, 240 wide. GUI thread only.
class MoreMemory : public QWidget
{
    Q_OBJECT
public:
    explicit MoreMemory(QWidget *parent = nullptr);
    void setScene(const CurveScene &scene);
    const std::vector<MemoryStep> &steps() const { return m_steps; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void paintSteps(QPainter &painter, double &y) const;
    void paintDevices(QPainter &painter, double &y) const;

    CurveScene m_scene;
    std::vector<MemoryStep> m_steps;
};

} // namespace remat::studio
