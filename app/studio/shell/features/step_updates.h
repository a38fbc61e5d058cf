// SPDX-License-Identifier: Apache-2.0
// The commands that open the shown model with the updates of an optimizer in its step.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QAction>
#include <QObject>

#include <string>
#include <vector>

namespace remat::studio {

/// A step with updates is another graph, so it opens as a model of its own, beside the one without. GUI thread only.
class StepUpdates : public QObject
{
    Q_OBJECT
public:
    explicit StepUpdates(const FeatureHost &host);

private:
    void choose(const std::string &optimizer, bool onHost);
    void show();

    Session &m_session;
    struct Choice {
        QAction *action;
        std::string optimizer;
    };
    std::vector<Choice> m_choices;
    QAction *m_onHost;
};

} // namespace remat::studio
