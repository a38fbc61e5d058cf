// SPDX-License-Identifier: Apache-2.0
// The header of a view over time: what the view has to say, its own controls, what the axis counts, the ruler.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/segmented_control.h"

#include <QToolButton>

class QHBoxLayout;

namespace remat::studio {

class TimeWindow;

/// Turns measuring by drag on and off. GUI thread only.
class RulerButton : public QToolButton
{
    Q_OBJECT
public:
    explicit RulerButton(QWidget *parent = nullptr);
    void follow(TimeWindow &time);
};

/// 32 high. GUI thread only.
class TimeHeader : public QWidget
{
    Q_OBJECT
public:
    explicit TimeHeader(TimeWindow &time, QWidget *parent = nullptr);

    /// One line; what does not fit is in the tooltip.
    void setSummary(const QString &text);
    QString summary() const { return m_summary->text(); }
    /// Left of what the axis counts.
    void addControl(QWidget *control);
    /// A thin bar along the lower edge while something is being worked on; shown after 200 ms.
    void setBusy(bool busy);
    bool busy() const { return m_busyTimer != 0; }
    SegmentedControl *axisChoice() { return m_axis; }
    RulerButton *ruler() { return m_ruler; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
    TokenLabel *m_summary;
    QHBoxLayout *m_controls;
    SegmentedControl *m_axis;
    RulerButton *m_ruler;
    int m_busyTimer = 0;
    int m_busyTick = 0;
};

} // namespace remat::studio
