#include "app/studio/window/activity.h"

#include "app/studio/document/text.h"
#include "app/studio/window/session.h"

#include <QCoreApplication>

namespace remat::studio {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Activity)
};

} // namespace

ActivityText activityOf(const Session &session, const QString &layout)
{
    if (session.loader.running()) return {session.loader.stage(), session.loader.fraction()};
    if (session.runner.validating()) return {session.runner.stage(), session.runner.fraction()};
    if (const SolveReport &report = session.solver.report(); report.active()) {
        const QString stage = report.progress.activity.empty()
                                  ? Words::tr("Solving")
                                  : Words::tr("Solving: %1").arg(toQString(report.progress.activity));
        return {stage, report.progress.fraction};
    }
    if (session.sweeps.running()) {
        const SweepReport &sweeping = session.sweeps.report();
        return {Words::tr("Sweeping: %1 of %2 plans").arg(sweeping.done).arg(sweeping.total),
                sweeping.total > 0 ? static_cast<double>(sweeping.done) / sweeping.total : -1};
    }
    return {layout, -1};
}

} // namespace remat::studio
