// SPDX-License-Identifier: Apache-2.0
// A message that lies over the content and moves nothing.
#pragma once

#include "app/studio/base/widgets/message_strip.h"

#include <QTimer>

namespace remat::studio {

/// At the lower edge of its parent, as wide as its sentence up to a limit, wrapped and never cut. What went well and
/// asks for nothing ends by itself after a while without the mouse over it; all else stays until it is closed.
class Toast : public MessageStrip
{
    Q_OBJECT
public:
    explicit Toast(QWidget *parent);
    void say(const Notice &notice) override;
    void clear() override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void place();

    QTimer m_end;
    bool m_endsItself = false;
};

} // namespace remat::studio
