// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/docks.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/workspace/floating_title.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/shared/need_model.h"
#include "app/studio/work/session/session.h"

#include <QDockWidget>
#include <QMainWindow>

namespace remat::studio {

namespace {

constexpr int kOut = 48; ///< how far a panel that is taken out stands from its place, to the right and up

} // namespace

Docks::Docks(const FeatureHost &host) : QObject(host.owner)
{
    QList<QAction *> actions;
    const auto add = [&](QDockWidget *dock, const QString &text, const QString &icon, Qt::Key key) {
        QAction *action = host.commands.add(
            {QStringLiteral("float.") + dock->objectName(),
             Section::Window,
             text,
             icon,
             {QKeySequence(static_cast<int>(Qt::ALT | Qt::SHIFT) | key)},
             tr("Takes the panel out of the window, or puts it back; by its title it can be dragged to "
                "another side, too"),
             true,
             actions.isEmpty()});
        connect(action, &QAction::triggered, dock, [dock](bool out) {
            dock->show();
            const QPoint place = dock->mapToGlobal(QPoint(0, 0));
            dock->setFloating(out);
            // Out of the window it would cover just where it was, as if nothing had happened.
            if (out) dock->move(place + QPoint(kOut, -kOut));
        });
        connect(dock, &QDockWidget::topLevelChanged, action, [this, dock, action](bool floating) {
            action->setChecked(floating);
            showFloating(dock, floating);
        });
        actions.push_back(action);
    };
    add(host.workspace.leftDock(), tr("Modules and plans in a window of their own"), QStringLiteral("panel-left"),
        Qt::Key_1);
    add(host.workspace.bottomDock(), tr("Memory views in a window of their own"), QStringLiteral("panel-bottom"),
        Qt::Key_2);
    add(host.workspace.rightDock(), tr("Plan panel in a window of its own"), QStringLiteral("panel-right"), Qt::Key_3);
    needModel(host.session.document, actions);
}

/// In the window a panel's tabs are its header; out of it, a title says what the window is, and moves it.
void Docks::showFloating(QDockWidget *dock, bool floating)
{
    QWidget *old = dock->titleBarWidget();
    dock->setTitleBarWidget(floating ? new FloatingTitle(dock) : new QWidget(dock));
    if (old) old->deleteLater();
}

} // namespace remat::studio
