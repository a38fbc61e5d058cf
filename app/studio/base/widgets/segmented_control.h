// SPDX-License-Identifier: Apache-2.0
// A choice between a few words in one trough: Time | Steps, Plan | Compare | Learn.
#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

namespace remat::studio {

/// Exclusive choice; arrow keys move it. GUI thread only.
class SegmentedControl : public QWidget
{
    Q_OBJECT
public:
    explicit SegmentedControl(const QStringList &labels, QWidget *parent = nullptr);

    /// Lucide names, one before each label.
    void setIcons(const QStringList &icons);
    /// Icons without labels, where there are icons: for narrow windows.
    void setCompact(bool compact);
    const QStringList &labels() const { return m_labels; }
    int current() const { return m_current; }
    /// Emits currentChanged() when it is another one.
    void setCurrent(int index);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void currentChanged(int index);
    /// The mouse chose what is chosen already.
    void chosenAgain();
    /// The mouse or a key chose, after the signals above.
    void picked(int index);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    QRect segment(int index) const;

    int widthOf(int index) const;

    QStringList m_labels, m_icons;
    int m_current = 0;
    bool m_compact = false;
    bool m_focusShown = false; ///< keys brought the focus here
};

} // namespace remat::studio
