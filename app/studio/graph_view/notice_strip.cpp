#include "app/studio/graph_view/notice_strip.h"

#include "app/studio/style/theme.h"

#include <QHBoxLayout>
#include <QPainter>

namespace remat::studio {

NoticeStrip::NoticeStrip(QWidget *parent)
    : QWidget(parent), m_icon(new QLabel), m_text(new QLabel), m_action(new QPushButton), m_close(new QToolButton)
{
    setFixedHeight(36);
    m_action->setFixedHeight(28);
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(tr("Close"));
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(14, 0, 8, 0);
    row->setSpacing(8);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_action);
    row->addWidget(m_close);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_action, &QPushButton::clicked, this, [this] {
        hide();
        if (m_run) m_run();
    });
    connect(&Theme::instance(), &Theme::changed, this, &NoticeStrip::applyTheme);
    applyTheme();
    hide();
}

void NoticeStrip::applyTheme()
{
    const Theme &theme = Theme::instance();
    m_icon->setPixmap(theme.iconPixmap(QStringLiteral("circle-x"), 15, Token::Error, devicePixelRatioF()));
    m_close->setIcon(theme.icon(QStringLiteral("x")));
    m_text->setFont(theme.font(FontRole::Body));
    QPalette palette = m_text->palette();
    palette.setColor(QPalette::WindowText, theme.color(Token::Error));
    m_text->setPalette(palette);
    update();
}

void NoticeStrip::showNotice(const Notice &notice)
{
    m_text->setText(notice.sentence);
    m_text->setToolTip(notice.sentence);
    m_action->setText(notice.actionText);
    m_action->setVisible(!notice.actionText.isEmpty());
    m_run = notice.action;
    show();
}

void NoticeStrip::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), Theme::instance().color(Token::ErrorSoft));
}

} // namespace remat::studio
