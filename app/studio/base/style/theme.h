// SPDX-License-Identifier: Apache-2.0
// Every colour, font and icon of the window comes from here, by token.
#pragma once

#include "core/plan/timeline.h"

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>

namespace remat::studio {

enum class Token {
    Window,
    Panel,
    Plot,
    Raised,
    Sunken,
    Line,
    LineStrong,
    Text,
    Text2,
    Text3,
    Accent,
    OnAccent,
    AccentSoft,
    Focus,
    Error,
    ErrorSoft,
    Warn,
    WarnSoft,
    Ok,
    OkSoft,
    Budget,
    Ghost,
    Bound,
    PlanA,
    PlanB,
    Parameters,
    States,
    Kept,
    Recomputed,
    Gradients,
    ParameterGradients,
    Offloaded,
    Workspace
};
constexpr int kTokenCount = static_cast<int>(Token::Workspace) + 1;

enum class Scheme { Light, Dark, HighContrast };

/// Roles of text; sizes in logical pixels at UI scale 100 %.
enum class FontRole { PageTitle, Figure, SectionTitle, Body, Name, Label, Small, Mono };

/// The one theme of the program. GUI thread only.
class Theme : public QObject
{
    Q_OBJECT
public:
    static Theme &instance();

    Scheme scheme() const { return m_scheme; }
    /// Follow the system (default) or stay with one scheme; emits changed().
    void setScheme(Scheme scheme);
    void followSystem();

    QColor color(Token token) const;
    static QColor color(Token token, Scheme scheme);
    /// The bundled Remat Sans (Inter with tabular digits) or Remat Mono (JetBrains Mono).
    QFont font(FontRole role) const;
    /// Flat colour of a memory category.
    QColor categoryColor(Category category) const;
    /// The token of a memory category.
    static Token categoryToken(Category category);
    /// Colour plus the category's pattern (stripes, dots, hatch), for areas at least 4 px high. The pattern repeats in
    /// logical pixels from the painter's brush origin and is drawn for the given device pixel ratio.
    QBrush categoryBrush(Category category, qreal devicePixelRatio = 1) const;
    /// Diagonal stripes, 6 px apart, of a token's colour on nothing: what is out of bounds, unknown or waited for.
    QBrush hatchBrush(Token token, qreal devicePixelRatio = 1, qreal opacity = 1) const;
    /// A Lucide icon by name (`folder-open`) in a token's colour; it follows later changes of the scheme. An unknown
    /// name gives an icon that draws nothing.
    QIcon icon(const QString &name, Token token = Token::Text2) const;
    /// The icon `size` logical pixels wide. State glyphs on cards use a stroke of 2 to 2.5.
    QPixmap iconPixmap(const QString &name, int size, Token token, qreal devicePixelRatio, qreal stroke = 1.75) const;
    /// Size of a role's text in logical pixels.
    static int fontSize(FontRole role);
    /// Sets style, palette, font and style sheet of the application. Call once after QApplication is made; from then on
    /// the theme follows by itself. The environment variable REMAT_THEME (`light`, `dark`, `contrast`) overrules the
    /// system.
    void apply();

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    Theme();
    static Scheme systemScheme();
    void adopt(Scheme scheme);

    bool m_applied = false;
    bool m_applying = false;
    Scheme m_scheme = Scheme::Light;
    bool m_followsSystem = true;
};

} // namespace remat::studio
