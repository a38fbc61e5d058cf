// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/window_commands.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/workspace/view_list.h"

#include <algorithm>
#include <array>

namespace remat::studio {

namespace {

using Keys = QList<QKeySequence>;

struct Row {
    QLatin1String id;
    Section section;
    QString text;
    const char *icon;
    Keys keys;
    QString tooltip;
};

void addRows(Commands &commands, const std::vector<Row> &rows)
{
    constexpr std::array kOfPanels = {command::kLeftPanel, command::kMemoryPanel, command::kPlanPanel};
    constexpr std::array kFirstOfGroup = {command::kCloseModel, command::kNextModel, command::kFit, command::kNextPanel,
                                          command::kResetLayout};
    constexpr std::array kPanels = {command::kLeftPanel, command::kMemoryPanel,   command::kPlanPanel,
                                    command::kNextPanel, command::kPreviousPanel, command::kResetLayout};
    const auto isIn = [](const auto &ids, QLatin1String id) {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    for (const Row &row : rows)
        commands.add({row.id, row.section, row.text, QLatin1String(row.icon), row.keys, row.tooltip,
                      isIn(kOfPanels, row.id), isIn(kFirstOfGroup, row.id),
                      isIn(kPanels, row.id) ? Commands::tr("Panels") : QString()});
}

/// Views that share a place share a menu.
QString sideTitle(ViewSide side)
{
    switch (side) {
    case ViewSide::Center:
        return Commands::tr("Centre views");
    case ViewSide::Bottom:
        return Commands::tr("Bottom views");
    case ViewSide::Right:
        break;
    }
    return Commands::tr("Right-hand views");
}

} // namespace

void addWindowCommands(Commands &commands)
{
    addRows(
        commands,
        {

            {command::kOpen, Section::File, Commands::tr("Open…"), "folder-open", Keys{QKeySequence::Open},
             Commands::tr("Opens a training graph (.pt2), a graph, a plan or costs (.json), or a session")},
            {command::kReopenClosed, Section::File, Commands::tr("Reopen the closed model"), "rotate-ccw",
             Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_T},
             Commands::tr("The model that was closed last, with its plans; the last session where none was")},
            {command::kReopenLast, Section::File, Commands::tr("Reopen the last session"), "history",
             Keys{Qt::CTRL | Qt::ALT | Qt::Key_O}, Commands::tr("Everything as it was when a window was closed last")},
            {command::kSavePlan, Section::File, Commands::tr("Save plan…"), "save", Keys{QKeySequence::Save},
             Commands::tr("Writes the current plan to a file that PyTorch and the command line read")},
            {command::kTrain, Section::File, Commands::tr("Train with this…"), "file-code",
             Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_X},
             Commands::tr("The lines for your script, and every export with what it takes and what it loses")},
            {command::kSaveSession, Section::File, Commands::tr("Save session…"), "",
             Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_S},
             Commands::tr("Writes everything that is shown to a file that opens again exactly as it is")},
            {command::kStartPage, Section::File, Commands::tr("Start page"), "layers", Keys{Qt::CTRL | Qt::Key_Home},
             Commands::tr("Samples and recent files; open models stay open")},
            {command::kCloseModel, Section::File, Commands::tr("Close model"), "x", Keys{Qt::CTRL | Qt::Key_W},
             Commands::tr("Closes the model that is shown; its plans come back with it")},
            {command::kCloseWindow, Section::File, Commands::tr("Close window"), "",
             Keys{Qt::CTRL | Qt::ALT | Qt::Key_Q}, Commands::tr("Closes this window; others stay")},
            {command::kQuit, Section::File, Commands::tr("Quit"), "", Keys{Qt::CTRL | Qt::Key_Q},
             Commands::tr("Closes all windows")},
            {command::kNewWindow, Section::Window, Commands::tr("New window"), "",
             Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_N},
             Commands::tr("A second window for another model, or another view of this one")},
            {command::kNextModel, Section::Window, Commands::tr("Next model"), "",
             Keys{Qt::CTRL | Qt::Key_Tab, Qt::CTRL | Qt::Key_PageDown}, Commands::tr("Shows the next open model")},
            {command::kPreviousModel, Section::Window, Commands::tr("Previous model"), "",
             Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_Tab, Qt::CTRL | Qt::Key_PageUp},
             Commands::tr("Shows the open model before")},
            {command::kEditBudget, Section::Plan, Commands::tr("Edit the budget"), "sliders-horizontal",
             Keys{Qt::CTRL | Qt::Key_E}, Commands::tr("Goes to the budget field")},
            {command::kGoToFloor, Section::Plan, Commands::tr("Set the smallest budget"), "arrow-down-to-line",
             Keys{Qt::CTRL | Qt::Key_Down}, Commands::tr("The least memory that any plan can do with")},
            {command::kRemovePlan, Section::Plan, Commands::tr("Remove plan"), "trash-2",
             Keys{Qt::CTRL | Qt::Key_Backspace}, Commands::tr("Takes the current plan out of the list")},
            {command::kSolve, Section::Run, Commands::tr("Solve"), "play", Keys{Qt::CTRL | Qt::Key_R},
             Commands::tr("Looks for the fastest plan within the budget")},
            {command::kStop, Section::Run, Commands::tr("Stop"), "square",
             Keys{Qt::CTRL | Qt::Key_Period, QKeySequence(Qt::Key_Escape)},
             Commands::tr("Ends what is running; the best plan found so far stays")},
            {command::kValidate, Section::Run, Commands::tr("Validate"), "shield-check",
             Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_R},
             Commands::tr("Runs the plan and compares loss, gradients and peak with keep-all")},
            {command::kMeasure, Section::Run, Commands::tr("Measure costs on this machine"), "ruler",
             Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_M},
             Commands::tr("Runs every op and takes the measured times as costs")},
            {command::kSweep, Section::Run, Commands::tr("Sweep"), "chart-spline",
             Keys{Qt::CTRL | Qt::SHIFT | Qt::Key_W},
             Commands::tr("Plans many budgets with several planners and shows them as trade-off curves")},
        });
    for (const ViewSpec &view : viewSpecs())
        if (!view.command.isEmpty())
            commands.add({view.command,
                          Section::View,
                          view.title,
                          view.icon,
                          {view.key},
                          view.tooltip,
                          false,
                          false,
                          sideTitle(view.side)});
    addRows(
        commands,
        {
            {command::kFit, Section::View, Commands::tr("Fit the view"), "maximize", Keys{Qt::Key_F},
             Commands::tr(
                 "Centres the selection of the graph, once more shows all of it; all of the time in the memory view")},
            {command::kLeftPanel, Section::View, Commands::tr("Modules and plans panel"), "panel-left",
             Keys{Qt::ALT | Qt::Key_1}, Commands::tr("Shows or hides the left panel")},
            {command::kMemoryPanel, Section::View, Commands::tr("Memory panel"), "panel-bottom",
             Keys{Qt::ALT | Qt::Key_2}, Commands::tr("Shows or hides the memory timeline")},
            {command::kPlanPanel, Section::View, Commands::tr("Plan panel"), "panel-right", Keys{Qt::ALT | Qt::Key_3},
             Commands::tr("Shows the plan panel; hides the right side when it is in front")},
            {command::kNextPanel, Section::View, Commands::tr("Next panel"), "", Keys{Qt::Key_F6},
             Commands::tr("Moves the keyboard to the next panel")},
            {command::kPreviousPanel, Section::View, Commands::tr("Previous panel"), "", Keys{Qt::SHIFT | Qt::Key_F6},
             Commands::tr("Moves the keyboard to the panel before")},
            {command::kResetLayout, Section::View, Commands::tr("Reset layout"), "layout-dashboard",
             Keys{Qt::CTRL | Qt::ALT | Qt::Key_0}, Commands::tr("Puts all panels back to where they were at first")},
            {command::kKeys, Section::Help, Commands::tr("Keys and commands"), "keyboard",
             Keys{QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)},
             Commands::tr("Lists every command and its key")},
            {command::kTracer, Section::Help, Commands::tr("Trace your own model"), "file-code",
             Keys{Qt::SHIFT | Qt::Key_F1},
             Commands::tr("The command that makes a training graph from a PyTorch model")},
            {command::kAbout, Section::Help, Commands::tr("About Remat Studio"), "layers",
             Keys{Qt::CTRL | Qt::ALT | Qt::Key_V}, Commands::tr("Version, licence, and the PyTorch that was found")},
        });
}

} // namespace remat::studio
