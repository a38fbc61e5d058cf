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
            tr("Training graphs from PyTorch (.pt2) and graphs as JSON.")),
        row(tr("Samples and recent files"), tr("Start page"), "startPage",
            tr("Built-in models, and what was open before.")),
        row(tr("Trace your own model"), tr("Help menu"), "tracer",
            tr("The command that makes a training graph from a PyTorch model.")),
        row(tr("Graph of nested clusters"), tr("Centre, tab Graph"), "showGraph",
            tr("Forward and backward side by side; a double-click opens a cluster in place.")),
        row(tr("Kept, recomputed, offloaded"), tr("Graph, colour and glyph of each card"), "showGraph",
            tr("What the plan does with each op's values; arrows to the backward pass show for the selection.")),
        row(tr("Colours by any number"), tr("Graph, Colour by at the right"), "colourNext",
            tr("Bytes, time, recomputes, lifetime and idle time, with a legend.")),
        row(tr("Source line of an op"), tr("Graph, strip below"), "details",
            tr("Kind, shape, figures, the line of your code, and links to what it reads and feeds.")),
        row(tr("Memory over time"), tr("Bottom, tab Memory"), "memoryPanel",
            tr("What is held at each step, with keep-all behind it, the peak, and an overview to move in.")),
        row(tr("Budget"), tr("Red line, slider and field; all are one"), "editBudget",
            tr("A plan follows while it is dragged; the better planner takes over when it rests.")),
        row(tr("Smallest possible budget"), tr("Plan menu"), "goToFloorAction", tr("No plan has a smaller peak.")),
        row(tr("Solve"), tr("Plan panel"), "solve",
            tr("Looks for the fastest plan in the background, with its bound and gap.")),
        row(tr("Stop"), tr("Plan panel"), "stop", tr("Ends what is running and keeps the best plan so far.")),
        row(tr("Verdict on every plan"), tr("Badge in the tool bar"), "validate",
            tr("Every plan is replayed by an independent checker; a real run compares loss, gradients and peak.")),
        row(tr("Trade-off of memory and time"), tr("Centre, tab Trade-off"), "showCurve",
            tr("Every plan as a point, fronts of planners, bounds and device sizes.")),
        row(tr("Sweep over budgets"), tr("Trade-off, strip above"), "sweep",
            tr("Plans many budgets with several planners.")),
        row(tr("Find ops by filters"), tr("Bar above the graph"), "find",
            tr("A name, or kind:addmm module:h.11 dtype:f32 size>10MiB time>1ms recomputed phase:backward.")),
        row(tr("List of what was found"), tr("Bottom, tab Results"), "showResults",
            tr("All matches with their figures.")),
        row(tr("Any command by name"), tr("Field in the tool bar"), "palette",
            tr("Commands, ops, storages and help in one list.")),
        row(tr("All keys"), tr("Help menu"), "keys", tr("Every command and gesture, with a search.")),
        row(tr("Measured costs"), tr("Run menu"), "measure", tr("Runs every op and takes its measured time.")),
        row(tr("Plan as a file"), tr("File menu"), "savePlan", tr("PyTorch and the command line read it.")),
        row(tr("Layout of panels"), tr("View menu"), "resetLayout",
            tr("Panels can be moved, sized and hidden; this puts them back.")),
        row(tr("Light, dark and high contrast"), tr("View menu"), "theme.system",
            tr("Colours follow the system, or stay as chosen.")),
    };
    return rows;
}

} // namespace remat::studio
