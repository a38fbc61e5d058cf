#include "app/studio/features/presets.h"
#include "app/studio/features/themes.h"
#include "app/studio/window/feature.h"

namespace remat::studio {

void addFeatures(const FeatureHost &host)
{
    new Themes(host);
    new Presets(host);
}

} // namespace remat::studio
