// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/style/studio_style.h"

#include "app/studio/base/style/shown_focus.h"
#include "app/studio/base/style/theme.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>
#include <map>

namespace remat::studio {

namespace {

QColor tone(Token token, bool enabled = true)
{
    QColor color = Theme::instance().color(token);
    if (!enabled) color.setAlphaF(0.4f);
    return color;
}

/// An icon `size` wide in the middle of a rectangle.
void drawIcon(QPainter *painter, const QRect &rect, const char *name, int size, Token token, bool enabled, qreal stroke)
{
    const QPixmap pixmap =
        Theme::instance().iconPixmap(QLatin1String(name), size, token, painter->device()->devicePixelRatioF(), stroke);
    painter->save();
    if (!enabled) painter->setOpacity(0.4);
    painter->drawPixmap(QPointF(rect.x() + (rect.width() - size) / 2.0, rect.y() + (rect.height() - size) / 2.0),
                        pixmap);
    painter->restore();
}

void drawBox(QPainter *painter, const QRect &rect, qreal radius, const QColor &border, const QColor &fill)
{
    painter->setPen(border);
    painter->setBrush(fill);
    painter->drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

void drawCheckBox(QPainter *painter, const QStyleOption &option)
{
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool on = option.state & (QStyle::State_On | QStyle::State_NoChange);
    drawBox(painter, option.rect, 4, tone(on ? Token::Accent : Token::LineStrong, enabled),
            on ? tone(Token::Accent, enabled) : tone(Token::Panel));
    if (on)
        drawIcon(painter, option.rect, option.state & QStyle::State_On ? "check" : "minus", option.rect.width() - 4,
                 Token::OnAccent, enabled, 3);
}

void drawRadioButton(QPainter *painter, const QStyleOption &option)
{
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool on = option.state & QStyle::State_On;
    drawBox(painter, option.rect, option.rect.width() / 2.0, tone(on ? Token::Accent : Token::LineStrong, enabled),
            on ? tone(Token::Accent, enabled) : tone(Token::Panel));
    if (!on) return;
    painter->setPen(Qt::NoPen);
    painter->setBrush(tone(Token::OnAccent, enabled));
    painter->drawEllipse(QRectF(option.rect).center(), 3, 3);
}

/// The ring shows where keys go; lists and canvases show that themselves.
bool wantsRing(const QWidget *widget)
{
    if (widget->property(kOwnRing).toBool()) return false;
    return qobject_cast<const QAbstractButton *>(widget) || qobject_cast<const QComboBox *>(widget) ||
           qobject_cast<const QAbstractSlider *>(widget);
}

} // namespace

StudioStyle::StudioStyle() : QProxyStyle(QStringLiteral("Fusion"))
{
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) { moveFocusRing(now); });
}

void StudioStyle::moveFocusRing(QWidget *now)
{
    const bool wanted = now && wantsRing(now) && now->window()->testAttribute(Qt::WA_KeyboardFocusChange);
    if (!m_ring && wanted) m_ring = new QFocusFrame;
    if (m_ring) m_ring->setWidget(wanted ? now : nullptr);
}

void StudioStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (widget->property("surface").isValid()) widget->setAttribute(Qt::WA_StyledBackground);
    auto *label = qobject_cast<QLabel *>(widget);
    // A tooltip is a label too; what has made its text has escaped what is not its own.
    if (label && label->textFormat() == Qt::AutoText && !label->inherits("QTipLabel"))
        label->setTextFormat(Qt::PlainText);
}

void StudioStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                const QWidget *widget) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    switch (element) {
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        drawCheckBox(painter, *option);
        break;
    case PE_IndicatorRadioButton:
        drawRadioButton(painter, *option);
        break;
    case PE_FrameFocusRect:
        break; // the ring says it
    case PE_IndicatorBranch:
        if (option->state & State_Children)
            drawIcon(painter, option->rect, option->state & State_Open ? "chevron-down" : "chevron-right", 13,
                     Token::Text2, option->state & State_Enabled, 2);
        break;
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowRight:
    case PE_IndicatorArrowLeft:
        drawIcon(painter, option->rect,
                 element == PE_IndicatorArrowDown    ? "chevron-down"
                 : element == PE_IndicatorArrowUp    ? "chevron-up"
                 : element == PE_IndicatorArrowRight ? "chevron-right"
                                                     : "chevron-left",
                 13, Token::Text2, option->state & State_Enabled, 2);
        break;
    default:
        painter->restore();
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        return;
    }
    painter->restore();
}

void StudioStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                              const QWidget *widget) const
{
    if (element != CE_FocusFrame) {
        QProxyStyle::drawControl(element, option, painter, widget);
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(tone(Token::Focus), 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(1, 1, -1, -1), 8, 8);
    painter->restore();
}

void StudioStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                                     const QWidget *widget) const
{
    const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option);
    if (control != CC_ComboBox || !combo) {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        return;
    }
    const bool enabled = combo->state & State_Enabled;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const Token border = !enabled ? Token::Line : combo->state & State_On ? Token::Accent : Token::LineStrong;
    drawBox(painter, combo->rect, 6, tone(border),
            tone(enabled && (combo->state & State_MouseOver) ? Token::Raised : Token::Panel));
    painter->restore();
    const QRect arrow(combo->rect.right() - 26, combo->rect.y(), 20, combo->rect.height());
    drawIcon(painter, arrow, "chevron-down", 15, Token::Text2, enabled, 1.75);
}

QRect StudioStyle::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                                  const QWidget *widget) const
{
    // The text of a combo box starts where that of a field does.
    if (control == CC_ComboBox && part == SC_ComboBoxEditField) return option->rect.adjusted(7, 1, -28, -1);
    return QProxyStyle::subControlRect(control, option, part, widget);
}

QSize StudioStyle::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                                    const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_ComboBox) result.setHeight(30);
    if (type == CT_ItemViewItem) result.setHeight(std::max(result.height(), 24));
    return result;
}

int StudioStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_ToolBarIconSize:
        return 18;
    case PM_ButtonIconSize:
    case PM_SmallIconSize:
    case PM_ListViewIconSize:
        return 15;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 16;
    case PM_FocusFrameHMargin:
    case PM_FocusFrameVMargin:
        return 3; // 2 wide, 1 off
    case PM_TreeViewIndentation:
        return 16;
    case PM_DockWidgetFrameWidth:
    case PM_SplitterWidth:
        return 1;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

QIcon StudioStyle::standardIcon(StandardPixmap which, const QStyleOption *option, const QWidget *widget) const
{
    // What Qt's file dialog shows, where the desktop brings none of its own.
    static const std::map<StandardPixmap, QString> icons = {{SP_ArrowBack, QStringLiteral("chevron-left")},
                                                            {SP_ArrowForward, QStringLiteral("chevron-right")},
                                                            {SP_FileDialogToParent, QStringLiteral("arrow-up")},
                                                            {SP_FileDialogNewFolder, QStringLiteral("plus")},
                                                            {SP_FileDialogListView, QStringLiteral("layout-dashboard")},
                                                            {SP_FileDialogDetailedView, QStringLiteral("table-2")},
                                                            {SP_DirIcon, QStringLiteral("folder-open")},
                                                            {SP_DirClosedIcon, QStringLiteral("folder-open")},
                                                            {SP_DirOpenIcon, QStringLiteral("folder-open")},
                                                            {SP_DirHomeIcon, QStringLiteral("folder-open")},
                                                            {SP_FileIcon, QStringLiteral("file-text")},
                                                            {SP_ComputerIcon, QStringLiteral("monitor")},
                                                            {SP_DriveHDIcon, QStringLiteral("memory-stick")}};
    const auto known = icons.find(which);
    return known == icons.end() ? QProxyStyle::standardIcon(which, option, widget)
                                : Theme::instance().icon(known->second, Token::Text2);
}

int StudioStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                           QStyleHintReturn *result) const
{
    switch (hint) {
    case SH_ToolTip_WakeUpDelay:
        return 400;
    case SH_Slider_AbsoluteSetButtons:
        return Qt::LeftButton; // a click goes where it is
    case SH_ComboBox_Popup:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, result);
    }
}

} // namespace remat::studio
