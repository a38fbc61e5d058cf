// SPDX-License-Identifier: Apache-2.0
// A frame that leads the eye to a part of the window.
#pragma once

#include <QWidget>

namespace remat::studio {

/// Stands around all of `place` and above it for some seconds, and then deletes itself. It takes no clicks. GUI thread
/// only.
class LitFrame : public QWidget
{
    Q_OBJECT
public:
    explicit LitFrame(QWidget *place);

    bool eventFilter(QObject *watched, QEvent *event) override;

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace remat::studio
