// SPDX-License-Identifier: Apache-2.0
// How far mouse, wheel and keys go in every plot.
#pragma once

#include <QWheelEvent>

#include <cmath>

namespace remat::studio {

inline constexpr double kClickSlack = 4; ///< pixels; what moves less is a click
inline constexpr double kZoomStep = 0.8; ///< factor of the visible range, by a notch of the wheel or a press of W
inline constexpr double kPanStep = 0.1;  ///< share of the visible range, by a notch of the wheel or a press of A or D

/// What a turn of the wheel asks for: pans with Shift or a wheel that tilts, zooms otherwise.
struct WheelTurn {
    bool pans = false;
    double notches = 0; ///< away from the person

    explicit WheelTurn(const QWheelEvent &event)
    {
        const QPoint turned = event.angleDelta();
        pans = event.modifiers().testFlag(Qt::ShiftModifier) || std::abs(turned.x()) > std::abs(turned.y());
        notches = (pans && turned.x() != 0 ? turned.x() : turned.y()) / 120.0;
    }
    /// As a share of what is seen.
    double pan() const { return -notches * kPanStep; }
    double zoom() const { return std::pow(kZoomStep, notches); }
};

} // namespace remat::studio
