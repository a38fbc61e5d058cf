// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/explain.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/explain/explain_view.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/shared/need_model.h"
#include "core/plan/checker.h"

#include <QEvent>
#include <QMainWindow>

namespace remat::studio {

Explain::Explain(const FeatureHost &host) : QObject(host.owner)
{
    PlanPanel *panel = host.workspace.planPanel();
    auto *card = new ExplanationCard(panel);
    card->setObjectName(QStringLiteral("explainCard"));
    auto *view = host.workspace.view<ExplainView>();
    m_explainer = view->explainer();
    m_explainer->setWanted([panel, view] {
        if (view->isVisible()) return StoryDepth::All;
        return panel->isVisible() ? StoryDepth::Selection : StoryDepth::Nothing;
    });
    connect(m_explainer, &Explainer::changed, card,
            [this, card] { card->setExplanation(m_explainer->story().selected); });
    connect(card, &ExplanationCard::followed, m_explainer, &Explainer::follow);
    GraphView *graph = host.workspace.graph();
    connect(graph, &GraphView::clusterSelected, this, [this, graph](const QString &path) {
        const GraphTree &tree = graph->scene().tree;
        const int at = path.isEmpty() ? -1 : tree.find(path.toStdString());
        if (at < 0) return m_explainer->setCluster({});
        const GraphNode &node = tree.node(at);
        m_explainer->setCluster({QString::fromStdString(node.title), node.forwardOps, node.backwardOps});
    });
    panel->addSection(PlanPanel::Section::Explain, card);
    panel->installEventFilter(this);
    addShowStep(host);
}

bool Explain::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Show) m_explainer->refresh();
    return QObject::eventFilter(watched, event);
}

void Explain::addShowStep(const FeatureHost &host)
{
    QAction *action = host.commands.add({QStringLiteral("showFailedStep"),
                                         Section::Plan,
                                         tr("Show step"),
                                         QStringLiteral("crosshair"),
                                         {Qt::CTRL | Qt::SHIFT | Qt::Key_V},
                                         tr("Moves the cursor to the first step that breaks a rule")});
    Document *document = &host.session.document;
    const auto failed = [document] {
        const auto entry = document->currentPlan();
        return document->model() && entry && entry->check && !entry->check->ok;
    };
    connect(action, &QAction::triggered, this, [document, failed] {
        if (!failed()) return;
        const Verdict verdict =
            checkPlan(document->model()->graph(), *document->model()->costs, *document->currentPlan()->plan);
        if (verdict.step >= 0) showStep(*document, static_cast<int>(verdict.step));
    });
    auto *button = new StudioButton(action->text(), QStringLiteral("crosshair"), ButtonKind::Plain);
    button->setObjectName(QStringLiteral("showStepButton"));
    button->followAction(action);
    host.workspace.planPanel()->addSection(PlanPanel::Section::Explain, button);
    const auto enable = [action, button, failed] {
        action->setEnabled(failed());
        button->setVisible(failed());
    };
    connect(document, &Document::currentPlanChanged, this, enable);
    enable();
}

} // namespace remat::studio
