// SPDX-License-Identifier: Apache-2.0
// Core's texts in the window's language.
#pragma once

#include "core/base/words.h"

namespace remat::studio {

/// Any thread.
const Words &windowWords();

} // namespace remat::studio
