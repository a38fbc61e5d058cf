// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/run_on_button.h"

#include <QActionGroup>
#include <QMenu>

namespace remat::studio {

namespace {

QString iconOf(RunOn where)
{
    switch (where) {
    case RunOn::Best:
        return QStringLiteral("monitor");
    case RunOn::Cpu:
        return QStringLiteral("cpu");
    case RunOn::Gpu:
        return QStringLiteral("gpu");
    }
    return {};
}

} // namespace

RunOnButton::RunOnButton(PlanRunner *runner, QWidget *parent)
    : StudioButton({}, iconOf(runner->runOn()), ButtonKind::Plain, parent), m_runner(runner), m_menu(new QMenu(this))
{
    setObjectName(QStringLiteral("runOnButton"));
    setAccessibleName(tr("Device to validate on"));
    setToolTip(tr("The device that plans are validated on"));
    setMenuArrow(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_menu->setToolTipsVisible(true);
    auto *group = new QActionGroup(this);
    const auto add = [&](RunOn where, const QString &text, const QString &tooltip) {
        QAction *action = group->addAction(m_menu->addAction(text));
        action->setCheckable(true);
        action->setChecked(m_runner->runOn() == where);
        action->setToolTip(tooltip);
        connect(action, &QAction::triggered, this, [this, where] { choose(where); });
        return action;
    };
    add(RunOn::Best, tr("The best there is"), tr("The GPU when LibTorch can use one, else the CPU"));
    add(RunOn::Cpu, tr("CPU"), tr("Slower, and always there"));
    m_gpu = add(RunOn::Gpu, tr("GPU"), tr("Looking for a GPU"));
    m_gpu->setEnabled(false);
    connect(m_runner, &PlanRunner::gpuKnown, this, [this](const QString &title, const QString &sentence) {
        m_gpu->setEnabled(!title.isEmpty());
        m_gpu->setText(title.isEmpty() ? tr("GPU: none") : tr("GPU: %1").arg(title));
        m_gpu->setToolTip(title.isEmpty() ? sentence : title);
    });
    connect(this, &QAbstractButton::clicked, this, &RunOnButton::popUp);
}

void RunOnButton::choose(RunOn where)
{
    m_runner->setRunOn(where);
    setIconName(iconOf(where));
}

void RunOnButton::popUp()
{
    m_runner->askForGpu();
    m_menu->popup(mapToGlobal(QPoint(0, height())));
}

} // namespace remat::studio
