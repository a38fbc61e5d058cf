// SPDX-License-Identifier: Apache-2.0
// The two trees that a model is shown as.
#pragma once

namespace remat::studio {

/// Modules as the model's author wrote them, or the blocks that are solved.
enum class Hierarchy { Modules, Partition };

} // namespace remat::studio
