// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

#include <algorithm>

namespace remat::studio::view {

namespace {

ViewStates::Keeper keeperOf(MemoryCanvas *canvas)
{
    const QString storages = QStringLiteral("byStorage"), largest = QStringLiteral("largest"),
                  peak = QStringLiteral("peakPinned");
    return {[=] {
                const MemoryScene &scene = canvas->scene();
                return QJsonObject{{storages, scene.grouping() == Grouping::Storage},
                                   {largest, scene.largest()},
                                   {peak, canvas->peakPinned()}};
            },
            [=](const QJsonObject &state) {
                canvas->setGrouping(state[storages].toBool() ? Grouping::Storage : Grouping::Category,
                                    std::clamp(state[largest].toInt(canvas->scene().largest()), 5, 60));
                canvas->setPeakPinned(state[peak].toBool(true));
            }};
}

} // namespace

ViewSpec memory()
{
    ViewSpec spec;
    spec.order = 30;
    spec.id = QStringLiteral("memory");
    spec.title = ViewText::tr("Memory");
    spec.icon = QStringLiteral("chart-area");
    spec.side = ViewSide::Bottom;
    spec.command = QStringLiteral("showMemory");
    spec.key = Qt::ALT | Qt::Key_8;
    spec.tooltip = ViewText::tr("Shows memory over time at the bottom");
    spec.takesKeyboard = true;
    spec.features = {{ViewText::tr("Memory over time"),
                      ViewText::tr("Bottom, tab Memory"),
                      ViewText::tr("What is held at each step, with keep-all behind it, the peak, and an overview to "
                                   "move in."),
                      {}},
                     {ViewText::tr("Largest storages by name"),
                      ViewText::tr("Memory, header"),
                      ViewText::tr("The bands of the largest storages, and one for the rest."),
                      {}}};
    spec.make = [](const ViewHost &host) {
        auto *view = new MemoryView(&host.session.document);
        MemoryCanvas *canvas = view->canvas();
        QObject::connect(canvas, &MemoryCanvas::groupingChanged, view, [touch = host.touch, canvas] {
            const MemoryScene &scene = canvas->scene();
            touch(scene.grouping() == Grouping::Storage
                      ? ViewText::tr("Memory by the %1 largest storages").arg(scene.largest())
                      : ViewText::tr("Memory by category"));
        });
        QObject::connect(canvas, &MemoryCanvas::peakPinnedChanged, view, [touch = host.touch, canvas] {
            touch(canvas->peakPinned() ? ViewText::tr("Show what makes the peak")
                                       : ViewText::tr("Hide what makes the peak"));
        });
        return MadeView{view, view->takeHeader(), canvas, {}, keeperOf(canvas)};
    };
    return spec;
}

} // namespace remat::studio::view
