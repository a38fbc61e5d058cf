// SPDX-License-Identifier: Apache-2.0
// Says of a model that checkpoints its activations itself what that gives today, so that plans can be measured by it.
#pragma once

#include "app/studio/shell/workspace/feature.h"
#include "app/studio/work/jobs/job_tracker.h"

#include <QObject>

#include <memory>
#include <vector>

namespace remat {
struct CostedModel;
struct OpenModel;
struct PlanEntry;
} // namespace remat

namespace remat::studio {

/// Once for each model that is opened. GUI thread only.
class OwnCheckpointsNotice : public QObject
{
    Q_OBJECT
public:
    explicit OwnCheckpointsNotice(const FeatureHost &host);

private:
    void look();
    void say(const CostedModel &model, const std::shared_ptr<const PlanEntry> &today);

    FeatureHost m_host;
    JobTracker m_tracker;
    std::vector<std::weak_ptr<const OpenModel>> m_seen;
};

} // namespace remat::studio
