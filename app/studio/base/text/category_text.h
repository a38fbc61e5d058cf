// SPDX-License-Identifier: Apache-2.0
// Kinds of memory in the window's words.
#pragma once

#include "core/plan/timeline.h"

#include <QCoreApplication>

namespace remat::studio {

/// As categoryName(), translated.
inline QString categoryText(Category category)
{
    switch (category) {
    case Category::Weights:
        return QCoreApplication::translate("Category", "Weights");
    case Category::States:
        return QCoreApplication::translate("Category", "Optimizer states");
    case Category::ParameterGradients:
        return QCoreApplication::translate("Category", "Parameter gradients");
    case Category::KeptActivations:
        return QCoreApplication::translate("Category", "Kept activations");
    case Category::Offloaded:
        return QCoreApplication::translate("Category", "Offloaded");
    case Category::Gradients:
        return QCoreApplication::translate("Category", "Gradients");
    case Category::RecomputedActivations:
        return QCoreApplication::translate("Category", "Recomputed activations");
    case Category::Workspace:
        break;
    }
    return QCoreApplication::translate("Category", "Workspace");
}

} // namespace remat::studio
