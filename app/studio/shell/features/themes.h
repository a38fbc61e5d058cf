// SPDX-License-Identifier: Apache-2.0
// The commands that choose a theme; the choice is kept from one start to the next.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QObject>

namespace remat::studio {

/// GUI thread only.
class Themes : public QObject
{
    Q_OBJECT
public:
    explicit Themes(const FeatureHost &host);
};

} // namespace remat::studio
