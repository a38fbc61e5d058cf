// A sentence for the person at the window, with at most one way out.
#pragma once

#include <QString>

#include <functional>

namespace remat::studio {

/// Shown as a strip in the window, never as a box that has to be clicked away.
struct Notice {
    bool isError = true;
    QString sentence;
    QString actionText; ///< a verb; empty when there is no way out to offer
    std::function<void()> action;
};

} // namespace remat::studio
