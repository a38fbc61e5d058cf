// SPDX-License-Identifier: Apache-2.0
// What looks like a field in the middle of the tool bar and opens the palette.
#pragma once

#include <QAbstractButton>

namespace remat::studio {

/// 336 wide, 280 in a narrow window, what is left in a tight one. GUI thread only.
class SearchField : public QAbstractButton
{
    Q_OBJECT
public:
    static constexpr int kWide = 336, kNarrow = 280, kLeast = 40, kHeight = 32;
    static constexpr int kNarrowWindow = 1400;

    /// `key` is shown at the right end.
    SearchField(const QString &key, QWidget *parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {kLeast, kHeight}; }

Q_SIGNALS:
    /// It was clicked, or a letter was typed on it.
    void opened(const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void takeRoom();
    QString m_key;
};

} // namespace remat::studio
