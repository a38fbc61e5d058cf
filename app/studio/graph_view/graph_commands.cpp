#include "app/studio/graph_view/graph_commands.h"

#include "app/studio/graph_view/graph_view.h"
#include "app/studio/window/commands.h"
#include "app/studio/window/left_panel.h"
#include "app/studio/window/session.h"
#include "app/studio/window/workspace.h"

#include <QMainWindow>
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

} // namespace

GraphCommands::GraphCommands(const FeatureHost &host) : QObject(host.window), m_graph(host.workspace.graph())
{
    wire(host);
    keepState(host);
    Document *document = &host.session.document;
    const auto enable = [this, document] {
        for (QAction *action : m_needModel)
            action->setEnabled(document->model() != nullptr);
    };
    connect(document, &Document::modelChanged, this, enable);
    enable();
}

void GraphCommands::wire(const FeatureHost &host)
{
    GraphView *graph = m_graph;
    connect(add(host, "openAll", tr("Open all clusters"), QStringLiteral("chevrons-up-down"),
                QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Down), tr("Shows every op of the graph")),
            &QAction::triggered, this, [graph] {
                graph->expandAll();
                Q_EMIT graph->stateTouched(tr("Open all clusters"));
            });
    connect(add(host, "closeAll", tr("Close all clusters"), QStringLiteral("minimize"),
                QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Up), tr("Shows the outermost clusters only")),
            &QAction::triggered, this, [graph] {
                graph->collapseAll();
                Q_EMIT graph->stateTouched(tr("Close all clusters"));
            });
    connect(add(host, "followProducer", tr("To what makes its input"), QStringLiteral("arrow-up"),
                QKeySequence(Qt::Key_BracketLeft), tr("Selects the op that made what the selected op reads")),
            &QAction::triggered, this, [graph] { graph->follow(false); });
    connect(add(host, "followReader", tr("To what reads its output"), QStringLiteral("arrow-down"),
                QKeySequence(Qt::Key_BracketRight), tr("Selects the op that reads what the selected op makes")),
            &QAction::triggered, this, [graph] { graph->follow(true); });
    connect(add(host, "colourNext", tr("Next colours"), QStringLiteral("contrast"), QKeySequence(Qt::Key_C),
                tr("Colours cards by state, bytes, time, recomputes, lifetime or idle time")),
            &QAction::triggered, this, [graph] {
                const auto &all = colourChoices();
                const auto now = std::find(all.begin(), all.end(), graph->colourBy());
                graph->setColourBy(now + 1 == all.end() ? all.front() : *(now + 1));
            });

    QAction *details = add(host, "details", tr("Details of the selection"), QStringLiteral("info"),
                           QKeySequence(Qt::Key_I), tr("Shows figures and source line of the selected op"), true);
    details->setChecked(QSettings().value(detailsKey(), true).toBool());
    graph->details()->setWanted(details->isChecked());
    connect(details, &QAction::toggled, this, [graph](bool on) {
        graph->details()->setWanted(on);
        QSettings().setValue(detailsKey(), on);
    });
    connect(graph->details(), &DetailsStrip::closed, details, [details] { details->setChecked(false); });

    QAction *wheel = add(
        host, "wheelZooms", tr("Wheel zooms"), QStringLiteral("zoom-in"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_W),
        tr("The wheel zooms the graph and scrolls it with Ctrl, instead of the other way round"), true);
    wheel->setChecked(QSettings().value(wheelKey(), false).toBool());
    graph->canvas()->setWheelZooms(wheel->isChecked());
    connect(wheel, &QAction::toggled, this, [graph](bool on) {
        graph->canvas()->setWheelZooms(on);
        QSettings().setValue(wheelKey(), on);
    });
}

void GraphCommands::keepState(const FeatureHost &host)
{
    GraphView *graph = m_graph;
    ViewStates *states = &host.session.viewStates;
    const QString key = QStringLiteral("graph");
    states->add(key, {[graph] { return graph->saveState(); },
                      [graph](const QJsonObject &state) { graph->restoreState(state); }});
    connect(graph, &GraphView::stateTouched, this, [states, key](const QString &what) { states->touch(key, what); });
    connect(graph, &GraphView::hierarchyChanged, host.workspace.leftPanel(), &LeftPanel::setHierarchy);
    connect(host.workspace.leftPanel(), &LeftPanel::hierarchyChanged, this, [states, key](Hierarchy hierarchy) {
        states->touch(key, hierarchy == Hierarchy::Modules ? tr("Show modules") : tr("Show the partition"));
    });
}

QAction *GraphCommands::add(const FeatureHost &host, const char *id, const QString &text, const QString &icon,
                            const QKeySequence &key, const QString &tooltip, bool checkable)
{
    CommandSpec spec;
    spec.id = QString::fromLatin1(id);
    spec.section = Section::View;
    spec.text = text;
    spec.icon = icon;
    spec.keys = {key};
    spec.tooltip = tooltip;
    spec.checkable = checkable;
    spec.separatorBefore = m_needModel.isEmpty();
    QAction *action = host.commands.add(spec);
    if (!checkable) m_needModel << action;
    return action;
}

} // namespace remat::studio
