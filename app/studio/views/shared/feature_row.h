// SPDX-License-Identifier: Apache-2.0
// One feature of the program, as the help page and the palette's help show it.
#pragma once

#include <QString>

namespace remat::studio {

struct FeatureRow {
    QString title;    ///< `Memory over time`
    QString place;    ///< where it is: `Bottom, tab Memory`
    QString sentence; ///< what it gives, in one sentence
    QString command;  ///< id of the command that leads there
};

} // namespace remat::studio
