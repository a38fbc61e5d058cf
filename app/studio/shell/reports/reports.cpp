// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/reports/reports.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/reports/reports_window.h"

#include <QMainWindow>

namespace remat::studio {

Reports::Reports(const FeatureHost &host) : QObject(host.owner)
{
    QAction *action =
        host.commands.add({QStringLiteral("reports"),
                           Section::Help,
                           tr("Reports of devices"),
                           QStringLiteral("shield-check"),
                           {Qt::CTRL | Qt::SHIFT | Qt::Key_F1},
                           tr("What plans came to on real devices, as remat doctor measured it on each")});
    QWidget *window = host.window;
    connect(action, &QAction::triggered, this, [window] { ReportsWindow::shown(*window); });
}

} // namespace remat::studio
