<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1">
<context>
    <name>Activity</name>
    <message>
        <source>Solving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solving: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sweeping: %1 of %2 plans</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sweep over budgets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quick plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solve at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add plan %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove all decisions by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No longer keep %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No longer force recomputing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never recompute %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow recomputing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decide by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Costs of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove plan %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove %1 plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show plan %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Axis in time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Axis in steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom in time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all of the time</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KeysWindow</name>
    <message>
        <source> or </source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryScene</name>
    <message>
        <source>workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryView</name>
    <message>
        <source>forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep-all peak %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Floor %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At the peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quick plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Room under budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Over the budget</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RecentFiles</name>
    <message>
        <source>Today, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Recovery</name>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program ended unexpectedly %1 ago. %2 with %3 was kept.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SessionReader</name>
    <message>
        <source>%1, the model of %2, is not at %3 any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no device files. Install the program&apos;s resources again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is another graph than the one that %2 was made with, so its plans do not fit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, plan %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio</name>
    <message>
        <source>1 op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held for backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 identical blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Freed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 times, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ActivityBar</name>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Breadcrumb</name>
    <message>
        <source>Place in the model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::BudgetBox</name>
    <message>
        <source>Budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An amount such as 4GiB, a share of the keep-all peak such as 60%, or -500MiB for that much under it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget of a device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a device&apos;s memory leaves besides parameters and inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: its parameters do not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: everything fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: leaves %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of keep-all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Under the floor of %1: no plan can fit.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::BudgetSlider</name>
    <message>
        <source>Budget, share of the keep-all peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag to set the budget. Arrow keys: 1 %, with Shift 0.1 %; Home: the floor; End: 100 %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>floor %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ClusterModel</name>
    <message>
        <source>No bound of this sub-graph is known yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ClusterTable</name>
    <message>
        <source>Clusters being solved</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ClusterTreeModel</name>
    <message>
        <source>%1 held at the peak of keep-all</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>One of %n identical</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::studio::ClusterTreeView</name>
    <message>
        <source>Modules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Partition</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Commands</name>
    <message>
        <source>Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens a training graph (.pt2), a graph (.json) or a session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save plan…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the current plan to a file that PyTorch and the command line read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save session…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes everything that is shown to a file that opens again exactly as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples and recent files; the open model stays open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closes this window; others stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closes all windows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A second window for another model, or another view of this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit the budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the budget field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the floor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sets the budget to the smallest peak any plan can have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the current plan out of the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looks for the fastest plan within the budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends what is running; the best plan found so far stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs the plan and compares loss, gradients and peak with keep-all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure costs on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs every op and takes the measured times as costs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans many budgets with several planners and shows them as trade-off curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the graph in the centre</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trade-off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows overhead over peak memory of all plans in the centre</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit the view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the whole graph, or all of the time where the memory view has the keyboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Modules and plans panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows or hides the left panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows or hides the memory timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows or hides the plan panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves the keyboard to the next panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves the keyboard to the panel before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts all panels back to where they were at first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys and commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists every command and its key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trace your own model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The command that makes a training graph from a PyTorch model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::CostBox</name>
    <message>
        <source>Costs of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the time of each op comes from: a device&apos;s data sheet, or a measured profile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profile…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure on this machine…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::CurveCanvas</name>
    <message>
        <source>Time overhead over peak memory of all plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak %1, %2 of keep-all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overhead %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured peak %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured overhead %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same planner has a better plan.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::CurveTable</name>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of keep-all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak, measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overhead, measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On its planner&apos;s front</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::CurveView</name>
    <message>
        <source>Open a model to see what memory costs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Exports</name>
    <message>
        <source>Export plan…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the plan as Python code, CSV, Chrome trace, Graphviz or report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One page with figures and curves of the compared plans, or of the current one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages (*.html)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export view…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the view that has the keyboard as SVG, PDF or PNG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the view %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vectors (*.svg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page (*.pdf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixels (*.png)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export table…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes what the view shows as a table of CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the table of the view %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy view as picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts the view that has the keyboard on the clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The view %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The view %1 has no table. Choose another view with F6.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is in %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Figures</name>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time per step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no plan yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, over the budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bound %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of this plan over the time of keep-all, which takes %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One training step, forward and backward, by the costs of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ops that are computed more than once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No bound was computed for this plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan is faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven for every plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven for every plan within %1 that makes its first computations in the model&apos;s order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven for every plan within %1 that makes its first computations in this plan&apos;s order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to see the op at which it binds.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::GraphCanvas</name>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::GraphMinimap</name>
    <message>
        <source>Overview of the graph</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::GraphRail</name>
    <message>
        <source>Colour by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::GraphTable</name>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recomputed ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Path</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::GraphView</name>
    <message>
        <source>Open a model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 The graph shows plain order instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Laying out %1, %2 of %3 clusters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show modules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expand %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collapse %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expand everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collapse everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show block %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::HistoryFeature</name>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes back the last change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes the change again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists what was done, to go to any point of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what was looked at before; budget and plans stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what was looked at afterwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to redo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::HistoryPopup</name>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was done, oldest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As it was opened</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::IconRail</name>
    <message>
        <source>Modules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::KeysWindow</name>
    <message>
        <source>Keys and commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a recent file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+1 to Ctrl+9</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget line and slider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 % more or less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0.1 % more or less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+Arrow keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The floor, all memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::LayoutClient</name>
    <message>
        <source>Graphviz took longer than %1 s for one cluster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layout program %1 does not start (%2). Build or install it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layout program crashed on one cluster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layout program ended before it answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layout program answered more than fits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layout program gave an answer that makes no sense.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::LeftPanel</name>
    <message>
        <source>Modules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Modules as the model&apos;s author wrote them, or the blocks that are solved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::MainWindow</name>
    <message>
        <source>Open recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan is in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model or a session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training graphs and sessions (*.pt2 *.json *.rematsession)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions (*.rematsession)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profiles (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the model of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training graphs (*.pt2 *.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remat Studio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 – Remat Studio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The session is in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was left behind that could be reopened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reopen</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::MemoryCanvas</name>
    <message>
        <source>Memory over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak %1 at step %2. Budget %3, %4 of keep-all. Up and Down move the budget by 1 %, with Shift by 0.1 %; Home goes to the floor, End to 100 %. Left and Right step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. Drag it, or use Up and Down.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What makes the peak (P)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The part that is shown. F shows all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::MemoryHeader</name>
    <message>
        <source>Parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Param. grads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More for this view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the horizontal axis counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep-all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>room %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::MemoryView</name>
    <message>
        <source>Show all	F</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What makes the peak	P</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model to see its memory over time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan yet. Drag the budget or press Solve.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan fits %1: op %2 alone needs %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan fits %1: what the graph hands back alone needs %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the floor</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::MessageStrip</name>
    <message>
        <source>Close the message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ModelLoader</name>
    <message>
        <source>There are no device files. Install the program&apos;s resources again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taking the costs of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading LibTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured on %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::MoreMemory</name>
    <message>
        <source>What more memory buys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What one more GiB buys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What %1 more buys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best plan found so far within each. Sweep for more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Room left beside parameters and a reserve of %1, and the best overhead found in it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::OptionsForm</name>
    <message>
        <source>Advanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Options that rarely need a change</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PlanPanel</name>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save plan…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PlanRunner</name>
    <message>
        <source>Loading LibTorch</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PlannerBox</name>
    <message>
        <source>Planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the planner must return the best plan it has by then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many sub-graphs are solved at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planner %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Options of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time limit %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PlansModel</name>
    <message>
        <source>%1, a quick plan: the next one takes its place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Over the present budget.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PlansTable</name>
    <message>
        <source>Plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan yet. Drag the budget or press Solve.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Presets</name>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrange for planning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph, memory and the plan panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrange for comparing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two plans over each other, their differences and a summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrange for learning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph and memory, played step by step and explained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrangement of the window</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ProgressBox</name>
    <message>
        <source>Starting · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solved in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not solved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the floor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sets the budget to the smallest peak any plan can have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gap %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much more time the best plan adds than the proven bound does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 clusters</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::RecentRow</name>
    <message>
        <source>Open %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ops, peak %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+%1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::SampleCard</name>
    <message>
        <source>Open %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ops</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::SessionFiles</name>
    <message>
        <source>Choose the model…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::SolveRunner</name>
    <message>
        <source>No plan fits %1: the results alone need %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan fits %1: op %2 alone needs %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped before a first plan was found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 found no plan within %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The smallest peak it reached is %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::StartPage</name>
    <message>
        <source>Train the model that does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a training graph, set a memory budget, and get a plan that is checked and run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a model here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exported training graph (.pt2) or graph (.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trace from PyTorch…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The samples are not installed. Open a model of your own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tiny versions that run on a CPU in seconds:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left behind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reopen %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removes what was kept of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New here?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch a plan being solved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at 60 % of its memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trace your own model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One command, from PyTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys and commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press ? at any time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models you open are listed here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::StatusLine</name>
    <message>
        <source>Everything is kept while you work and offered again should the program be killed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of text and controls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ops · %2 storages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Storages that plans hold and free; parameters and inputs are always there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1 of %2 · %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected: %1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of text and controls, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved %1 ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::StepChart</name>
    <message>
        <source>Best plan and lower bound over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower bound</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::SweepStrip</name>
    <message>
        <source>Sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 planners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % to %2 %, %3 planners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % to %2 % of the keep-all peak, %3 per plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Themes</name>
    <message>
        <source>Theme of the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light or dark as the desktop is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark text on light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light text on dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>High contrast theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>White on black with strong borders</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::TimelineTable</name>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Total</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ToolRow</name>
    <message>
        <source>Where the time of each op comes from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Costs of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profile…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::TracerWindow</name>
    <message>
        <source>Trace your own model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1. A function that returns the model and what it is called with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Example of a factory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A loss function may be the third thing it returns; without one the model&apos;s own loss is taken, or the mean of squares of its outputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2. The command that traces it, in an environment with PyTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3. Drop my_model.pt2 on the window.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::UiScale</name>
    <message>
        <source>Larger text and controls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens everything again 10 % larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller text and controls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens everything again 10 % smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text and controls at 100 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens everything again at the size of the desktop</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Workspace</name>
    <message>
        <source>Modules and plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trade-off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
