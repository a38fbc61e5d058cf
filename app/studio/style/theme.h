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
    /// Bundled Inter with tabular digits, or JetBrains Mono.
    QFont font(FontRole role) const;
    /// Flat colour of a memory category.
    QColor categoryColor(Category category) const;
    /// Colour plus the category's pattern (stripes, dots, hatch), for areas at least 4 px high.
    QBrush categoryBrush(Category category) const;
    /// A Lucide icon by name (`folder-open`) in a token's colour.
    QIcon icon(const QString &name, Token token = Token::Text2) const;
    QPixmap iconPixmap(const QString &name, int size, Token token, qreal devicePixelRatio) const;
    /// Sets palette and style sheet of the application.
    void apply();

Q_SIGNALS:
    void changed();

private:
    Theme();
    Scheme m_scheme = Scheme::Light;
    bool m_followsSystem = true;
};

} // namespace remat::studio
