// SPDX-License-Identifier: Apache-2.0
// On what device a plan is validated.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/work/jobs/plan_runner.h"

class QActionGroup;

namespace remat::studio {

/// A button with a menu: the best there is, CPU, GPU. Whether there is a GPU is asked when the menu is first opened.
class RunOnButton : public StudioButton
{
    Q_OBJECT
public:
    explicit RunOnButton(PlanRunner *runner, QWidget *parent = nullptr);

private:
    void choose(RunOn where);
    void popUp();

    PlanRunner *m_runner;
    QMenu *m_menu;
    QAction *m_gpu = nullptr;
};

} // namespace remat::studio
