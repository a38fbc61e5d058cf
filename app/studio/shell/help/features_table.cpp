// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/help/features_table.h"

#include "app/studio/shell/workspace/view_list.h"

#include <QCoreApplication>

namespace remat::studio {

namespace {

struct FeatureText {
    Q_DECLARE_TR_FUNCTIONS(Features)
};

FeatureRow row(const QString &title, const QString &place, const char *command, const QString &sentence)
{
    return {title, place, sentence, QString::fromLatin1(command)};
}

/// What specs of views say of themselves.
void addViews(std::vector<FeatureRow> &rows)
{
    for (const ViewSpec &view : viewSpecs())
        for (const FeatureRow &feature : view.features) {
            rows.push_back(feature);
            if (feature.command.isEmpty()) rows.back().command = view.command;
        }
}

/// Opening, and the graph.
std::vector<FeatureRow> firstRows()
{
    return {
        row(FeatureText::tr("Open a model"), FeatureText::tr("File menu, or drop a file on the window"), "open",
            FeatureText::tr(
                "Training graphs from PyTorch (.pt2) and graphs as JSON; recent ones with Ctrl+1 to Ctrl+9.")),
        row(FeatureText::tr("Samples and recent files"), FeatureText::tr("Start page"), "startPage",
            FeatureText::tr("Built-in models, and what was open before.")),
        row(FeatureText::tr("Trace your own model"), FeatureText::tr("Help menu"), "tracer",
            FeatureText::tr("The command that makes a training graph from a PyTorch model.")),
        row(FeatureText::tr("Session in a file"), FeatureText::tr("File menu"), "saveSession",
            FeatureText::tr(
                "All open models, their plans, solves and views, and the layout; it opens again as it was.")),
        row(FeatureText::tr("Several models at once"), FeatureText::tr("Tabs under the tool bar"), "nextModel",
            FeatureText::tr("Each keeps its plans, decisions, views and undo, and its solves go on; Ctrl+Tab shows the "
                            "next.")),
        row(FeatureText::tr("Closed models"), FeatureText::tr("File menu"), "reopenClosed",
            FeatureText::tr("They come back as they were, also after the program has ended.")),
        row(FeatureText::tr("Last session"), FeatureText::tr("File menu, start page"), "reopenLast",
            FeatureText::tr("All open models as they were when the window was closed.")),
        row(FeatureText::tr("Several windows"), FeatureText::tr("Window menu"), "newWindow",
            FeatureText::tr("Another model beside this one, or another view of the same.")),
        row(FeatureText::tr("Graph of nested clusters"), FeatureText::tr("Centre, tab Graph"), "showGraph",
            FeatureText::tr(
                "Forward and backward side by side; a double-click opens a cluster in place, Backspace goes up.")),
        row(FeatureText::tr("Kept, recomputed, offloaded"), FeatureText::tr("Graph, colour and glyph of each card"),
            "showGraph",
            FeatureText::tr(
                "What the plan does with each op's values; arrows to the backward pass show for the selection.")),
        row(FeatureText::tr("Branches side by side"), FeatureText::tr("Graph, clusters with branches"), "graphBranches",
            FeatureText::tr(
                "Inception cells, heads, experts: as Graphviz places them; a switch in each cluster's header.")),
        row(FeatureText::tr("Identical blocks as a stack"), FeatureText::tr("Graph, cards with ×12"), "openAll",
            FeatureText::tr("One of them stands for all; Ctrl+Up and Ctrl+Down choose which.")),
        row(FeatureText::tr("Colours by any number"), FeatureText::tr("Graph, Colour by at the right"), "colourNext",
            FeatureText::tr("Bytes, time, recomputes, lifetime and idle time, with a legend.")),
        row(FeatureText::tr("Overview of the graph"), FeatureText::tr("Graph, lower right"), "fit",
            FeatureText::tr("The frame is what is seen; drag it to move.")),
        row(FeatureText::tr("Source line of an op"), FeatureText::tr("Graph, strip below"), "details",
            FeatureText::tr("Kind, shape, figures, the line of your code, and links to what it reads and feeds.")),
        row(FeatureText::tr("What reads it, what makes it"), FeatureText::tr("Brackets on the keyboard"),
            "followReader", FeatureText::tr("Follows the data from op to op.")),
    };
}

/// What is done with the views.
std::vector<FeatureRow> lastRows()
{
    return {
        row(FeatureText::tr("Measure a range of time"), FeatureText::tr("Memory and Lanes, drag on the axis"),
            "measureRange", FeatureText::tr("Length, bytes and ops of any stretch; exports take it.")),
        row(FeatureText::tr("Budget"), FeatureText::tr("Red line, slider and field; all are one"), "editBudget",
            FeatureText::tr("A plan follows while it is dragged; the better planner takes over when it rests.")),
        row(FeatureText::tr("Smallest possible budget"), FeatureText::tr("Plan menu"), "goToFloorAction",
            FeatureText::tr("No plan has a smaller peak.")),
        row(FeatureText::tr("Solve"), FeatureText::tr("Plan panel"), "solve",
            FeatureText::tr("Looks for the fastest plan in the background, with its bound and gap.")),
        row(FeatureText::tr("Stop"), FeatureText::tr("Plan panel"), "stop",
            FeatureText::tr("Ends what is running and keeps the best plan so far.")),
        row(FeatureText::tr("Verdict on every plan"), FeatureText::tr("Badge in the tool bar"), "validate",
            FeatureText::tr(
                "Every plan is replayed by an independent checker; a real run compares loss, gradients and peak.")),
        row(FeatureText::tr("Reports of real devices"), FeatureText::tr("Help menu"), "reports",
            FeatureText::tr("Plans that remat doctor ran on a device: bytes, times and what failed.")),
        row(FeatureText::tr("Keep, recompute, never recompute"), FeatureText::tr("Plan menu, or the menu of a card"),
            "decide.keep",
            FeatureText::tr("Decisions by hand for ops, storages and clusters; planners work around them.")),
        row(FeatureText::tr("Updates in the step"), FeatureText::tr("Plan menu"), "updates.adamw",
            FeatureText::tr("The model once more with an optimizer's updates: plans may move weights and states; the "
                            "CPU can do the updates.")),
        row(FeatureText::tr("Sweep over budgets"), FeatureText::tr("Trade-off, strip above"), "sweep",
            FeatureText::tr("Plans many budgets with several planners.")),
        row(FeatureText::tr("Step through a plan"), FeatureText::tr("Strip below the views"), "stepPlayer",
            FeatureText::tr("Play, step, jump, loop; it says what each step does and why.")),
        row(FeatureText::tr("How planners think"), FeatureText::tr("Help menu, and the Plan panel"), "stories",
            FeatureText::tr("Rotor, Checkmate, the search and DTR, frame by frame, as they plan a small graph.")),
        row(FeatureText::tr("Find ops by filters"), FeatureText::tr("Bar above the graph"), "find",
            FeatureText::tr(
                "A name, or kind:addmm module:h.11 dtype:f32 size>10MiB time>1ms recomputed phase:backward.")),
        row(FeatureText::tr("List of what was found"), FeatureText::tr("Bottom, tab Results"), "showResults",
            FeatureText::tr("All matches with their figures.")),
        row(FeatureText::tr("Any command by name"), FeatureText::tr("Field in the tool bar"), "palette",
            FeatureText::tr("Commands, ops, storages and help in one list.")),
        row(FeatureText::tr("Undo and history"), FeatureText::tr("Edit menu"), "history",
            FeatureText::tr("Every change of plan, budget and view can be taken back.")),
        row(FeatureText::tr("Back and forward"), FeatureText::tr("View menu"), "viewBack",
            FeatureText::tr("To what was looked at before.")),
        row(FeatureText::tr("Pictures of views"), FeatureText::tr("File menu"), "exportView",
            FeatureText::tr("Any view as SVG, PDF or PNG.")),
        row(FeatureText::tr("Animation of the steps"), FeatureText::tr("File menu"), "exportAnimation",
            FeatureText::tr("A looping picture of the plan, step by step, for slides and pages.")),
        row(FeatureText::tr("Tables as CSV"), FeatureText::tr("File menu"), "exportTable",
            FeatureText::tr("What a view shows, or its chosen range, as a table.")),
        row(FeatureText::tr("Plan as code"), FeatureText::tr("File menu"), "exportPlan",
            FeatureText::tr("Python, CSV, Chrome trace or Graphviz.")),
        row(FeatureText::tr("Chrome trace"), FeatureText::tr("File menu"), "exportPlan.chrome-trace",
            FeatureText::tr("Lanes and memory of the plan, for Perfetto and chrome://tracing.")),
        row(FeatureText::tr("Report"), FeatureText::tr("File menu"), "report",
            FeatureText::tr("One page with figures and curves.")),
        row(FeatureText::tr("Plan as a file"), FeatureText::tr("File menu"), "savePlan",
            FeatureText::tr("PyTorch and the command line read it; remat does the same without a window.")),
        row(FeatureText::tr("Measured costs"), FeatureText::tr("Run menu"), "measure",
            FeatureText::tr(
                "Runs every op and takes its measured time; the graph's strip shows it beside the predicted one.")),
        row(FeatureText::tr("Linked views"), FeatureText::tr("Everywhere"), "rangeOfSelection",
            FeatureText::tr(
                "What is selected or under the mouse in one view is so in all; time, cursor and range are shared.")),
        row(FeatureText::tr("Menus of tables"), FeatureText::tr("Right click on a row"), "showResults",
            FeatureText::tr("Copies a row, shows it in the graph, and writes the table.")),
        row(FeatureText::tr("By keys alone"), FeatureText::tr("Window"), "nextPanel",
            FeatureText::tr("F6 goes round the panels, Tab and arrows through each.")),
        row(FeatureText::tr("Arrangements"), FeatureText::tr("Tool bar: Plan, Compare, Learn"), "preset.plan",
            FeatureText::tr("Each keeps its own panels and views.")),
        row(FeatureText::tr("Panels in windows of their own"), FeatureText::tr("Window menu"), "float.memoryDock",
            FeatureText::tr("By its title such a window can be dragged to another side of the main one.")),
        row(FeatureText::tr("Layout of panels"), FeatureText::tr("View menu"), "resetLayout",
            FeatureText::tr("Panels can be moved, sized and hidden; this puts them back.")),
        row(FeatureText::tr("Light, dark and high contrast"), FeatureText::tr("View menu"), "theme.system",
            FeatureText::tr("Colours follow the system, or stay as chosen.")),
        row(FeatureText::tr("Size of text and controls"), FeatureText::tr("View menu"), "scale.up",
            FeatureText::tr("80 to 200 %.")),
        row(FeatureText::tr("All keys"), FeatureText::tr("Help menu"), "keys",
            FeatureText::tr("Every command and gesture, with a search.")),
    };
}

} // namespace

const std::vector<FeatureRow> &featureRows()
{
    static const std::vector<FeatureRow> rows = [] {
        std::vector<FeatureRow> all = firstRows();
        addViews(all);
        const std::vector<FeatureRow> last = lastRows();
        all.insert(all.end(), last.begin(), last.end());
        return all;
    }();
    return rows;
}

} // namespace remat::studio
