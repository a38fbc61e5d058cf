// SPDX-License-Identifier: Apache-2.0
// Deciding by hand: commands about what is selected, the list in the plan panel, a plan at once that follows.
#pragma once

#include "app/studio/shell/workspace/feature.h"
#include "app/studio/work/jobs/solve_job.h"
#include "core/plan/pins.h"

#include <QObject>

#include <map>
#include <optional>

class QAction;

namespace remat::studio {

/// GUI thread only.
class Steer : public QObject
{
    Q_OBJECT
public:
    explicit Steer(const FeatureHost &host);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QAction *addCommand(Decision decision, const QString &id, const QString &text, int key, const QString &tooltip);
    void decide(Decision decision);
    /// Decisions changed: a quick plan follows, and a solve like the one that made the plan shown.
    void planAgain();
    void solveAgain();
    void showEnabled();

    FeatureHost m_host;
    std::map<Decision, QAction *> m_actions;
    QAction *m_clearAll = nullptr;
    std::optional<SolveSettings> m_again; ///< the settings of the plan that was shown when decisions changed
    bool m_asked = false;                 ///< decisions changed, and the quick plan is not there yet
    std::string m_cluster;                ///< selected in the graph; empty when an op or nothing is
};

} // namespace remat::studio
