// SPDX-License-Identifier: Apache-2.0
// The commands that choose a range of time.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QObject>

namespace remat::studio {

/// GUI thread only.
class Measuring : public QObject
{
    Q_OBJECT
public:
    explicit Measuring(const FeatureHost &host);
};

} // namespace remat::studio
