// SPDX-License-Identifier: Apache-2.0
// Every view of the window.
#pragma once

#include "app/studio/views/shared/view_spec.h"

namespace remat::studio {

/// In the order of tabs and menus.
const std::vector<ViewSpec> &viewSpecs();

} // namespace remat::studio
