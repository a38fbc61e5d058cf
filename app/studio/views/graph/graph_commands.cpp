// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_commands.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/shared/need_model.h"
#include "app/studio/work/session/session.h"

#include <QSettings>

#include <algorithm>

namespace remat::studio {

namespace {

QString detailsKey()
{
    return QStringLiteral("graph/details");
}

QString wheelKey()
{
    return QStringLiteral("graph/wheelZooms");
}

/// Its menu within the menu View.
QString graphGroup()
{
    return GraphCommands::tr("Graph");
}

} // namespace

GraphCommands::GraphCommands(const ViewHost &host, GraphView *graph) : QObject(graph), m_graph(graph)
{
    addWalks(host);
    addSwitches(host);
}

void GraphCommands::addWalks(const ViewHost &host)
{
    GraphView *graph = m_graph;
    QList<QAction *> all;
    const auto add = [&](const QString &id, const QString &text, const QString &icon, const QKeySequence &key,
                         const QString &tooltip, auto work) {
        QAction *action =
            host.commands.add({id, Section::View, text, icon, {key}, tooltip, false, false, graphGroup()});
        connect(action, &QAction::triggered, this, work);
        all << action;
    };
    add(QStringLiteral("openAll"), tr("Open all clusters"), QStringLiteral("chevrons-up-down"),
        Qt::CTRL | Qt::SHIFT | Qt::Key_Down, tr("Shows every op of the graph"), [graph] {
            graph->expandAll();
            Q_EMIT graph->stateTouched(tr("Open all clusters"));
        });
    add(QStringLiteral("closeAll"), tr("Close all clusters"), QStringLiteral("minimize"),
        Qt::CTRL | Qt::SHIFT | Qt::Key_Up, tr("Shows the outermost clusters only"), [graph] {
            graph->collapseAll();
            Q_EMIT graph->stateTouched(tr("Close all clusters"));
        });
    add(QStringLiteral("followProducer"), tr("To what makes its input"), QStringLiteral("arrow-up"),
        QKeySequence(Qt::Key_BracketLeft), tr("Selects the op that made what the selected op reads"),
        [graph] { graph->follow(false); });
    add(QStringLiteral("followReader"), tr("To what reads its output"), QStringLiteral("arrow-down"),
        QKeySequence(Qt::Key_BracketRight), tr("Selects the op that reads what the selected op makes"),
        [graph] { graph->follow(true); });
    add(QStringLiteral("colourNext"), tr("Next colours"), QStringLiteral("contrast"), QKeySequence(Qt::Key_C),
        tr("Colours cards by state, bytes, time, time error, recomputes, lifetime or idle time"), [graph] {
            const auto &choices = colourChoices();
            const auto now = std::find(choices.begin(), choices.end(), graph->colourBy());
            graph->setColourBy(now + 1 == choices.end() ? choices.front() : *(now + 1));
        });
    add(QStringLiteral("clusterBranches"), tr("Branches of this cluster the other way"), QStringLiteral("git-branch"),
        Qt::SHIFT | Qt::Key_B, tr("Shows the branches of the selected cluster side by side, or below each other"),
        [graph] { graph->switchBranchesHere(); });
    needModel(host.session.document, all);
}

void GraphCommands::addSwitches(const ViewHost &host)
{
    GraphView *graph = m_graph;

    QAction *branches = host.commands.add(
        {QStringLiteral("graphBranches"),
         Section::View,
         tr("Branches side by side"),
         QStringLiteral("git-branch"),
         {QKeySequence(Qt::Key_B)},
         tr("Shows branches of a cluster beside each other, as Graphviz places them, or below each other"),
         true,
         true,
         graphGroup()});
    branches->setChecked(graph->branchesBeside());
    connect(branches, &QAction::triggered, this, [graph](bool on) {
        graph->setBranchesBeside(on);
        Q_EMIT graph->stateTouched(on ? tr("Branches side by side") : tr("Branches below each other"));
    });
    connect(graph, &GraphView::branchesBesideChanged, branches, &QAction::setChecked);

    QAction *details = host.commands.add({QStringLiteral("details"),
                                          Section::View,
                                          tr("Details of the selection"),
                                          QStringLiteral("info"),
                                          {QKeySequence(Qt::Key_I)},
                                          tr("Shows figures and source line of the selected op"),
                                          true,
                                          false,
                                          graphGroup()});
    details->setChecked(QSettings().value(detailsKey(), true).toBool());
    graph->details()->setWanted(details->isChecked());
    connect(details, &QAction::toggled, this, [graph](bool on) {
        graph->details()->setWanted(on);
        QSettings().setValue(detailsKey(), on);
    });
    connect(graph->details(), &DetailsStrip::closed, details, [details] { details->setChecked(false); });

    QAction *wheel =
        host.commands.add({QStringLiteral("wheelZooms"),
                           Section::View,
                           tr("Wheel zooms"),
                           QStringLiteral("zoom-in"),
                           {Qt::CTRL | Qt::ALT | Qt::Key_W},
                           tr("The wheel zooms the graph and scrolls it with Ctrl, instead of the other way round"),
                           true,
                           false,
                           graphGroup()});
    wheel->setChecked(QSettings().value(wheelKey(), false).toBool());
    graph->canvas()->setWheelZooms(wheel->isChecked());
    connect(wheel, &QAction::toggled, this, [graph](bool on) {
        graph->canvas()->setWheelZooms(on);
        QSettings().setValue(wheelKey(), on);
    });
}

} // namespace remat::studio
