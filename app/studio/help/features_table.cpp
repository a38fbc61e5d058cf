#include "app/studio/help/features_table.h"

#include <QCoreApplication>

namespace remat::studio {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Features", text);
}

FeatureRow row(const QString &title, const QString &place, const char *command, const QString &sentence)
{
    return {title, place, sentence, QString::fromLatin1(command)};
}

} // namespace

const std::vector<FeatureRow> &featureRows()
{
    static const std::vector<FeatureRow> rows = {
        row(tr("Open a model"), tr("File menu, or drop a file on the window"), "open",
            tr("Training graphs from PyTorch (.pt2) and graphs as JSON; recent ones with Ctrl+1 to Ctrl+9.")),
        row(tr("Samples and recent files"), tr("Start page"), "startPage",
            tr("Built-in models, and what was open before.")),
        row(tr("Trace your own model"), tr("Help menu"), "tracer",
            tr("The command that makes a training graph from a PyTorch model.")),
        row(tr("Session in a file"), tr("File menu"), "saveSession",
            tr("Model, plans, solves, settings, views and layout; it opens again as it was.")),
        row(tr("Last session"), tr("File menu, start page"), "reopenLast",
            tr("Everything as it was when the window was closed.")),
        row(tr("Several windows"), tr("Window menu"), "newWindow",
            tr("Another model beside this one, or another view of the same.")),
        row(tr("Graph of nested clusters"), tr("Centre, tab Graph"), "showGraph",
            tr("Forward and backward side by side; a double-click opens a cluster in place, Backspace goes up.")),
        row(tr("Kept, recomputed, offloaded"), tr("Graph, colour and glyph of each card"), "showGraph",
            tr("What the plan does with each op's values; arrows to the backward pass show for the selection.")),
        row(tr("Identical blocks as a stack"), tr("Graph, cards with ×12"), "openAll",
            tr("One of them stands for all; Ctrl+Up and Ctrl+Down choose which.")),
        row(tr("Colours by any number"), tr("Graph, Colour by at the right"), "colourNext",
            tr("Bytes, time, recomputes, lifetime and idle time, with a legend.")),
        row(tr("Overview of the graph"), tr("Graph, lower right"), "fit",
            tr("The frame is what is seen; drag it to move.")),
        row(tr("Source line of an op"), tr("Graph, strip below"), "details",
            tr("Kind, shape, figures, the line of your code, and links to what it reads and feeds.")),
        row(tr("What reads it, what makes it"), tr("Brackets on the keyboard"), "followReader",
            tr("Follows the data from op to op.")),
        row(tr("Memory over time"), tr("Bottom, tab Memory"), "memoryPanel",
            tr("What is held at each step, with keep-all behind it, the peak, and an overview to move in.")),
        row(tr("Largest storages by name"), tr("Memory, header"), "showMemory",
            tr("The bands of the largest storages, and one for the rest.")),
        row(tr("Lanes of compute and copies"), tr("Bottom, tab Lanes"), "show.lanes",
            tr("What runs when: compute, recompute, copies out and in, and what waits.")),
        row(tr("Address map"), tr("Bottom, tab Address map"), "show.addresses",
            tr("Where each storage lies over time, with gaps, height and replay.")),
        row(tr("R/S matrix"), tr("Centre, tab R/S matrix"), "show.matrix",
            tr("What is computed and what is kept at each step, as papers draw it.")),
        row(tr("Measure a range of time"), tr("Memory and Lanes, drag on the axis"), "measureRange",
            tr("Length, bytes and ops of any stretch; exports take it.")),
        row(tr("Budget"), tr("Red line, slider and field; all are one"), "editBudget",
            tr("A plan follows while it is dragged; the better planner takes over when it rests.")),
        row(tr("Smallest possible budget"), tr("Plan menu"), "goToFloorAction", tr("No plan has a smaller peak.")),
        row(tr("Solve"), tr("Plan panel"), "solve",
            tr("Looks for the fastest plan in the background, with its bound and gap.")),
        row(tr("Stop"), tr("Plan panel"), "stop", tr("Ends what is running and keeps the best plan so far.")),
        row(tr("Queue of solves"), tr("Right, Jobs"), "showJobs", tr("What waits, what runs, and how each one ended.")),
        row(tr("Verdict on every plan"), tr("Badge in the tool bar"), "validate",
            tr("Every plan is replayed by an independent checker; a real run compares loss, gradients and peak.")),
        row(tr("Keep, recompute, never recompute"), tr("Plan menu, or the menu of a card"), "decide.keep",
            tr("Decisions by hand for ops, storages and clusters; planners work around them.")),
        row(tr("Why it is so"), tr("Right, Explain"), "showExplain",
            tr("What makes the peak, what binds, what more memory buys; why an op is recomputed, kept or "
               "offloaded, and what becomes of a cluster.")),
        row(tr("Trade-off of memory and time"), tr("Centre, tab Trade-off"), "showCurve",
            tr("Every plan as a point, fronts of planners, bounds and device sizes.")),
        row(tr("Sweep over budgets"), tr("Trade-off, strip above"), "sweep",
            tr("Plans many budgets with several planners.")),
        row(tr("Compare plans"), tr("Centre, tab Compare"), "showCompare",
            tr("Two to four plans over each other, with every difference in a table.")),
        row(tr("Step through a plan"), tr("Strip below the views"), "stepPlayer",
            tr("Play, pause and step; it says what each step does.")),
        row(tr("Find ops by filters"), tr("Bar above the graph"), "find",
            tr("A name, or kind:addmm module:h.11 dtype:f32 size>10MiB time>1ms recomputed phase:backward.")),
        row(tr("List of what was found"), tr("Bottom, tab Results"), "showResults",
            tr("All matches with their figures.")),
        row(tr("Any command by name"), tr("Field in the tool bar"), "palette",
            tr("Commands, ops, storages and help in one list.")),
        row(tr("Undo and history"), tr("Edit menu"), "history",
            tr("Every change of plan, budget and view can be taken back.")),
        row(tr("Back and forward"), tr("View menu"), "viewBack", tr("To what was looked at before.")),
        row(tr("Pictures of views"), tr("File menu"), "exportView", tr("Any view as SVG, PDF or PNG.")),
        row(tr("Tables as CSV"), tr("File menu"), "exportTable",
            tr("What a view shows, or its chosen range, as a table.")),
        row(tr("Plan as code"), tr("File menu"), "exportPlan", tr("Python, CSV, Chrome trace or Graphviz.")),
        row(tr("Chrome trace"), tr("File menu"), "exportPlan.chrome-trace",
            tr("Lanes and memory of the plan, for Perfetto and chrome://tracing.")),
        row(tr("Report"), tr("File menu"), "report", tr("One page with figures and curves.")),
        row(tr("Plan as a file"), tr("File menu"), "savePlan",
            tr("PyTorch and the command line read it; remat does the same without a window.")),
        row(tr("Measured costs"), tr("Run menu"), "measure",
            tr("Runs every op and takes its measured time; the graph's strip shows it beside the predicted one.")),
        row(tr("Linked views"), tr("Everywhere"), "rangeOfSelection",
            tr("What is selected or under the mouse in one view is so in all; time, cursor and range are shared.")),
        row(tr("Menus of tables"), tr("Right click on a row"), "showResults",
            tr("Copies a row, shows it in the graph, and writes the table.")),
        row(tr("By keys alone"), tr("Window"), "nextPanel",
            tr("F6 goes round the panels, Tab and arrows through each.")),
        row(tr("Arrangements"), tr("Tool bar: Plan, Compare, Learn"), "preset.plan",
            tr("Each keeps its own panels and views.")),
        row(tr("Panels in windows of their own"), tr("Window menu"), "float.memoryDock",
            tr("By its title such a window can be dragged to another side of the main one.")),
        row(tr("Layout of panels"), tr("View menu"), "resetLayout",
            tr("Panels can be moved, sized and hidden; this puts them back.")),
        row(tr("Light, dark and high contrast"), tr("View menu"), "theme.system",
            tr("Colours follow the system, or stay as chosen.")),
        row(tr("Size of text and controls"), tr("View menu"), "scale.up", tr("80 to 200 %.")),
        row(tr("All keys"), tr("Help menu"), "keys", tr("Every command and gesture, with a search.")),
    };
    return rows;
}

} // namespace remat::studio
