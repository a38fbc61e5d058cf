// SPDX-License-Identifier: Apache-2.0
// What a view shows when it has nothing to show: an icon, one sentence, one button.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace remat::studio {

/// Stands centred in its parent. GUI thread only.
class EmptyState : public QWidget
{
    Q_OBJECT
public:
    explicit EmptyState(QWidget *parent = nullptr);
    /// Without a button when `button` is empty.
    void say(const QString &icon, const QString &sentence, const QString &button);

Q_SIGNALS:
    void clicked();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void takeTheme();

    QString m_iconName;
    QLabel *m_icon, *m_sentence;
    QPushButton *m_button;
};

} // namespace remat::studio
