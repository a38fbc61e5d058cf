// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/start_page/start_rows.h"

#include "app/studio/base/style/shown_focus.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"

#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kRowRadius = 10;
constexpr int kRowIcon = 15;
constexpr int kHelpRow = 54, kHelpLine = 18; ///< with one line of text
constexpr int kHelpLeft = 32, kHelpRight = kRowIcon + 8, kRowSides = 32;

void drawElided(QPainter &painter, const QRect &rect, const QString &text, Qt::Alignment alignment = Qt::AlignLeft)
{
    painter.drawText(rect, static_cast<int>(alignment | Qt::AlignVCenter) | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, rect.width()));
}

/// The folder a person would name: without the home folder before it.
QString folderText(const QString &path)
{
    const QString folder = QFileInfo(path).absolutePath();
    const QString home = QDir::homePath();
    if (folder == home) return QStringLiteral("~");
    return folder.startsWith(home + QLatin1Char('/')) ? QStringLiteral("~") + folder.mid(home.size()) : folder;
}

} // namespace

CardFrame::CardFrame(QWidget *parent) : QWidget(parent)
{
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void CardFrame::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Theme::instance().color(Token::Panel));
    painter.setPen(QPen(Theme::instance().color(Token::Line), 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRowRadius, kRowRadius);
}

CardScroll::CardScroll(QWidget *parent) : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // its rows take the keyboard
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *frame = new CardFrame(this);
    m_rows = new QVBoxLayout(frame);
    m_rows->setContentsMargins(1, 1, 1, 1);
    m_rows->setSpacing(0);
    m_rows->addStretch(1);
    setWidget(frame);
}

void CardScroll::add(QWidget *row)
{
    m_rows->insertWidget(m_rows->count() - 1, row);
}

QVBoxLayout *beginListWindow(QWidget *window, const QString &title, const QString &about)
{
    auto *column = new QVBoxLayout(window);
    column->setContentsMargins(20, 18, 20, 18);
    column->setSpacing(4);
    column->addWidget(new TokenLabel(title, FontRole::PageTitle, Token::Text, window));
    auto *sentence = new TokenLabel(about, FontRole::Body, Token::Text2, window);
    sentence->setWordWrap(true);
    column->addWidget(sentence);
    column->addSpacing(10);
    return column;
}

DropZone::DropZone(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(92);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void DropZone::setDragging(bool dragging)
{
    m_dragging = dragging;
    update();
}

void DropZone::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(theme.color(m_dragging ? Token::AccentSoft : Token::Panel));
    QPen pen(theme.color(m_dragging ? Token::Accent : Token::LineStrong), m_dragging ? 2 : 1);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRowRadius, kRowRadius);
}

CardRow::CardRow(int height, bool first, QWidget *parent) : QAbstractButton(parent), m_first(first)
{
    setProperty(kOwnRing, true);
    setFixedHeight(height);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void CardRow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void CardRow::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_first) painter.fillRect(0, 0, width(), 1, theme.color(Token::Line));
    if (underMouse() || isDown()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(isDown() ? Token::Sunken : Token::Raised));
        painter.drawRoundedRect(rect().adjusted(3, 3, -3, -3), 6, 6);
    }
    paintContent(painter, rect().adjusted(16, 0, -16, 0));
    if (hasFocus()) paintFocusRing(painter, QRectF(rect()).adjusted(3, 3, -3, -3), 6);
}

RecentRow::RecentRow(const RecentFile &file, int number, bool first, QWidget *parent)
    : CardRow(42, first, parent), m_file(file), m_number(number)
{
    setObjectName(QStringLiteral("recent.%1").arg(number));
    setAccessibleName(tr("Open %1").arg(QFileInfo(file.path).fileName()));
    setToolTip(file.path);
}

void RecentRow::paintContent(QPainter &painter, const QRect &area)
{
    const Theme &theme = Theme::instance();
    const bool isJson = m_file.path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    painter.drawPixmap(area.left(), area.center().y() - kRowIcon / 2,
                       theme.iconPixmap(isJson ? QStringLiteral("network") : QStringLiteral("box"), kRowIcon,
                                        Token::Text3, devicePixelRatioF()));
    const int keyWidth = 46;
    const int dateWidth = 104;
    const int rest = area.width() - keyWidth - dateWidth - 26 - 24;
    const int nameWidth = rest * 27 / 100;
    const int folderWidth = rest * 35 / 100;
    int x = area.left() + 26;
    const auto cell = [&](int width, const QString &text, FontRole role, Token token, Qt::Alignment alignment) {
        painter.setFont(theme.font(role));
        painter.setPen(theme.color(token));
        drawElided(painter, QRect(x, area.top(), width - 12, area.height()), text, alignment);
        x += width;
    };
    cell(nameWidth, QFileInfo(m_file.path).fileName(), FontRole::Name, Token::Text, Qt::AlignLeft);
    cell(folderWidth, folderText(m_file.path), FontRole::Body, Token::Text2, Qt::AlignLeft);
    cell(rest - nameWidth - folderWidth,
         m_file.ops > 0 ? tr("%1 ops, peak %2").arg(countText(m_file.ops), memoryText(m_file.peakBytes)) : QString(),
         FontRole::Body, Token::Text2, Qt::AlignLeft);
    x = area.right() - keyWidth - dateWidth - 12;
    cell(dateWidth + 12, dayText(m_file.opened, QDateTime::currentDateTime()), FontRole::Body, Token::Text3,
         Qt::AlignRight);
    const QRectF key(area.right() - keyWidth + 0.5, area.center().y() - 8.5, keyWidth, 18);
    painter.setBrush(theme.color(Token::Raised));
    painter.setPen(QPen(theme.color(Token::Line), 1));
    painter.drawRoundedRect(key, 4, 4);
    painter.setFont(theme.font(FontRole::Small));
    painter.setPen(theme.color(Token::Text3));
    painter.drawText(key, Qt::AlignCenter, tr("Ctrl+%1").arg(m_number));
}

HelpRow::HelpRow(const QString &icon, const QString &title, const QString &text, bool first, QWidget *parent)
    : CardRow(kHelpRow, first, parent), m_icon(icon), m_text(text)
{
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(text);
    setToolTip(text);
}

void HelpRow::paintContent(QPainter &painter, const QRect &area)
{
    const Theme &theme = Theme::instance();
    painter.drawPixmap(area.left(), area.center().y() - 8,
                       theme.iconPixmap(m_icon, 18, Token::Accent, devicePixelRatioF()));
    painter.drawPixmap(area.right() - kRowIcon, area.center().y() - kRowIcon / 2,
                       theme.iconPixmap(QStringLiteral("chevron-right"), kRowIcon, Token::Text2, devicePixelRatioF()));
    const int left = area.left() + kHelpLeft;
    const int room = area.width() - kHelpLeft - kHelpRight;
    painter.setFont(theme.font(FontRole::Name));
    painter.setPen(theme.color(Token::Text));
    drawElided(painter, QRect(left, area.top() + 8, room, 18), this->text());
    painter.setFont(theme.font(FontRole::Label));
    painter.setPen(theme.color(Token::Text2));
    painter.drawText(QRect(left, area.top() + 27, room, height() - 27), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     m_text);
}

void HelpRow::resizeEvent(QResizeEvent *event)
{
    CardRow::resizeEvent(event);
    const QFontMetrics metrics(Theme::instance().font(FontRole::Label));
    const int room = std::max(width() - kRowSides - kHelpLeft - kHelpRight, 1);
    const int tall = metrics.boundingRect(0, 0, room, QWIDGETSIZE_MAX, Qt::TextWordWrap, m_text).height();
    setFixedHeight(kHelpRow + std::max(0, tall / metrics.lineSpacing() - 1) * kHelpLine);
}

} // namespace remat::studio
