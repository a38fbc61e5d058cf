// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/view_list.h"

namespace remat::studio {

namespace view {
#define REMAT_VIEW(name) ViewSpec name();
#include "app/studio/shell/workspace/view_list.inc"
#undef REMAT_VIEW
} // namespace view

const std::vector<ViewSpec> &viewSpecs()
{
    static const std::vector<ViewSpec> specs = {
#define REMAT_VIEW(name) view::name(),
#include "app/studio/shell/workspace/view_list.inc"
#undef REMAT_VIEW
    };
    return specs;
}

} // namespace remat::studio
