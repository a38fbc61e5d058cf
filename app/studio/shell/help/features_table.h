// Where each feature of the program is: what the help page and the palette's help are made from.
#pragma once

#include <QString>

#include <vector>

namespace remat::studio {

/// One feature.
struct FeatureRow {
    QString title;    ///< `Memory over time`
    QString place;    ///< where it is: `Bottom, tab Memory`
    QString sentence; ///< what it gives, in one sentence
    QString command;  ///< id of the command that leads there
};

/// In the order a person meets them. A feature without its command in this window is shown nowhere.
const std::vector<FeatureRow> &featureRows();

} // namespace remat::studio
