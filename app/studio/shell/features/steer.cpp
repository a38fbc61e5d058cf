// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/steer.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/decisions/decisions_box.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "core/views/targets.h"

#include <QContextMenuEvent>
#include <QMainWindow>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace remat::studio {

namespace {

/// For a solve that nobody asked for.
constexpr double kMostSeconds = 10;

bool isReadInBackward(const Graph &graph, OpId op)
{
    const auto &made = graph.op(op).outputs;
    return std::any_of(graph.ops.begin(), graph.ops.end(), [&](const Op &reader) {
        return reader.phase == Phase::Backward &&
               std::any_of(reader.inputs.begin(), reader.inputs.end(),
                           [&](StorageId read) { return std::find(made.begin(), made.end(), read) != made.end(); });
    });
}

} // namespace

Steer::Steer(const FeatureHost &host) : QObject(host.owner), m_host(host)
{
    addCommand(Decision::Keep, QStringLiteral("decide.keep"), tr("Keep"), Qt::Key_K,
               tr("Plans keep what is selected on the device until its last use"));
    addCommand(Decision::Recompute, QStringLiteral("decide.recompute"), tr("Recompute"), Qt::Key_R,
               tr("Plans drop what is selected after the forward pass and compute it again"));
    addCommand(Decision::Never, QStringLiteral("decide.never"), tr("Never recompute"), Qt::Key_N,
               tr("Plans compute what is selected once"));
    addCommand(Decision::Clear, QStringLiteral("decide.clear"), tr("Clear decision"), Qt::Key_U,
               tr("Leaves what is selected to the planner again"));
    m_clearAll = host.commands.add({QStringLiteral("decide.clearAll"),
                                    Section::Plan,
                                    tr("Clear all decisions"),
                                    QStringLiteral("pin-off"),
                                    {Qt::SHIFT | Qt::Key_U},
                                    tr("Takes every decision made by hand back")});
    connect(m_clearAll, &QAction::triggered, this, [this] { m_host.session.document.setPins({}); });

    PlanPanel *panel = host.workspace.planPanel();
    panel->addSection(PlanPanel::Section::Decisions,
                      new DecisionsLine(&host.session.document, &host.session.quick,
                                        host.commands.find(QStringLiteral("showDecisions")), panel));

    Document &document = host.session.document;
    connect(host.workspace.graph(), &GraphView::clusterSelected, this, [this](const QString &path) {
        m_cluster = path.toStdString();
        showEnabled();
    });
    connect(&document, &Document::selectionChanged, this, &Steer::showEnabled);
    connect(&document, &Document::modelChanged, this, [this] {
        m_cluster.clear();
        m_again.reset();
        m_asked = false;
        showEnabled();
    });
    connect(&document, &Document::pinsChanged, this, &Steer::planAgain);
    connect(&host.session.quick, &QuickPlanner::followed, this, &Steer::solveAgain);
    host.workspace.graph()->canvas()->installEventFilter(this);
    host.workspace.memory()->canvas()->installEventFilter(this);
    showEnabled();
}

QAction *Steer::addCommand(Decision decision, const QString &id, const QString &text, int key, const QString &tooltip)
{
    QAction *action = m_host.commands.add({id,
                                           Section::Plan,
                                           text,
                                           DecisionsModel::iconOf(decision),
                                           {QKeySequence(key)},
                                           tooltip,
                                           false,
                                           decision == Decision::Keep});
    m_actions[decision] = action;
    connect(action, &QAction::triggered, this, [this, decision] { decide(decision); });
    return action;
}

void Steer::planAgain()
{
    const auto current = m_host.session.document.currentPlan();
    // The plan of a decision before this one is quick as long as its solve runs.
    if (current && !current->quick) m_again = m_host.session.solver.settingsOf(current->id);
    m_asked = m_again.has_value();
    m_host.session.quick.refresh();
    showEnabled();
}

void Steer::solveAgain()
{
    if (!std::exchange(m_asked, false)) return;
    const Document &document = m_host.session.document;
    const auto current = document.currentPlan();
    if (!current) return;
    // A solved plan that follows the decisions was known already.
    if (!current->quick && !pinsViolated(document.model()->graph(), current->plan->steps, document.pins())) return;
    SolveSettings settings = *m_again;
    settings.timeLimitSeconds = std::min(settings.timeLimitSeconds, kMostSeconds);
    m_host.session.solver.solveByItself(settings);
}

void Steer::decide(Decision decision)
{
    Document &document = m_host.session.document;
    const auto model = document.model();
    if (!model) return;
    const Graph &graph = model->graph();
    const Targets targets = targetsOf(graph, document.selection(), m_host.workspace.graph()->scene().tree, m_cluster);
    const Pins pins = decided(graph, document.pins(), decision, targets);
    if (pins != document.pins()) {
        document.setPins(pins);
        const bool alone = decision == Decision::Recompute && targets.ops.size() == 1;
        if (alone && !isReadInBackward(graph, targets.ops.front()))
            m_host.say(Notice::news(
                tr("Nothing in the backward pass reads what %1 makes: plans drop it after its last use anyway, so this "
                   "changes nothing by itself. Choose an op after it that the backward pass reads.")
                    .arg(toQString(graph.op(targets.ops.front()).name))));
        return;
    }
    if (decision != Decision::Recompute || targets.empty()) return;
    const std::string why = whyNotRecompute(graph, targets.ops.front());
    if (why.empty()) return; // decided so already
    m_host.say(Notice::news(targets.ops.size() == 1
                                ? toQString(why)
                                : tr("Nothing in this cluster can be computed again after the forward pass.")));
}

void Steer::showEnabled()
{
    const Document &document = m_host.session.document;
    const bool selected = document.model() && (document.selection() != Selection{} || !m_cluster.empty());
    for (const auto &[decision, action] : m_actions)
        action->setEnabled(selected && (decision != Decision::Clear || !document.pins().empty()));
    m_clearAll->setEnabled(!document.pins().empty());
}

bool Steer::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::ContextMenu) return QObject::eventFilter(watched, event);
    auto *widget = static_cast<QWidget *>(watched);
    auto *asked = static_cast<QContextMenuEvent *>(event);
    if (asked->reason() == QContextMenuEvent::Mouse) {
        // The menu is about what was clicked.
        const QPointF at = asked->pos();
        for (const QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
            QMouseEvent click(type, at, widget->mapToGlobal(at), Qt::LeftButton,
                              type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton, Qt::NoModifier);
            QCoreApplication::sendEvent(widget, &click);
        }
    }
    auto *menu = new QMenu(widget);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("decisionsMenu"));
    for (const Decision decision : {Decision::Keep, Decision::Recompute, Decision::Never, Decision::Clear})
        menu->addAction(m_actions.at(decision));
    QMenu *chunks = menu->addMenu(tr("Chunks"));
    for (const Commands::Item &item : m_host.commands.items())
        if (item.action->objectName().startsWith(QLatin1String("chunk."))) chunks->addAction(item.action);
    if (QAction *puzzle = m_host.commands.find(QStringLiteral("puzzle.make"))) {
        menu->addSeparator();
        menu->addAction(puzzle);
    }
    menu->popup(asked->globalPos());
    return true;
}

} // namespace remat::studio
