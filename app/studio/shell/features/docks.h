// SPDX-License-Identifier: Apache-2.0
// The commands that take a panel out of the window, into one of its own, and put it back.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QObject>

class QDockWidget;

namespace remat::studio {

/// GUI thread only.
class Docks : public QObject
{
    Q_OBJECT
public:
    explicit Docks(const FeatureHost &host);

private:
    void showFloating(QDockWidget *dock, bool floating);
};

} // namespace remat::studio
