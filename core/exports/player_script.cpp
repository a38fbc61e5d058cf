// SPDX-License-Identifier: Apache-2.0
#include "core/exports/player_script.h"

namespace remat {

const char *playerScript()
{
    return
#include "player.js.inc"
        ;
}

} // namespace remat
