// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/style/theme.h"

#include "app/studio/base/style/studio_style.h"
#include "app/studio/base/style/style_sheet.h"
#include "app/studio/base/style/theme_table.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QPalette>
#include <QTimer>

// Resources of a static library have to be asked for, outside any namespace.
static void loadResources()
{
    Q_INIT_RESOURCE(studio);
}

namespace remat::studio {

namespace {

struct FontRow {
    FontRole role;
    int size; ///< whole pixels: Qt 6.4 rounds others when it loads a font
    QFont::Weight weight;
    bool mono;
};

constexpr std::array<FontRow, 8> kFonts{{
    {FontRole::PageTitle, 28, QFont::DemiBold, false},
    {FontRole::Figure, 22, QFont::DemiBold, false},
    {FontRole::SectionTitle, 15, QFont::DemiBold, false},
    {FontRole::Body, 13, QFont::Normal, false},
    {FontRole::Name, 13, QFont::DemiBold, false},
    {FontRole::Label, 12, QFont::Normal, false},
    {FontRole::Small, 11, QFont::Normal, false},
    {FontRole::Mono, 12, QFont::Normal, true},
}};

void loadFonts()
{
    for (const char *file : {"RematSans-Regular.otf", "RematSans-Medium.otf", "RematSans-SemiBold.otf",
                             "RematMono-Regular.ttf", "RematMono-SemiBold.ttf"})
        QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/") + QLatin1String(file));
}

QPalette paletteOf(const Theme &theme)
{
    QPalette palette;
    const auto set = [&](QPalette::ColorRole role, Token token) { palette.setColor(role, theme.color(token)); };
    set(QPalette::Window, Token::Window);
    set(QPalette::WindowText, Token::Text);
    set(QPalette::Base, Token::Panel);
    set(QPalette::AlternateBase, Token::Raised);
    set(QPalette::Text, Token::Text);
    set(QPalette::Button, Token::Panel);
    set(QPalette::ButtonText, Token::Text);
    set(QPalette::BrightText, Token::Error);
    set(QPalette::Highlight, Token::AccentSoft);
    set(QPalette::HighlightedText, Token::Text);
    set(QPalette::Link, Token::Accent);
    set(QPalette::LinkVisited, Token::Accent);
    set(QPalette::ToolTipBase, Token::Raised);
    set(QPalette::ToolTipText, Token::Text);
    set(QPalette::PlaceholderText, Token::Text3);
    set(QPalette::Light, Token::Panel);
    set(QPalette::Midlight, Token::Raised);
    set(QPalette::Mid, Token::Line);
    set(QPalette::Dark, Token::LineStrong);
    set(QPalette::Shadow, Token::LineStrong);
    for (QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
        QColor faded = theme.color(Token::Text);
        faded.setAlphaF(0.4f);
        palette.setColor(QPalette::Disabled, role, faded);
    }
    return palette;
}

} // namespace

Theme &Theme::instance()
{
    static auto *theme = new Theme; // outlives QApplication on purpose: static icons may still ask
    return *theme;
}

Theme::Theme()
{
    loadResources();
    loadFonts();
    m_scheme = systemScheme();
}

Scheme Theme::systemScheme()
{
    const QByteArray wish = qgetenv("REMAT_THEME");
    if (wish == "light") return Scheme::Light;
    if (wish == "dark") return Scheme::Dark;
    if (wish == "contrast") return Scheme::HighContrast;
    // Qt 6.4 does not say which scheme the desktop uses; the system's palette does.
    const QPalette palette = QApplication::palette();
    const QColor window = palette.color(QPalette::Window), text = palette.color(QPalette::WindowText);
    if (window.lightness() == 0 && text.lightness() == 255) return Scheme::HighContrast;
    return window.lightness() < 128 ? Scheme::Dark : Scheme::Light;
}

void Theme::setScheme(Scheme scheme)
{
    m_followsSystem = false;
    adopt(scheme);
}

void Theme::followSystem()
{
    m_followsSystem = true;
    if (m_applied) {
        m_applying = true;
        QApplication::setPalette(QPalette()); // the system's own shows through again
        m_applying = false;
    }
    const Scheme scheme = systemScheme();
    if (scheme != m_scheme)
        adopt(scheme);
    else if (m_applied)
        apply();
}

void Theme::adopt(Scheme scheme)
{
    if (scheme == m_scheme) return;
    m_scheme = scheme;
    if (m_applied) apply();
    Q_EMIT changed();
}

void Theme::apply()
{
    m_applying = true;
    if (!m_applied) {
        QApplication::setStyle(new StudioStyle);
        qApp->installEventFilter(this);
        m_applied = true;
    }
    QApplication::setPalette(paletteOf(*this));
    QApplication::setFont(font(FontRole::Body));
    qApp->setStyleSheet(styleSheet(m_scheme));
    m_applying = false;
}

bool Theme::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ThemeChange && m_followsSystem && !m_applying) {
        // Looked at once for all windows, when the change is through.
        m_applying = true;
        QTimer::singleShot(0, this, [this] {
            m_applying = false;
            if (m_followsSystem) followSystem();
        });
    }
    return QObject::eventFilter(watched, event);
}

QColor Theme::color(Token token, Scheme scheme)
{
    const TokenRow &row = kThemeTable[static_cast<std::size_t>(token)];
    return QColor::fromRgb(scheme == Scheme::Light ? row.light : scheme == Scheme::Dark ? row.dark : row.highContrast);
}

QColor Theme::color(Token token) const
{
    return color(token, m_scheme);
}

int Theme::fontSize(FontRole role)
{
    return kFonts[static_cast<std::size_t>(role)].size;
}

QFont Theme::font(FontRole role) const
{
    const FontRow &row = kFonts[static_cast<std::size_t>(role)];
    QFont font(row.mono ? QStringLiteral("Remat Mono") : QStringLiteral("Remat Sans"));
    font.setPixelSize(row.size);
    font.setWeight(row.weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleHint(row.mono ? QFont::Monospace : QFont::SansSerif);
    return font;
}

Token Theme::categoryToken(Category category)
{
    switch (category) {
    case Category::Weights:
        return Token::Parameters;
    case Category::States:
        return Token::States;
    case Category::ParameterGradients:
        return Token::ParameterGradients;
    case Category::KeptActivations:
        return Token::Kept;
    case Category::Offloaded:
        return Token::Offloaded;
    case Category::Gradients:
        return Token::Gradients;
    case Category::RecomputedActivations:
        return Token::Recomputed;
    case Category::Workspace:
        break;
    }
    return Token::Workspace;
}

QColor Theme::categoryColor(Category category) const
{
    return color(categoryToken(category));
}

} // namespace remat::studio
