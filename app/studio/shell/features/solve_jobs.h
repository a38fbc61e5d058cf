// Adds the view of the queue and its command.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QObject>

namespace remat::studio {

/// GUI thread only.
class SolveJobs : public QObject
{
    Q_OBJECT
public:
    explicit SolveJobs(const FeatureHost &host);
};

} // namespace remat::studio
