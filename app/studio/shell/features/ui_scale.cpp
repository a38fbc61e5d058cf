// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/ui_scale.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/workspace/status_line.h"

#include <QGuiApplication>
#include <QMainWindow>
#include <QMenu>
#include <QScreen>
#include <QSettings>
#include <QWindow>

// The toolkit's own factor can be set while the program runs only by its private interface.
#include <private/qhighdpiscaling_p.h>
#include <qpa/qplatformwindow.h>
#include <qpa/qwindowsysteminterface.h>

#include <algorithm>

namespace remat::studio {

namespace {

QString settingsKey()
{
    return QStringLiteral("uiScale");
}

/// What was chosen before presenting.
QString beforeKey()
{
    return QStringLiteral("uiScaleBeforePresenting");
}

/// The factor that the desktop asks for on a screen, taken before ours is set.
double desktopFactor(QScreen *screen)
{
    constexpr const char *kDesktop = "remat.desktopFactor";
    if (const QVariant known = screen->property(kDesktop); known.isValid()) return known.toDouble();
    const double global = QHighDpiScaling::factor(static_cast<const QScreen *>(nullptr));
    const double factor = QHighDpiScaling::factor(screen) / (global > 0 ? global : 1);
    screen->setProperty(kDesktop, factor);
    return factor;
}

void scaleScreen(QScreen *screen)
{
    QHighDpiScaling::setScreenFactor(screen, desktopFactor(screen) * UiScale::chosen() / 100);
}

} // namespace

int UiScale::chosen()
{
    const int percent = QSettings().value(settingsKey(), 100).toInt();
    return std::clamp(percent / kStep * kStep, kLeast, kMost);
}

void UiScale::apply()
{
    for (QScreen *screen : QGuiApplication::screens())
        scaleScreen(screen);
    static QMetaObject::Connection later; // for screens that are plugged in
    if (!later) later = QObject::connect(qGuiApp, &QGuiApplication::screenAdded, qGuiApp, &scaleScreen);
    // Windows keep their pixels, and so hold more or less from now on.
    for (QWindow *window : QGuiApplication::topLevelWindows())
        if (window->handle() && window->isVisible())
            QWindowSystemInterface::handleGeometryChange<QWindowSystemInterface::SynchronousDelivery>(
                window, window->handle()->geometry());
}

UiScale::UiScale(const FeatureHost &host) : QObject(host.owner), m_window(host.window), m_menu(new QMenu(host.window))
{
    m_menu->setObjectName(QStringLiteral("scaleMenu"));
    for (int percent = kLeast; percent <= kMost; percent += kStep) {
        QAction *action = m_menu->addAction(shareText(percent / 100.0));
        action->setCheckable(true);
        action->setData(percent);
        connect(action, &QAction::triggered, this, [this, percent] { choose(percent); });
    }
    connect(m_menu, &QMenu::aboutToShow, this, &UiScale::showChosen); // another window may have chosen
    const auto add = [&](const QString &id, const QString &text, const QString &icon, const QList<QKeySequence> &keys,
                         const QString &tooltip, auto next) {
        QAction *action = host.commands.add({id, Section::Window, text, icon, keys, tooltip});
        connect(action, &QAction::triggered, this, [this, next] { choose(next(chosen())); });
    };
    add(QStringLiteral("scale.up"), tr("Larger text and controls"), QStringLiteral("zoom-in"),
        {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal}, tr("Makes everything 10 % larger"),
        [](int percent) { return percent + kStep; });
    add(QStringLiteral("scale.down"), tr("Smaller text and controls"), QStringLiteral("zoom-out"),
        {Qt::CTRL | Qt::Key_Minus}, tr("Makes everything 10 % smaller"), [](int percent) { return percent - kStep; });
    add(QStringLiteral("scale.normal"), tr("Text and controls at 100 %"), QString(), {Qt::CTRL | Qt::Key_0},
        tr("Makes everything as large as the desktop asks for"), [](int) { return 100; });
    m_presenter = host.commands.add({QStringLiteral("scale.presenter"),
                                     Section::Window,
                                     tr("Presenter size"),
                                     QStringLiteral("monitor"),
                                     {Qt::Key_F9},
                                     tr("Makes text and strokes large enough for a lecture room; again goes back"),
                                     true});
    connect(m_presenter, &QAction::triggered, this, &UiScale::present);
    host.status.setScaleMenu(m_menu);
    showChosen();
}

void UiScale::choose(int percent)
{
    percent = std::clamp(percent, kLeast, kMost);
    QSettings().remove(beforeKey()); // who chooses by hand stays there
    if (percent != chosen()) {
        QSettings().setValue(settingsKey(), percent);
        apply();
    }
    showChosen();
}

bool UiScale::presenting()
{
    return QSettings().contains(beforeKey());
}

int UiScale::roomFor() const
{
    constexpr int kLeastHeight =
        600; ///< a window with all of its views has it: DockRoom closes the lower ones below that
    return m_window->height() * chosen() / kLeastHeight / kStep * kStep;
}

void UiScale::present(bool on)
{
    if (on == presenting()) return;
    if (on) {
        const int before = chosen();
        const int wanted = std::max(kPresenter, before + kPresenter - 100);
        choose(roomFor() > before ? std::min(wanted, roomFor()) : wanted);
        QSettings().setValue(beforeKey(), before);
    } else {
        choose(QSettings().value(beforeKey()).toInt());
    }
    showChosen();
}

void UiScale::showChosen()
{
    for (QAction *action : m_menu->actions())
        action->setChecked(action->data().toInt() == chosen());
    m_presenter->setChecked(presenting());
}

} // namespace remat::studio
