#include "core/exports/player_script.h"

namespace remat {

const char *playerScript()
{
    return
#include "player.js.inc"
        ;
}

} // namespace remat
