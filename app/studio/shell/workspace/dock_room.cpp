// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/dock_room.h"

#include <QDockWidget>
#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace remat::studio {

namespace {

constexpr int kNarrow = 1400;
constexpr int kWide = 2200;
constexpr int kLow = 600;
constexpr int kTight = 900;

struct DockSizes {
    int left, bottom, right;
};

DockSizes sizesFor(QSize window)
{
    DockSizes sizes{260, 334, 328};
    if (window.width() >= kWide) sizes = {280, 460, 368};
    if (window.width() < kNarrow) sizes = {260, 280, 312};
    sizes.bottom = std::min(sizes.bottom, std::max(220, window.height() * 35 / 100));
    if (window.width() < kTight) sizes.right = 300;
    return sizes;
}

} // namespace

DockRoom::DockRoom(QMainWindow *window, QDockWidget *left, QDockWidget *bottom, QDockWidget *right)
    : m_window(window), m_left(left), m_bottom(bottom), m_right(right)
{
}

bool DockRoom::narrow() const
{
    return m_window->width() < kNarrow;
}

bool DockRoom::low() const
{
    return m_window->height() < kLow;
}

bool DockRoom::tight() const
{
    return m_window->width() < kTight;
}

bool DockRoom::wide() const
{
    return m_window->width() >= kWide;
}

void DockRoom::open(Wanted docks)
{
    m_leftClosed = docks.left && narrow();
    m_left->setVisible(docks.left && !narrow());
    m_bottomClosed = docks.bottom && low();
    m_bottom->setVisible(docks.bottom && !low());
    m_right->setVisible(docks.right);
}

void DockRoom::keep(const QDockWidget *dock)
{
    if (dock == m_left && std::exchange(m_leftClosed, false) && !m_left->isHidden())
        m_window->resizeDocks({m_left}, {sizesFor(m_window->size()).left}, Qt::Horizontal);
    if (dock == m_bottom) m_bottomClosed = false;
}

void DockRoom::forget()
{
    m_leftClosed = m_bottomClosed = m_shrunk = false;
}

void DockRoom::applySizes()
{
    const DockSizes sizes = sizesFor(m_window->size());
    m_window->resizeDocks({m_left, m_right}, {sizes.left, sizes.right}, Qt::Horizontal);
    m_window->resizeDocks({m_bottom}, {sizes.bottom}, Qt::Vertical);
}

void DockRoom::fit(QSize arrangedIn, int center)
{
    const QSize room = m_window->size();
    if (!arrangedIn.isValid() || (arrangedIn.width() <= room.width() && arrangedIn.height() <= room.height())) return;
    const DockSizes sizes = sizesFor(room);
    const bool across = m_left->width() + m_right->width() > room.width() - center;
    if (m_bottom->height() <= sizes.bottom && m_right->width() <= sizes.right && !across) return;
    m_shrunk = true;
    applySizes();
}

void DockRoom::makeRoom(QDockWidget *dock, bool &closed, bool without)
{
    if (without && !dock->isHidden() && !dock->isFloating()) {
        closed = true;
        dock->hide();
    } else if (!without && closed) {
        closed = false;
        dock->show();
        applySizes();
    }
}

void DockRoom::resized(QSize before)
{
    makeRoom(m_left, m_leftClosed, narrow());
    makeRoom(m_bottom, m_bottomClosed, low());
    if (!m_shrunk || !before.isValid() || m_window->height() <= before.height() || m_window->width() <= before.width())
        return;
    m_shrunk = narrow();
    applySizes();
}

void DockRoom::save(QJsonObject &layout) const
{
    layout[QStringLiteral("left_closed_for_room")] = m_leftClosed;
    layout[QStringLiteral("bottom_closed_for_room")] = m_bottomClosed;
}

void DockRoom::restore(const QJsonObject &layout)
{
    m_leftClosed = layout[QStringLiteral("left_closed_for_room")].toBool();
    m_bottomClosed = layout[QStringLiteral("bottom_closed_for_room")].toBool();
}

} // namespace remat::studio
