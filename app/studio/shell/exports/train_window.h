// SPDX-License-Identifier: Apache-2.0
// "Train with this": the lines to paste into a training script, and every other way of taking the plan along.
#pragma once

#include "app/studio/shell/workspace/feature.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "core/exports/exporter.h"
#include "core/model/open_model.h"

#include <QDialog>

class QVBoxLayout;

namespace remat::studio {

class Exports;

/// One way of training with a plan.
struct TrainRoute {
    const ExportFormat *format = nullptr;
    RouteFigures figures; ///< all 0 where the file holds the plan itself
    QString problem;      ///< why the plan cannot be put in this form; empty when it can
};

/// All forms that people train with: the plan itself first, then by added time. O(forms × steps × degree); any thread.
std::vector<TrainRoute> trainRoutes(const CostedModel &model, const Plan &plan);

/// Who runs the step of a script.
enum class TrainPath {
    Loop,     ///< a compiled function of the user's: `torch.compile(backend="remat")`
    Module,   ///< a library that takes a module: `remat_studio.planned`
    Inductor, ///< plain `torch.compile`, whose kernels stay: `remat_studio.install`
};

/// The lines for a script, with this budget.
QString trainLines(TrainPath path, std::int64_t budgetBytes);

/// How to train with the plan that is current when it opens. GUI thread only.
class TrainWindow : public QDialog
{
    Q_OBJECT
public:
    TrainWindow(const FeatureHost &host, Exports &exports);

private:
    QWidget *makeLines(QWidget *body);
    void showRoutes(const std::vector<TrainRoute> &routes);

    FeatureHost m_host;
    Exports &m_exports;
    QVBoxLayout *m_routes;
    JobTracker m_tracker;
};

} // namespace remat::studio
