// SPDX-License-Identifier: Apache-2.0
// What stands in for the left dock where the window is too narrow for it: one icon for each part.
#pragma once

#include <QList>
#include <QWidget>

class QAbstractButton;

namespace remat::studio {

/// 40 wide. GUI thread only.
class IconRail : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kWidth = 40;
    enum class Part { Modules, Partition, Plans };

    explicit IconRail(QWidget *parent = nullptr);
    QAbstractButton *button(Part part) const { return m_buttons[static_cast<qsizetype>(part)]; }

Q_SIGNALS:
    void chosen(remat::studio::IconRail::Part part);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QList<QAbstractButton *> m_buttons;
};

} // namespace remat::studio
