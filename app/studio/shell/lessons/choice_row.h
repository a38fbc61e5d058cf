// SPDX-License-Identifier: Apache-2.0
// A choice of a question: a letter, a text that wraps, and whether it was right.
#pragma once

#include <QAbstractButton>

namespace remat::studio {

/// GUI thread only. Space, Enter and the mouse choose it.
class ChoiceRow : public QAbstractButton
{
    Q_OBJECT
public:
    enum class Look { Open, Right, Wrong, Other };

    ChoiceRow(int number, const QString &text, QWidget *parent = nullptr);
    /// How it is drawn, and what a screen reader says of it.
    void setLook(Look look);
    Look look() const { return m_look; }

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    int m_number;
    Look m_look = Look::Open;
};

} // namespace remat::studio
