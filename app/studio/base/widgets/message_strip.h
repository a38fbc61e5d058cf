// SPDX-License-Identifier: Apache-2.0
// A sentence across the top of the window, with its way out and a close button.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/notice.h"

#include <QWidget>

namespace remat::studio {

/// Icon and colours of a kind of notice.
struct NoticeLook {
    const char *icon; ///< Lucide name
    Token ink, ground;
};
NoticeLook lookOf(Notice::Kind kind);

/// 36 high; content below stays. Hidden until there is something to say.
class MessageStrip : public QWidget
{
    Q_OBJECT
public:
    explicit MessageStrip(QWidget *parent = nullptr);
    virtual void say(const Notice &notice);
    virtual void clear();
    QString sentence() const { return m_text->text(); }

protected:
    TokenLabel *text() const { return m_text; }
    const Notice &notice() const { return m_notice; }
    void paintEvent(QPaintEvent *event) override;

private:
    Notice m_notice;
    IconLabel *m_icon;
    TokenLabel *m_text;
    StudioButton *m_action;
    StudioButton *m_close;
};

} // namespace remat::studio
