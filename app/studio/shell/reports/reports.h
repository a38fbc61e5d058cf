// SPDX-License-Identifier: Apache-2.0
// The command that shows the reports of devices.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QObject>

namespace remat::studio {

/// GUI thread only.
class Reports : public QObject
{
    Q_OBJECT
public:
    explicit Reports(const FeatureHost &host);
};

} // namespace remat::studio
