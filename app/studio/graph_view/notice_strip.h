// A strip over the graph that says what went wrong, with the way out.
#pragma once

#include "app/studio/jobs/notice.h"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

namespace remat::studio {

/// 36 high; hidden until show() is called, and again when it is closed.
class NoticeStrip : public QWidget
{
    Q_OBJECT
public:
    explicit NoticeStrip(QWidget *parent = nullptr);

    void showNotice(const Notice &notice);
    QString sentence() const { return m_text->text(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void applyTheme();

    QLabel *m_icon, *m_text;
    QPushButton *m_action;
    QToolButton *m_close;
    std::function<void()> m_run;
};

} // namespace remat::studio
