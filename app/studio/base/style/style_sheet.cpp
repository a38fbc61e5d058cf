// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/style/style_sheet.h"

#include "app/studio/base/style/theme_table.h"
#include "core/base/expected.h"

#include <QHash>
#include <QRegularExpression>

namespace remat::studio {

namespace {

const char *const kSheet = R"(
QMainWindow, QDialog { background: @window; }
QWidget[surface="panel"] { background: @panel; }
QWidget[surface="window"] { background: @window; }
QWidget[surface="raised"] { background: @raised; }
QFrame[card="true"] { background: @panel; border: 1px solid @line; border-radius: 8px; }

QLabel[tone="text2"] { color: @text2; }
QLabel[tone="text3"] { color: @text3; }
QLabel[tone="error"] { color: @error; }
QLabel[tone="warn"] { color: @warn; }
QLabel[tone="ok"] { color: @ok; }
QLabel[tone="accent"] { color: @accent; }

QPushButton { background: @panel; color: @text; border: 1px solid @lineStrong; border-radius: 6px; min-height: 30px;
    padding: 0 14px; font-weight: 500; }
QPushButton[compact="true"] { min-height: 26px; padding: 0 10px; }
QPushButton[large="true"] { min-height: 34px; padding: 0 18px; font-weight: 600; }
QPushButton:hover { background: @sunken; }
QPushButton:pressed, QPushButton:checked { background: @accentSoft; border-color: @accent; }
QPushButton:disabled { color: @text~40; border-color: @line; background: @panel; }
QPushButton:flat { border-color: transparent; background: transparent; }
QPushButton:flat:hover { background: @sunken; }
QPushButton[primary="true"] { background: @accent; color: @onAccent; border-color: @accent; font-weight: 600; }
QPushButton[primary="true"]:hover { background: @accent~88; }
QPushButton[primary="true"]:pressed { background: @accent~76; }
QPushButton[primary="true"]:disabled { background: @sunken; color: @text~40; border-color: @line; }

QToolButton { background: transparent; color: @text2; border: 1px solid transparent; border-radius: 6px; padding: 6px; }
QToolButton:hover { background: @sunken; border-color: @sunken; }
QToolButton:pressed { background: @line; }
QToolButton:checked { background: @accentSoft; color: @accent; }
QToolButton:disabled { color: @text~40; background: transparent; }
QToolButton::menu-indicator { image: none; width: 0; }
QToolButton[chip="true"] { background: @panel; color: @text2; border: 1px solid @lineStrong; padding: 3px 10px; }
QToolButton[chip="true"]:hover { background: @sunken; }

QLineEdit, QSpinBox, QDoubleSpinBox { background: @panel; color: @text; border: 1px solid @lineStrong;
    border-radius: 6px; padding: 0 8px; min-height: 28px; selection-background-color: @accent;
    selection-color: @onAccent; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus { border-color: @accent; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled { color: @text~40; border-color: @line; }
QLineEdit[invalid="true"], QSpinBox[invalid="true"], QDoubleSpinBox[invalid="true"] { border-color: @error; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { width: 0;
    border: none; }
QPlainTextEdit, QTextEdit { background: @panel; color: @text; border: 1px solid @lineStrong; border-radius: 6px;
    padding: 4px; selection-background-color: @accent; selection-color: @onAccent; }

QTabWidget::pane { border: none; border-top: 1px solid @line; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: @text2; border: none; border-bottom: 2px solid transparent;
    padding: 0 12px; min-height: 29px; font-weight: 500; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: @text; font-weight: 600; border-bottom-color: @accent; }
QTabBar::tab:disabled { color: @text~40; }

QTreeView, QTableView, QListView { background: @panel; alternate-background-color: @panel; color: @text; border: none;
    gridline-color: @line; selection-background-color: @accentSoft; selection-color: @text; show-decoration-selected: 1;
    outline: none; }
QComboBox QAbstractItemView { background: @panel; border: 1px solid @lineStrong; padding: 4px; }
QTreeView::item, QListView::item { border: none; padding: 0 4px; }
QTableView::item { border: none; padding: 0 8px; }
QTreeView::item:hover, QListView::item:hover { background: @raised; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected { background: @accentSoft;
    color: @text; }
QHeaderView { background: @panel; border: none; }
QHeaderView::section { background: @panel; color: @text3; border: none; border-bottom: 1px solid @line;
    padding: 0 8px; min-height: 23px; font-weight: 400; }
QHeaderView::section:checked { font-weight: 400; }
QTableCornerButton::section { background: @panel; border: none; }

QMenuBar { background: @window; color: @text; min-height: 28px; padding: 0 4px; }
QMenuBar::item { padding: 5px 9px; border-radius: 6px; background: transparent; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: @sunken; }
QMenu { background: @panel; color: @text; border: 1px solid @lineStrong; padding: 4px; }
QMenu::item { min-height: 26px; padding: 0 28px 0 10px; border-radius: 4px; }
QMenu::item:selected { background: @accentSoft; color: @text; }
QMenu::item:disabled { color: @text~40; }
QMenu::icon { padding-left: 8px; }
QMenu::separator { height: 1px; background: @line; margin: 4px 6px; }
QToolTip { background: @raised; color: @text; border: 1px solid @lineStrong; padding: 5px 7px; }

QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: @lineStrong~60; border-radius: 3px; margin: 2px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: @lineStrong; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; background: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }

QSplitter::handle { background: @line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QMainWindow::separator { background: @line; width: 1px; height: 1px; }

QToolBar { background: @window; border: none; border-bottom: 1px solid @line; spacing: 4px; padding: 5px 12px; }
QToolBar::separator { background: @line; width: 1px; margin: 6px 6px; }
QStatusBar { background: @window; color: @text2; border-top: 1px solid @line; min-height: 25px; }
QStatusBar::item { border: none; }

QSlider { min-height: 22px; }
QSlider::groove:horizontal { height: 6px; border-radius: 3px; background: @sunken; }
QSlider::sub-page:horizontal { height: 6px; border-radius: 3px; background: @accent; }
QSlider::handle:horizontal { width: 12px; height: 12px; margin: -5px 0; border: 2px solid @accent; border-radius: 8px;
    background: @panel; }
QSlider::sub-page:horizontal:disabled { background: @lineStrong; }
QSlider::handle:horizontal:disabled { border-color: @lineStrong; }

QProgressBar { background: @sunken; border: none; border-radius: 1px; max-height: 6px; min-height: 2px; color: transparent; }
QProgressBar::chunk { background: @accent; border-radius: 1px; }

QGroupBox { border: none; margin-top: 24px; font-weight: 600; color: @text2; }
QGroupBox::title { subcontrol-origin: margin; subcontrol-position: top left; padding: 0; }
)";

/// What high contrast needs besides its colours: surfaces are all black there, so lines say where they end.
const char *const kContrastSheet = R"(
QToolButton:hover, QPushButton:hover, QMenuBar::item:selected { border: 1px solid @line; }
QProgressBar, QSlider::groove:horizontal { border: 1px solid @line; }
)";

} // namespace

QString withTokens(const QString &text, Scheme scheme)
{
    QHash<QString, Token> tokens;
    for (const TokenRow &row : kThemeTable)
        tokens.insert(QLatin1String(row.name), row.token);

    static const QRegularExpression mark(QStringLiteral("@([A-Za-z0-9]+)(?:~(\\d+))?"));
    QString result;
    qsizetype from = 0;
    for (auto match = mark.globalMatch(text); match.hasNext();) {
        const QRegularExpressionMatch hit = match.next();
        const auto token = tokens.constFind(hit.captured(1));
        REMAT_ASSERT(token != tokens.constEnd(), "style sheets name tokens of the table only");
        result += QStringView(text).mid(from, hit.capturedStart() - from);
        const QColor color = Theme::color(*token, scheme);
        if (hit.hasCaptured(2))
            result += QStringLiteral("rgba(%1, %2, %3, %4%)")
                          .arg(color.red())
                          .arg(color.green())
                          .arg(color.blue())
                          .arg(hit.captured(2));
        else
            result += color.name();
        from = hit.capturedEnd();
    }
    result += QStringView(text).mid(from);
    return result;
}

QString styleSheet(Scheme scheme)
{
    QString sheet = QString::fromUtf8(kSheet);
    if (scheme == Scheme::HighContrast) sheet += QString::fromUtf8(kContrastSheet);
    return withTokens(sheet, scheme);
}

} // namespace remat::studio
