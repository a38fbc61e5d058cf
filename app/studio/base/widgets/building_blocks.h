// SPDX-License-Identifier: Apache-2.0
// Small building blocks that take their look from the theme.
#pragma once

#include "app/studio/base/style/theme.h"

#include <QLabel>
#include <QToolButton>

namespace remat::studio {

/// A text in one of the theme's roles and colours. One line is elided when room is short; wrapped text is not.
class TokenLabel : public QLabel
{
    Q_OBJECT
public:
    TokenLabel(const QString &text, FontRole role, Token token, QWidget *parent = nullptr);
    void setToken(Token token);
    Token token() const { return m_token; }
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void takeColor();
    Token m_token;
};

/// An icon in a token's colour, drawn anew with the theme.
class IconLabel : public QWidget
{
    Q_OBJECT
public:
    IconLabel(const QString &icon, int size, Token token, QWidget *parent = nullptr);
    void setIcon(const QString &icon, Token token);
    QSize sizeHint() const override { return {m_size, m_size}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_icon;
    int m_size;
    Token m_token;
};

/// A rule of 1 px in `line`.
class Rule : public QWidget
{
    Q_OBJECT
public:
    explicit Rule(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

/// How a button is drawn.
enum class ButtonKind { Primary, Plain, Quiet };

/// A button with icon, text and the key beside it, drawn from the theme. Text and key come from its action when it has
/// one.
class StudioButton : public QAbstractButton
{
    Q_OBJECT
public:
    StudioButton(const QString &text, const QString &icon, ButtonKind kind, QWidget *parent = nullptr);
    /// Key shown beside the text, greyed: `Ctrl+R`.
    void setKeyText(const QString &key);
    /// Follows the action: enabled, tooltip, and triggers it.
    void followAction(QAction *action);
    void setMenuArrow(bool arrow);
    void setIconName(const QString &icon);
    /// Content at the left edge, without padding: for what looks like a line of text.
    void setFlush(bool flush);
    /// Where there is too little room its text is elided, or left out down to the icon.
    void setElided(bool elided);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    int contentWidth() const;
    /// The text that there is room for.
    QString shownText() const;
    QString m_icon, m_key;
    ButtonKind m_kind;
    bool m_arrow = false;
    bool m_flush = false;
    bool m_elided = false;
};

/// Draws the theme's focus ring outside of `rect`.
void paintFocusRing(QPainter &painter, const QRectF &rect, qreal radius);

} // namespace remat::studio
