#include "app/studio/explain/explain.h"
#include "app/studio/exports/exports.h"
#include "app/studio/features/comparing.h"
#include "app/studio/features/docks.h"
#include "app/studio/features/presets.h"
#include "app/studio/features/step_player.h"
#include "app/studio/features/table_menus.h"
#include "app/studio/features/themes.h"
#include "app/studio/features/time_views.h"
#include "app/studio/features/ui_scale.h"
#include "app/studio/graph_view/graph_commands.h"
#include "app/studio/help/help.h"
#include "app/studio/history/history_feature.h"
#include "app/studio/palette/palette.h"
#include "app/studio/search/search.h"
#include "app/studio/solve_jobs/solve_jobs.h"
#include "app/studio/steer/steer.h"
#include "app/studio/window/feature.h"

namespace remat::studio {

void addFeatures(const FeatureHost &host)
{
    new Themes(host);
    new TimeViews(host);
    new Comparing(host);
    new StepPlayer(host);
    new UiScale(host);
    new HistoryFeature(host);
    new Presets(host);
    new Docks(host);
    new Exports(host);
    new GraphCommands(host);
    auto *search = new Search(host);
    new Palette(host, *search);
    new Help(host);
    new Steer(host);
    new Explain(host);
    new SolveJobs(host);
    new TableMenus(host); // of the tables of all others
}

} // namespace remat::studio
