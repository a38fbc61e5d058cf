// SPDX-License-Identifier: Apache-2.0
// The script of a page that plays a plan step by step.
#pragma once

namespace remat {

/// JavaScript of 2009, without any library. What it does with the data is in functions of `player` that need no
/// document, so that tests run them by themselves; `player.start()` is called where there is a document.
const char *playerScript();

} // namespace remat
