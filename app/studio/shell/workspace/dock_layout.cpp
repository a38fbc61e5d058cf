// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/dock_layout.h"

#include <QDockWidget>
#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>

#include <algorithm>
#include <array>
#include <utility>

namespace remat::studio {

namespace {

constexpr int kLargest = 16384; ///< pixels; no desktop is wider

constexpr std::array<std::pair<Qt::DockWidgetArea, const char *>, 4> kAreas = {{{Qt::LeftDockWidgetArea, "left"},
                                                                                {Qt::RightDockWidgetArea, "right"},
                                                                                {Qt::TopDockWidgetArea, "top"},
                                                                                {Qt::BottomDockWidgetArea, "bottom"}}};

Qt::Orientation across(Qt::DockWidgetArea area)
{
    return area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea ? Qt::Horizontal : Qt::Vertical;
}

} // namespace

QJsonArray savePlace(const QRect &place)
{
    return {place.x(), place.y(), place.width(), place.height()};
}

QRect readPlace(const QJsonArray &numbers, QSize least)
{
    if (numbers.size() != 4) return {};
    const auto number = [&numbers](int i) {
        return static_cast<int>(std::clamp(numbers[i].toDouble(), -double{kLargest}, double{kLargest}));
    };
    const QRect place(number(0), number(1), number(2), number(3));
    if (place.width() <= 0 || place.height() <= 0) return {};
    const QList<QScreen *> screens = QGuiApplication::screens();
    const auto screen = std::find_if(screens.begin(), screens.end(), [&place](const QScreen *each) {
        return each->availableGeometry().intersects(place);
    });
    if (screen == screens.end()) return {};
    return {place.topLeft(), place.size().boundedTo((*screen)->availableSize().expandedTo(least))};
}

QJsonObject saveDocks(const QMainWindow &window, const QList<QDockWidget *> &docks)
{
    QJsonObject layout;
    for (QDockWidget *dock : docks) {
        const Qt::DockWidgetArea area = window.dockWidgetArea(dock);
        QJsonObject entry = {{QStringLiteral("shown"), !dock->isHidden()}};
        for (const auto &[known, name] : kAreas)
            if (known == area) entry[QStringLiteral("area")] = QLatin1String(name);
        if (dock->isFloating())
            entry[QStringLiteral("floating")] = savePlace(dock->geometry());
        else
            entry[QStringLiteral("size")] = across(area) == Qt::Horizontal ? dock->width() : dock->height();
        layout[dock->objectName()] = entry;
    }
    return layout;
}

void restoreDocks(QMainWindow &window, const QList<QDockWidget *> &docks, const QJsonObject &layout)
{
    for (QDockWidget *dock : docks) {
        const QJsonObject entry = layout[dock->objectName()].toObject();
        if (entry.isEmpty()) continue;
        dock->setFloating(false);
        for (const auto &[area, name] : kAreas)
            if (entry[QStringLiteral("area")] == QLatin1String(name) && window.dockWidgetArea(dock) != area)
                window.addDockWidget(area, dock);
        dock->setVisible(entry[QStringLiteral("shown")].toBool(!dock->isHidden()));
        const QRect place = readPlace(entry[QStringLiteral("floating")].toArray());
        const int size = entry[QStringLiteral("size")].toInt();
        if (!place.isEmpty()) {
            dock->setFloating(true);
            dock->setGeometry(place);
        } else if (size > 0 && size <= kLargest) {
            window.resizeDocks({dock}, {size}, across(window.dockWidgetArea(dock)));
        }
    }
}

} // namespace remat::studio
