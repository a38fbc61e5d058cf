#include "app/studio/base/commands/commands.h"

#include "app/studio/base/style/theme.h"

#include <QWidget>

namespace remat::studio {

QString plainText(const QAction &action)
{
    return action.text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

Commands::Commands(QWidget *window) : QObject(window), m_window(window)
{
    using Keys = QList<QKeySequence>;
    struct Spec {
        Command command;
        Section section;
        const char *name; ///< object name
        QString text;
        const char *icon;
        Keys keys;
        QString tooltip;
    };
    const std::vector<Spec> specs = {
        {Command::Open, Section::File, "open", tr("Open…"), "folder-open", Keys{QKeySequence::Open},
         tr("Opens a training graph (.pt2), a graph (.json) or a session")},
        {Command::ReopenClosed, Section::File, "reopenClosed", tr("Reopen the closed model"), "rotate-ccw",
         Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_T},
         tr("The model that was closed last, with its plans; the last session where none was")},
        {Command::ReopenLast, Section::File, "reopenLast", tr("Reopen the last session"), "history",
         Keys{Qt::CTRL | Qt::ALT | Qt::Key_O}, tr("Everything as it was when a window was closed last")},
        {Command::SavePlan, Section::File, "savePlan", tr("Save plan…"), "save", Keys{QKeySequence::Save},
         tr("Writes the current plan to a file that PyTorch and the command line read")},
        {Command::SaveSession, Section::File, "saveSession", tr("Save session…"), "",
         Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_S},
         tr("Writes everything that is shown to a file that opens again exactly as it is")},
        {Command::StartPage, Section::File, "startPage", tr("Start page"), "layers", Keys{Qt::CTRL | Qt::Key_Home},
         tr("Samples and recent files; open models stay open")},
        {Command::CloseModel, Section::File, "closeModel", tr("Close model"), "x", Keys{Qt::CTRL | Qt::Key_W},
         tr("Closes the model that is shown; its plans come back with it")},
        {Command::CloseWindow, Section::File, "closeWindow", tr("Close window"), "",
         Keys{Qt::CTRL | Qt::ALT | Qt::Key_Q}, tr("Closes this window; others stay")},
        {Command::Quit, Section::File, "quit", tr("Quit"), "", Keys{Qt::CTRL | Qt::Key_Q}, tr("Closes all windows")},
        {Command::NewWindow, Section::Window, "newWindow", tr("New window"), "", Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_N},
         tr("A second window for another model, or another view of this one")},
        {Command::NextModel, Section::Window, "nextModel", tr("Next model"), "",
         Keys{Qt::CTRL | Qt::Key_Tab, Qt::CTRL | Qt::Key_PageDown}, tr("Shows the next open model")},
        {Command::PreviousModel, Section::Window, "previousModel", tr("Previous model"), "",
         Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_Tab, Qt::CTRL | Qt::Key_PageUp}, tr("Shows the open model before")},
        {Command::EditBudget, Section::Plan, "editBudget", tr("Edit the budget"), "sliders-horizontal",
         Keys{Qt::CTRL | Qt::Key_E}, tr("Goes to the budget field")},
        {Command::GoToFloor, Section::Plan, "goToFloorAction", tr("Go to the floor"), "arrow-down-to-line",
         Keys{Qt::CTRL | Qt::Key_Down}, tr("Sets the budget to the smallest peak any plan can have")},
        {Command::RemovePlan, Section::Plan, "removePlan", tr("Remove plan"), "trash-2",
         Keys{Qt::CTRL | Qt::Key_Backspace}, tr("Takes the current plan out of the list")},
        {Command::Solve, Section::Run, "solve", tr("Solve"), "play", Keys{Qt::CTRL | Qt::Key_R},
         tr("Looks for the fastest plan within the budget")},
        {Command::Stop, Section::Run, "stop", tr("Stop"), "square",
         Keys{Qt::CTRL | Qt::Key_Period, QKeySequence(Qt::Key_Escape)},
         tr("Ends what is running; the best plan found so far stays")},
        {Command::Validate, Section::Run, "validate", tr("Validate"), "shield-check",
         Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_R},
         tr("Runs the plan and compares loss, gradients and peak with keep-all")},
        {Command::Measure, Section::Run, "measure", tr("Measure costs on this machine"), "ruler",
         Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_M}, tr("Runs every op and takes the measured times as costs")},
        {Command::Sweep, Section::Run, "sweep", tr("Sweep"), "chart-spline", Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_W},
         tr("Plans many budgets with several planners and shows them as trade-off curves")},
        {Command::ShowGraph, Section::View, "showGraph", tr("Graph"), "workflow", Keys{Qt::ALT | Qt::Key_4},
         tr("Shows the graph in the centre")},
        {Command::ShowCurve, Section::View, "showCurve", tr("Trade-off"), "chart-spline", Keys{Qt::ALT | Qt::Key_5},
         tr("Shows overhead over peak memory of all plans in the centre")},
        {Command::Fit, Section::View, "fit", tr("Fit the view"), "maximize", Keys{Qt::Key_F},
         tr("Centres the selection of the graph, once more shows all of it; all of the time in the memory view")},
        {Command::LeftPanel, Section::View, "leftPanel", tr("Modules and plans panel"), "panel-left",
         Keys{Qt::ALT | Qt::Key_1}, tr("Shows or hides the left panel")},
        {Command::MemoryPanel, Section::View, "memoryPanel", tr("Memory panel"), "panel-bottom",
         Keys{Qt::ALT | Qt::Key_2}, tr("Shows or hides the memory timeline")},
        {Command::PlanPanel, Section::View, "planPanelAction", tr("Plan panel"), "panel-right",
         Keys{Qt::ALT | Qt::Key_3}, tr("Shows or hides the plan panel")},
        {Command::NextPanel, Section::View, "nextPanel", tr("Next panel"), "", Keys{Qt::Key_F6},
         tr("Moves the keyboard to the next panel")},
        {Command::PreviousPanel, Section::View, "previousPanel", tr("Previous panel"), "", Keys{Qt::SHIFT | Qt::Key_F6},
         tr("Moves the keyboard to the panel before")},
        {Command::ResetLayout, Section::View, "resetLayout", tr("Reset layout"), "layout-dashboard",
         Keys{Qt::CTRL | Qt::ALT | Qt::Key_0}, tr("Puts all panels back to where they were at first")},
        {Command::Keys, Section::Help, "keys", tr("Keys and commands"), "keyboard",
         Keys{QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)}, tr("Lists every command and its key")},
        {Command::Tracer, Section::Help, "tracer", tr("Trace your own model"), "file-code",
         Keys{Qt::SHIFT | Qt::Key_F1}, tr("The command that makes a training graph from a PyTorch model")},
    };
    for (const Spec &spec : specs) {
        const bool panel = spec.command == Command::LeftPanel || spec.command == Command::MemoryPanel ||
                           spec.command == Command::PlanPanel;
        const bool first = spec.command == Command::CloseModel || spec.command == Command::NextModel ||
                           spec.command == Command::LeftPanel || spec.command == Command::NextPanel;
        const CommandSpec made = {QLatin1String(spec.name),
                                  spec.section,
                                  spec.text,
                                  QLatin1String(spec.icon),
                                  spec.keys,
                                  spec.tooltip,
                                  panel,
                                  first};
        m_byCommand.emplace(spec.command, add(made));
    }
}

QAction *Commands::add(const CommandSpec &spec)
{
    auto *action = new QAction(spec.text, this);
    action->setObjectName(spec.id);
    action->setShortcuts(spec.keys);
    action->setShortcutContext(Qt::WindowShortcut);
    action->setCheckable(spec.checkable);
    action->setToolTip(spec.keys.isEmpty() ? spec.tooltip
                                           : QStringLiteral("%1 (%2)").arg(
                                                 spec.tooltip, spec.keys.front().toString(QKeySequence::NativeText)));
    action->setStatusTip(spec.tooltip);
    action->setProperty("iconName", spec.icon);
    if (!spec.icon.isEmpty()) action->setIcon(Theme::instance().icon(spec.icon));
    m_window->addAction(action);
    m_items.push_back({spec.section, action, spec.separatorBefore});
    return action;
}

QAction *Commands::find(const QString &id) const
{
    return findChild<QAction *>(id, Qt::FindDirectChildrenOnly);
}

const std::vector<Section> &Commands::sections()
{
    static const std::vector<Section> all = {Section::File, Section::Edit,   Section::View, Section::Plan,
                                             Section::Run,  Section::Window, Section::Help};
    return all;
}

QString Commands::sectionTitle(Section section)
{
    switch (section) {
    case Section::File:
        return tr("File");
    case Section::Edit:
        return tr("Edit");
    case Section::Plan:
        return tr("Plan");
    case Section::Run:
        return tr("Run");
    case Section::View:
        return tr("View");
    case Section::Window:
        return tr("Window");
    case Section::Help:
        return tr("Help");
    }
    return {};
}

} // namespace remat::studio
