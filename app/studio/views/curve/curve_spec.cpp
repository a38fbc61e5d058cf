// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/base/text/text.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

namespace remat::studio::view {

namespace {

/// `NVIDIA GeForce RTX 3060 12 GB` without the maker and without what stands in brackets, which take up the room of
/// what tells devices apart.
QString shortTitle(const std::string &title)
{
    QString text = toQString(title);
    for (const QLatin1String maker : {QLatin1String("NVIDIA "), QLatin1String("GeForce ")})
        text.remove(maker);
    if (const qsizetype bracket = text.indexOf(QLatin1String(" (")); bracket > 0) text.truncate(bracket);
    return text;
}

} // namespace

ViewSpec curve()
{
    ViewSpec spec;
    spec.order = 20;
    spec.id = QStringLiteral("curve");
    spec.title = ViewText::tr("Trade-off");
    spec.icon = QStringLiteral("chart-spline");
    spec.command = QStringLiteral("showCurve");
    spec.key = Qt::ALT | Qt::Key_5;
    spec.tooltip = ViewText::tr("Shows overhead over peak memory of all plans in the centre");
    spec.features = {{ViewText::tr("Trade-off of memory and time"),
                      ViewText::tr("Centre, tab Trade-off"),
                      ViewText::tr("Every plan as a point, the best of each planner as a line, what no plan can reach, "
                                   "and the memory of devices; sweeps fill it, here or on a Dask cluster."),
                      {}}};
    spec.make = [](const ViewHost &host) {
        Session &session = host.session;
        auto *view = new CurveView(&session.document, &session.bound, &session.sweeps, session.pool);
        std::vector<std::pair<QString, std::int64_t>> devices;
        for (const Device &device : session.loader.devices())
            if (device.name != "reference") devices.emplace_back(shortTitle(device.title), device.memoryBytes);
        view->canvas()->setChunks(&session.chunks);
        view->canvas()->setDevices(std::move(devices), session.card);
        return MadeView{view, nullptr, view->canvas(), {}};
    };
    return spec;
}

} // namespace remat::studio::view
