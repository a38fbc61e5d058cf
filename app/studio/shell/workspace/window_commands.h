// SPDX-License-Identifier: Apache-2.0
// The commands of the window itself and of the views it shows, in the order of menus.
#pragma once

namespace remat::studio {

class Commands;

/// Once, before features add theirs.
void addWindowCommands(Commands &commands);

} // namespace remat::studio
