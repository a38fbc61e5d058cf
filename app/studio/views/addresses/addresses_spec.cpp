// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/base/commands/commands.h"
#include "app/studio/views/addresses/address_view.h"
#include "app/studio/views/shared/need_model.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

#include <QComboBox>

namespace remat::studio::view {

ViewSpec addresses()
{
    ViewSpec spec;
    spec.order = 60;
    spec.id = QStringLiteral("addresses");
    spec.title = ViewText::tr("Address map");
    spec.icon = QStringLiteral("map");
    spec.side = ViewSide::Bottom;
    spec.command = QStringLiteral("show.addresses");
    spec.key = Qt::ALT | Qt::Key_0;
    spec.tooltip = ViewText::tr("Shows where every storage lies in device memory, and replays the plan");
    spec.takesKeyboard = true;
    spec.features = {{ViewText::tr("Address map"),
                      ViewText::tr("Bottom, tab Address map"),
                      ViewText::tr("Where each storage lies over time, with gaps, height and replay."),
                      {}}};
    spec.make = [](const ViewHost &host) {
        Session &session = host.session;
        auto *view = new AddressView(&session.document, &session.replay, session.pool);
        QAction *play =
            host.commands.add({QStringLiteral("replay"),
                               Section::View,
                               ViewText::tr("Play the plan"),
                               QStringLiteral("play"),
                               {Qt::CTRL | Qt::ALT | Qt::Key_Space},
                               ViewText::tr("Moves the time cursor through the steps of the plan, or stops it"),
                               false,
                               false,
                               ViewText::tr("Time and steps")});
        QObject::connect(play, &QAction::triggered, view, &AddressView::togglePlaying);
        needModel(session.document, {play});
        QObject::connect(view, &AddressView::speedChanged, view, [touch = host.touch, view] {
            touch(ViewText::tr("Replay at %1").arg(view->speed()->currentText()));
        });
        const QString speed = QStringLiteral("stepsPerSecond");
        return MadeView{view,
                        view->header(),
                        view->canvas(),
                        {},
                        {[view, speed] {
                             return QJsonObject{{speed, view->speed()->currentData().toInt()}};
                         },
                         [view, speed](const QJsonObject &state) {
                             const int index = view->speed()->findData(state[speed].toInt());
                             if (index >= 0) view->speed()->setCurrentIndex(index);
                         }}};
    };
    return spec;
}

} // namespace remat::studio::view
