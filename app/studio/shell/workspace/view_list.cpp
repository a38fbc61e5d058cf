// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/view_list.h"

#include <algorithm>

namespace remat::studio {

namespace view {
#define REMAT_VIEW(name) ViewSpec name();
#include "view_list.inc"
#undef REMAT_VIEW
} // namespace view

const std::vector<ViewSpec> &viewSpecs()
{
    static const std::vector<ViewSpec> specs = [] {
        std::vector<ViewSpec> all = {
#define REMAT_VIEW(name) view::name(),
#include "view_list.inc"
#undef REMAT_VIEW
        };
        std::sort(all.begin(), all.end(), [](const ViewSpec &a, const ViewSpec &b) { return a.order < b.order; });
        return all;
    }();
    return specs;
}

} // namespace remat::studio
