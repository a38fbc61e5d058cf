// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/chunk_commands.h"
#include "app/studio/shell/features/docks.h"
#include "app/studio/shell/features/explain.h"
#include "app/studio/shell/features/history_feature.h"
#include "app/studio/shell/features/measuring.h"
#include "app/studio/shell/features/own_checkpoints_notice.h"
#include "app/studio/shell/features/presets.h"
#include "app/studio/shell/features/search.h"
#include "app/studio/shell/features/steer.h"
#include "app/studio/shell/features/step_player.h"
#include "app/studio/shell/features/step_updates.h"
#include "app/studio/shell/features/table_menus.h"
#include "app/studio/shell/features/themes.h"
#include "app/studio/shell/features/ui_scale.h"
#include "app/studio/shell/help/help.h"
#include "app/studio/shell/palette/palette.h"
#include "app/studio/shell/reports/reports.h"
#include "app/studio/shell/workspace/feature.h"

namespace remat::studio {

void addFeatures(const FeatureHost &host)
{
    new Themes(host);
    new Measuring(host);
    new StepPlayer(host);
    new UiScale(host);
    new HistoryFeature(host);
    new Presets(host);
    new Docks(host);
    auto *search = new Search(host);
    new Palette(host, *search);
    new Help(host);
    new Reports(host);
    new ChunkCommands(host);
    new Steer(host);
    new StepUpdates(host);
    new Explain(host);
    new OwnCheckpointsNotice(host);
    new TableMenus(host); // menus for the tables of all others
}

} // namespace remat::studio
