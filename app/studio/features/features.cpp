#include "app/studio/exports/exports.h"
#include "app/studio/features/presets.h"
#include "app/studio/features/themes.h"
#include "app/studio/window/feature.h"

namespace remat::studio {

void addFeatures(const FeatureHost &host)
{
    new Themes(host);
    new Presets(host);
    new Exports(host);
}

} // namespace remat::studio
