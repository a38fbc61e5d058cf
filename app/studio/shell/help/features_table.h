// SPDX-License-Identifier: Apache-2.0
// Where each feature of the program is: what the help page and the palette's help are made from.
#pragma once

#include "app/studio/views/shared/feature_row.h"

#include <vector>

namespace remat::studio {

/// In the order a person meets them. A feature without its command in this window is shown nowhere.
const std::vector<FeatureRow> &featureRows();

} // namespace remat::studio
