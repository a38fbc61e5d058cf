// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/window/activity.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/session/session.h"

#include <QCoreApplication>

namespace remat::studio {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Activity)
};

} // namespace

ActivityText activityOf(const Session &session, const QString &layout)
{
    if (session.loader.running()) return {session.loader.activity(), session.loader.fraction()};
    if (session.runner.validating()) return {session.runner.activity(), session.runner.fraction()};
    if (const SolveReport &report = session.solver.report(); report.active()) {
        const QString activity = report.progress.activity.empty()
                                     ? Words::tr("Solving")
                                     : Words::tr("Solving: %1").arg(toQString(report.progress.activity));
        return {activity, report.progress.fraction};
    }
    if (session.sweeps.running()) {
        const SweepReport &sweeping = session.sweeps.report();
        return {Words::tr("Sweeping: %1 of %2 plans").arg(sweeping.done).arg(sweeping.total),
                sweeping.total > 0 ? static_cast<double>(sweeping.done) / sweeping.total : -1};
    }
    return {layout, -1};
}

} // namespace remat::studio
