// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/step_updates.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/views/shared/need_model.h"
#include "app/studio/work/session/session.h"
#include "core/graph/optimizer.h"

#include <QMainWindow>

namespace remat::studio {

StepUpdates::StepUpdates(const FeatureHost &host) : QObject(host.owner), m_session(host.session)
{
    const auto add = [&](const QString &name, const QString &text, const QString &tooltip, bool separator) {
        QAction *action = host.commands.add({QStringLiteral("updates.") + name,
                                             Section::Plan,
                                             text,
                                             QStringLiteral("refresh-cw"),
                                             {},
                                             tooltip,
                                             true,
                                             separator,
                                             tr("Updates in the step")});
        needModel(m_session.document, {action});
        return action;
    };
    for (const KnownOptimizer &known : knownOptimizers()) {
        const QString title = QString::fromLatin1(known.title ? known.title : "");
        QAction *action =
            add(QString::fromLatin1(known.name), known.title ? tr("Updates of %1").arg(title) : tr("No updates"),
                known.title
                    ? tr("Opens the model once more, with an update behind each gradient: weights and states may leave")
                    : tr("Opens the model as it was traced: forward and backward pass"),
                false);
        m_choices.push_back({action, known.name});
        connect(action, &QAction::triggered, this, [this, name = std::string(known.name)] {
            choose(name, m_session.document.model()->open->updates.onHost);
        });
    }
    m_onHost = add(QStringLiteral("onHost"), tr("Updates on the host"),
                   tr("The CPU computes them, on copies in its memory; the optimizer's states stay there"), true);
    connect(m_onHost, &QAction::triggered, this,
            [this](bool on) { choose(m_session.document.model()->open->updates.optimizer, on); });
    connect(&m_session.document, &Document::modelChanged, this, &StepUpdates::show);
    show();
}

void StepUpdates::choose(const std::string &optimizer, bool onHost)
{
    const auto model = m_session.document.model();
    if (!model) return;
    const Updates &now = model->open->updates;
    const Updates wanted{optimizer == "none" ? std::string() : optimizer, now.at, onHost};
    show(); // what is in use, until the other is there
    if (wanted.optimizer == now.optimizer && (!wanted.given() || wanted.onHost == now.onHost)) return;
    m_session.loader.open(m_session.loader.modelPath(), {}, wanted);
}

void StepUpdates::show()
{
    const auto model = m_session.document.model();
    const Updates updates = model ? model->open->updates : Updates();
    for (const Choice &choice : m_choices)
        choice.action->setChecked(updates.given() ? choice.optimizer == updates.optimizer : choice.optimizer == "none");
    m_onHost->setChecked(updates.given() && updates.onHost);
    m_onHost->setEnabled(updates.given());
}

} // namespace remat::studio
