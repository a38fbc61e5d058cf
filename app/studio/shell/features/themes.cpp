// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/themes.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/style/theme.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QSettings>

namespace remat::studio {

Themes::Themes(const FeatureHost &host) : QObject(host.owner)
{
    auto *group = new QActionGroup(this);
    const QString kept = QSettings().value(QStringLiteral("theme"), QStringLiteral("system")).toString();
    int key = Qt::Key_1;
    const auto add = [&](const QString &name, const QString &text, const QString &icon, const QString &tooltip,
                         auto work) {
        QAction *action =
            group->addAction(host.commands.add({QStringLiteral("theme.") + name,
                                                Section::View,
                                                text,
                                                icon,
                                                {QKeySequence(static_cast<int>(Qt::CTRL | Qt::ALT) | key++)},
                                                tooltip,
                                                true,
                                                false,
                                                tr("Theme")}));
        action->setChecked(kept == name);
        connect(action, &QAction::triggered, this, [name, work] {
            work();
            QSettings().setValue(QStringLiteral("theme"), name);
        });
    };
    add(QStringLiteral("system"), tr("Theme of the system"), QStringLiteral("monitor"),
        tr("Light or dark as the desktop is"), [] { Theme::instance().followSystem(); });
    add(QStringLiteral("light"), tr("Light theme"), QStringLiteral("sun"), tr("Dark text on light"),
        [] { Theme::instance().setScheme(Scheme::Light); });
    add(QStringLiteral("dark"), tr("Dark theme"), QStringLiteral("moon"), tr("Light text on dark"),
        [] { Theme::instance().setScheme(Scheme::Dark); });
    add(QStringLiteral("contrast"), tr("High contrast theme"), QStringLiteral("contrast"),
        tr("White on black with strong borders"), [] { Theme::instance().setScheme(Scheme::HighContrast); });
}

} // namespace remat::studio
