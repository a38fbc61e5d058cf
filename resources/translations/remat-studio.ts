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
    <name>Category</name>
    <message>
        <source>Parameter gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept activations</source>
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
        <source>Recomputed activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer states</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChunkSolve</name>
    <message>
        <source>This graph has no operators, so nothing says how it can be cut into chunks. Open the trace (.pt2) it was made from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times are measured, and nothing was measured in chunks. Choose the costs of a device, or solve without chunks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decisions by hand are about ops, which chunks make others of. Drop them, or solve without chunks.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChunksText</name>
    <message>
        <source>%1 chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2 chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan in these chunks needs less than %1, and none in any chunks less than %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan of whole ops needs less than %1, and none in chunks less than %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep-all %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 peak %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A holds less below the line, more above</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 output %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both keep it until the backward pass reads it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both drop it and compute it again, which costs %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both park it in host memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both keep a part and compute %1 of it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both free it after its last use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keeps it and computes it again later, which costs %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keeps it until the backward pass reads it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 drops it and computes it again, which costs %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 parks it in host memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keeps a part and computes %2 of it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 frees it after its last use.</source>
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
        <source>Offloaded</source>
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
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At its peak A holds %1 of it, %2 holds %3 at its own.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CurveView</name>
    <message>
        <source>Peak of dynamic memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>share of the keep-all peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time overhead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan can be here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower bound on time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: no plan fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Knee: %1 at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan of these ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Floor in chunks %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Explanation</name>
    <message>
        <source>Recomputing costs %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; keeping it would put the peak %2 over the budget.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. Keeping it would fit, with a peak of %2, and save %3: a longer search may find that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is %1 recomputed?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropped at step %1, needed at step %2 by %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropped at step %1, needed at step %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is computed again %1 times in all; this is the longest time it is away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropping it would cost %1 to compute it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropping it would cost %1: %2 ops would have to be computed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, and lower the peak by %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, and raise the peak by %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, and would not lower the peak.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is %1 kept?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its %1 lie idle from step %2 until %3 reads them at step %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is an output of the graph, which is held to the end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What makes it may be computed only once, so it must be kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is %1 offloaded?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its %1 leave the device at step %2 and come back at step %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, for %2 at step %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A copy takes %1 each way, beside computing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; the plan waits %2 there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; nothing waits for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing it again would take %1 of the device&apos;s own time, and what it reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What makes it may be computed only once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is a parameter, a buffer or an input of %1: always on the device, whatever the plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What becomes of %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is an output of the graph: computed once and held to the end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is computed once. What it makes is read right away or never, so there is nothing to decide.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are computed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 wait in host memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing of what it makes is held for the backward pass.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of what it makes for the backward pass %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of its %2 ops are computed again, which adds %3 to every training step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of its %1 ops is computed again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It holds %1 at the peak, %2 of all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held to the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What makes the peak?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At step %1, while %2 runs, %3 are held in %4 storages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The largest %1 make up %2 of that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>While it runs, the op needs %1 of scratch memory besides.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing: everything fits, so nothing has to be computed again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The budget is the smallest there is: %1 alone needs %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is held at the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Because of the budget: keeping everything needs %1 more. It is proven that no plan in this order of ops adds less than %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is as fast as can be: keeping everything needs %1 more, and the plan adds no time to a step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Because of the budget: keeping everything needs %1 more. To do without, the plan adds %2 to each step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is proven that at least %1 of that cannot be saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Room under the budget: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What would %1 more buy?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Within %1 a quick plan adds %2, where this one adds %3: %4 saved in every step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Within %1 a quick plan is no faster than this one; a longer search may be.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was decided so by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was made for a budget of %1; what follows is about that one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing: it was made without a budget.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is it not faster?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory is tightest when %1 is first computed: what is held then and what is needed again later do not fit together, so some of it has to be computed twice.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Features</name>
    <message>
        <source>Open a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File menu, or drop a file on the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training graphs from PyTorch (.pt2) and graphs as JSON; recent ones with Ctrl+1 to Ctrl+9.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples and recent files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built-in models, and what was open before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trace your own model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The command that makes a training graph from a PyTorch model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Session in a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File menu, start page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several windows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another model beside this one, or another view of the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph of nested clusters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Centre, tab Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward and backward side by side; a double-click opens a cluster in place, Backspace goes up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept, recomputed, offloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph, colour and glyph of each card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the plan does with each op&apos;s values; arrows to the backward pass show for the selection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Identical blocks as a stack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph, cards with ×12</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One of them stands for all; Ctrl+Up and Ctrl+Down choose which.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours by any number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph, Colour by at the right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes, time, recomputes, lifetime and idle time, with a legend.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview of the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph, lower right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The frame is what is seen; drag it to move.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source line of an op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph, strip below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind, shape, figures, the line of your code, and links to what it reads and feeds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What reads it, what makes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brackets on the keyboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follows the data from op to op.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure a range of time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory and Lanes, drag on the axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length, bytes and ops of any stretch; exports take it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Red line, slider and field; all are one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A plan follows while it is dragged; the better planner takes over when it rests.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smallest possible budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan has a smaller peak.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looks for the fastest plan in the background, with its bound and gap.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends what is running and keeps the best plan so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdict on every plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Badge in the tool bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every plan is replayed by an independent checker; a real run compares loss, gradients and peak.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep, recompute, never recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan menu, or the menu of a card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decisions by hand for ops, storages and clusters; planners work around them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sweep over budgets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trade-off, strip above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans many budgets with several planners.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step through a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strip below the views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find ops by filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bar above the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A name, or kind:addmm module:h.11 dtype:f32 size&gt;10MiB time&gt;1ms recomputed phase:backward.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List of what was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bottom, tab Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All matches with their figures.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any command by name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Field in the tool bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands, ops, storages and help in one list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo and history</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every change of plan, budget and view can be taken back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back and forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To what was looked at before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures of views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any view as SVG, PDF or PNG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a view shows, or its chosen range, as a table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan as code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python, CSV, Chrome trace or Graphviz.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chrome trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lanes and memory of the plan, for Perfetto and chrome://tracing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One page with figures and curves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan as a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyTorch and the command line read it; remat does the same without a window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured costs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs every op and takes its measured time; the graph&apos;s strip shows it beside the predicted one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linked views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is selected or under the mouse in one view is so in all; time, cursor and range are shared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Menus of tables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right click on a row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies a row, shows it in the graph, and writes the table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By keys alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F6 goes round the panels, Tab and arrows through each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrangements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool bar: Plan, Compare, Learn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each keeps its own panels and views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Panels in windows of their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By its title such a window can be dragged to another side of the main one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layout of panels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Panels can be moved, sized and hidden; this puts them back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light, dark and high contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours follow the system, or stay as chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of text and controls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>80 to 200 %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every command and gesture, with a search.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All open models, their plans, solves and views, and the layout; it opens again as it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several models at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tabs under the tool bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each keeps its plans, decisions, views and undo, and its solves go on; Ctrl+Tab shows the next.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closed models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They come back as they were, also after the program has ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All open models as they were when the window was closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branches side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph, clusters with branches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inception cells, heads, experts: as Graphviz places them; a switch in each cluster&apos;s header.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play, step, jump, loop; it says what each step does and why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How planners think</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotor, Checkmate, the search and DTR, frame by frame, as they plan a small graph.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Animation of the steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A looping picture of the plan, step by step, for slides and pages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help menu, and the Plan panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reports of real devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans that remat doctor ran on a device: bytes, times and what failed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Updates in the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model once more with an optimizer&apos;s updates: plans may move weights and states; the CPU can do the updates.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Filter</name>
    <message>
        <source>%1 ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No filter is called %1. There are %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A minus excludes what a filter finds, and %1 is no filter. Write it as in %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stands alone, without a value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no value yet. Write it as in %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is a text and has no order. Write it as in %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is no comparison. There are &lt;, &lt;=, =, &gt;= and &gt;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No phase is called %1. There are %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is no time. Write it as in %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is no count. Write it as in %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is no size. Write it as in %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what the op does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part of the module&apos;s path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>element type of what it makes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part of the source line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward, loss or backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes it makes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time of one computation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how often the plan computes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computed again by the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held for the backward pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parked in host memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needed only in the forward pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>draws random numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decided by hand</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Gestures</name>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom at the mouse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scroll</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wheel, Page up, Page down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag, middle button, Space+Drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom in, zoom out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>W, S, +, −</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move up, down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A, D</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Centre the selection, then fit all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space, 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+Backspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open or close a cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter, double-click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open or close with everything below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alt+Enter, Alt+click on the arrow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To the cluster around</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backspace, Left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next and previous card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up, Down, Home, End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To what makes its input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To what reads its output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another of identical blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Up, Ctrl+Down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Esc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All views over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move along time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag, Shift+Wheel, A, D</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>W, S</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All of the time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F, double-click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous and next step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left, Right, comma, full stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select the op at the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click, Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranges of time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag on the axis, Shift+Drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Esc, click on the axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag the line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget 1 % more or less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget 0.1 % more or less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+Up, Shift+Down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smallest budget, all memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select the storage below the mouse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bands of categories or of storages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>G</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold the list at the peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>P, click on the mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything alive at the peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+P</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play and pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R/S matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move over ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move over slots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>W, S, Wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget slider</source>
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
        <source>Trade-off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select the nearest plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the plan as the current one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double-click, Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find and palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next and previous match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter, Shift+Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands, ops, storages, help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&gt;  @  #  ?  as the first letter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List all ops that match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To the branch beside, then to the other column</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GraphView</name>
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
    <message>
        <source>Plan state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recomputes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lifetime</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time error</source>
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
</context>
<context>
    <name>Lane</name>
    <message>
        <source>Compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Host</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LastSession</name>
    <message>
        <source>Only closed models, closed %1 ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, closed %2 ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be read and cannot be given another name. Move it elsewhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The session before the last could not be read and was kept as %1. %2</source>
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
        <source>Keep-all peak %1</source>
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
    <message>
        <source>Range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Highest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recomputing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Freed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured %1, as predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured %1, %2 above predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured %1, %2 below predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep-all peak %1, with weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Must be paid: %1, at least %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held at the cut: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoPlan</name>
    <message>
        <source>No plan fits %1. Raise the budget to at least %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan yet. Drag the budget or press Solve.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NodeState</name>
    <message>
        <source>Kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offloaded</source>
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
</context>
<context>
    <name>OpDetails</name>
    <message>
        <source>recomputed once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recomputed %1 times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 measured, %2 predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2%3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Op: %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Module: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OtherBatch</name>
    <message>
        <source>A trace of the same step with another batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models (*.pt2 *.json)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Phase</name>
    <message>
        <source>forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backward</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlanVerdict</name>
    <message>
        <source>Not checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This plan has not been checked yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every step was replayed without an error. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Over the budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The peak of %1 is %2 over the budget of %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak %1, within the budget of %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Its file has the record of a real run, but of other steps: press Validate to run these.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The measured peak of %1 is %2 over the budget of %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The predicted peak of %1 is %2 over the budget of %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That is within the budget of %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validated on GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validated on CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> It was made for %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beyond numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradient of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>buffer %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The graph is not what PyTorch computes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: op %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1, relative difference %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>. Do not train with a plan of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The graph is what PyTorch computes, but for what is explained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: %1 (%2, relative difference %3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The graph is what PyTorch computes: all %1 tensors of one step are equal, bit for bit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No comparison with plain PyTorch stands behind this graph.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody has compared this graph with plain PyTorch; `python -m remat_studio.trace --compare always` does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrong graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is for Inductor&apos;s kernels, whose code says their peak to the byte; without a plan that is %1. </source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlannerGroups</name>
    <message>
        <source>Best plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the literature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also use host memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only to compare with</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Puzzle</name>
    <message>
        <source>What %1 makes is still there: use it, or free it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 changes what it reads, or stands for the rest of the network, and can be computed only once. Undo to keep what it made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In this puzzle every op is computed once, and %1 was. Undo to keep what it made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needs %2, which is in host memory: bring it back first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needs %2, which you freed: compute %3 again first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needs %2, which %3 makes: compute that first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needs %2 while %3 are held, and the budget is %4: free something first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needs %2 in one piece; %3 are free, but the largest piece has %4: free a neighbour of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is an input: it is always there and does not count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not in memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is a result: it stays to the end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This puzzle has no link to host memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not in memory, so there is nothing to copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has a copy in host memory already: you can free it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is still in memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no copy in host memory: copy it out before you free it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is held now and what is still to be made fits, in the order of the graph: nothing more has to go.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At %1 (op %2 of %3) the results that must stay leave too little room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At %1 (op %2 of %3) you would hold %4 that nobody needs before %5: %6. It is %7 too much, so some of it must go before and come back after.</source>
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
        <source>%1 with %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and 1 more model with %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2 more models with %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program ended unexpectedly %1 ago. Kept: %2.</source>
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
    <message>
        <source>Choose the model that %1 was made for.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Standing</name>
    <message>
        <source>Within this budget no plan is faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Within this budget no plan with this order of ops is faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Within this budget no plan in the model&apos;s order of ops is faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quick plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made in passing: press Solve for a better one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not solved for this budget: press Solve, more memory may save time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not the fastest known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Within this budget %1, in the list of plans, saves %2 of every step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solved, gap %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much faster a plan could be is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It adds at most %1 more time than any plan must, as far as is proven.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That is about plans in these chunks.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StepPlayer</name>
    <message>
        <source>This is the peak.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computes %1 because %2 reads it next, at step %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computes %1: it makes an output of the step, which is held to the end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computes %1; nothing reads what it makes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computed again because %2 reads %1 next; kept, it would have cost %3 over %4 steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computes %1 again; kept, it would have cost %3 over %4 steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frees %1, %2: nothing reads it any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frees %1 and %2 more, %3: nothing reads them any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frees %1, %2, to make room; it is computed again at step %3, before %4 reads it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frees %1 and %2 more, %3, to make room; they are computed again from step %4 on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frees %1, %2: a copy in host memory comes back at step %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frees %1 and %2 more, %3: copies in host memory come back from step %4 on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies %1, %2, to host memory: it is not read before it comes back at step %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies %1, %2, to host memory, where it stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brings %1, %2, back from host memory because %3 reads it at step %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brings %1, %2, back from host memory, where it began.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Summary</name>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much longer a training step takes than with everything kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan within the same budget has less overhead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No bound was computed for one of the plans.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One training step, forward and backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ops that are computed more than once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept for backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All that is held from the forward to the backward pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All that is parked in host memory</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TwoPlans</name>
    <message>
        <source>Both take the same memory and time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak and time per step are equal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needs less memory in the same time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its peak is %1 lower.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is faster at the same peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It saves %1 of every step (%2 of overhead).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needs less memory and less time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its peak is %1 lower, and it saves %2 of every step (%3 of overhead).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is faster within the same budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It saves %1 of every step (%2 of overhead). The peak of %3 is %4 lower, which the budget of %5 does not ask for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is faster, %2 needs less memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 saves %2 of every step (%3 of overhead). The peak of %4 is %5 lower.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>less than 0.01 pp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was made for %2, %3 for %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By hand was decided for %1: %2; for %3: %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was planned with the costs of %2, %3 with those of %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was searched for %2, %3 for %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only %1 counts parameters, and may move them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recompute %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never recompute %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>Validating…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ViewPicture</name>
    <message>
        <source>%1 cannot be written. Choose a folder that you may write to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A picture ends in .svg, .pdf or .png, and %1 does not.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Views</name>
    <message>
        <source>Address map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows where every storage lies in device memory, and replays the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bottom, tab Address map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where each storage lies over time, with gaps, height and replay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lays plans over each other in the centre</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Centre, tab Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two to four plans over each other, with every difference in a table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Summary</source>
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
        <source>Trade-off of memory and time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Centre, tab Trade-off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Says what makes the peak, why the plan is not faster, and why the selection is kept or computed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why it is so</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right, Explain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What makes the peak, why the plan is not faster, what more memory buys; why an op is computed again, kept or offloaded, and what becomes of a cluster.</source>
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
        <source>Lanes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what is computed, computed again and copied over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lanes of compute and copies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bottom, tab Lanes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What runs when: compute, recompute, copies out and in, and what waits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R/S matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows in the centre what is computed and kept from op to op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Centre, tab R/S matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is computed and what is kept at each step, as papers draw it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Matrix of forward ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Matrix of all ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows memory over time at the bottom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bottom, tab Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is held at each step, with keep-all behind it, the peak, and an overview to move in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest storages by name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory, header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The bands of the largest storages, and one for the rest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory by the %1 largest storages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory by category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show what makes the peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide what makes the peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what is being solved and what waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue of solves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bottom, tab Solves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What waits, what runs, and how each one ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Says which of two plans is better, and by how much</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists what you decided by hand, to look at it or to take it back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time and steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Will it fit? What training takes with an optimizer, and on which devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Will it fit?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Centre, tab Fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On which devices training fits, as it is or with a plan, and why not on others; with a second trace also the largest batch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every plan as a point, the best of each planner as a line, what no plan can reach, and the memory of devices; sweeps fill it, here or on a Dask cluster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sums of the chosen stretch of time: what came, what went, what took how long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sums of a stretch of time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right, Range; Shift+drag in Memory or Lanes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes that came and went, time and recomputation by block, module, op, type or category, and each storage that came or went.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists what is saved for the backward pass, and why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything that is saved for the backward pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bottom, tab Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each tensor with its shape, bytes, lifetime, readers and source line; summed by module, block, op or type, and by module at the peak or at the cursor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the calls of Python that the selection comes from, line by line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lines of Python</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right, Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every call that the selected op, storage or module comes from, with file, line and code.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Plans the memory of a training step, and shows it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens a built-in sample, such as gpt2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>light, dark or contrast.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts with this budget, such as 4GiB or 60%.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solves once the model is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sweeps over budgets once the model is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of the window, such as 1600x1000.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits until nothing runs, writes a picture of the window, and ends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reopens what a program that was killed had open last.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See remat-studio --help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only one file can be opened, and %n were given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give either a file or a sample, not both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no theme %1. There are light, dark and contrast.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is no size. Give one such as 1600x1000.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no sample %1. There are: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Says this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens a lesson, such as sqrt, or a lesson&apos;s file; sqrt:3 opens its third step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no lesson %1, or it cannot be read. There are: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A training graph (.pt2), a graph, a plan or costs (.json), or a session to open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens a puzzle, such as chain2, or a puzzle&apos;s file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no puzzle %1, or it cannot be read. There are: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After these, a command by its id (--do show.lanes), or planner=NAME, set=KEY=VALUE, budget=BUDGET, select=OP, step=N, type=TEXT, animation=FILE. May be repeated.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::AboutWindow</name>
    <message>
        <source>%1 in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apache 2.0; parts of others are named in the manual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Remat Studio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remat Studio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
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
    <name>remat::studio::AddressCanvas</name>
    <message>
        <source>Address map over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n blocks of memory over time, %1 in one piece. Space plays the plan, Left and Right step.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No addresses yet: they come with a plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At the peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gaps below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In one piece %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>workspace of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::AddressTable</name>
    <message>
        <source>Storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last step</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::AddressView</name>
    <message>
        <source>Open a model to see where its storages lie in memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One computation back (,)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replays the plan from the cursor on (Space)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One computation on (.)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for addresses for %1 steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 lost to gaps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no gaps at the peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes %1 in one piece · %2 in use at the peak · %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::AliveList</name>
    <message>
        <source>Search by name</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::AliveTable</name>
    <message>
        <source>Storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Since step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>workspace</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::BatchBox</name>
    <message>
        <source>Another batch…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens a trace of the same step with another batch, or another length. From both follows what any batch takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes and times follow the straight lines through traces of %1 and %2. Quick plans are looked at here: Solve may find a better one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for a plan…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at %2: everything kept takes %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, which fits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, a plan %2 at %3 more time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, and no plan less than %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. No quick plan fits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for the largest that fits…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest in this budget: %1 with everything kept, %2 with a plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan shown fits up to %1.</source>
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
        <source>%1 of keep-all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan can do with less than %1. Choose that or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole ops need %1. Choose that or more, or chunks.</source>
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
        <source>Drag to set the budget; no plan can reach into the hatched part. Arrow keys: 1 %, with Shift 0.1 %; Home: the smallest; End: 100 %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>floor %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::CallsTable</name>
    <message>
        <source>Call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::CardBox</name>
    <message>
        <source>Desktop and workstation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data centre</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Laptop and edge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Microcontrollers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you train on. Choose a card, or type any memory, such as 8 GB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose, or type 8 GB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its states lie on the card beside the step, unless the step that is open holds them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other: type its memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is no memory of a card. Write it like 8 GB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot fit: parameters, inputs and states alone take %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot fit: the update alone takes %1 for gradients and temporaries, and %2 are left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits as it is: %1 of %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot fit: %1 alone needs %2, and %3 are left for the step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot fit: the results alone need %1, and %2 are left for the step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits at %1 more time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits at %1 more time or less: Solve.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No quick plan fits: Solve looks longer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for a plan…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 are left for the step, beside parameters and inputs (%3), states of the optimizer (%4) and %5 that stay free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget: the %1 that it leaves</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::CertificateWindow</name>
    <message>
        <source>The plan did not hold what it promised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Within the budget; results not compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan held what it promised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the graph of the step, and the plan, before the certificate to see whether it is of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is of this graph and of the plan “%1”, step by step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is of the open graph, and of none of its open plans. Open the plan of the training as well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Certificate – %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>did not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, and %2 known to lie beside the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak held during</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan in this order of ops is faster by more than %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none was proven for this plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, PyTorch %2, on %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its digest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>agrees with its text: it is as training wrote it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ChoiceRow</name>
    <message>
        <source>Right: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrong: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ChunkBox</name>
    <message>
        <source>If needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ops that run in pieces need less memory at once. Automatic: Solve decides what does, and opens the model so beside this one. If needed: the planner Automatic does so for budgets that no plan of whole ops can meet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head=8: the loss and what leads to it in 8 pieces. The name of an op takes what is around it; a comma stands between several. Enter opens the model so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never in chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names of ops, with commas between them. Solve cuts none of them, nor what would have to be cut with them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunks: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never in chunks: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ChunkCommands</name>
    <message>
        <source>In %1 chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the model with the selected op, and what has to be cut with it, in %1 pieces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never in chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solve leaves the selected op whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>May run in chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves the selected op to Solve again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ChunkLine</name>
    <message>
        <source>Ops whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the model with its ops whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In %1: floor %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solve so</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solves for this budget with the chunks that suit it, and opens the model so beside this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. What is proven here is proven of plans in these chunks.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ClassPage</name>
    <message>
        <source>For lecturers</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ClusterModel</name>
    <message>
        <source>How much better this block could be planned is not known yet.</source>
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
    <message>
        <source>holds %1 from forward to backward, adds %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chosen</source>
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
    <message numerus="yes">
        <source>%n identical, solved once</source>
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
        <source>Set the smallest budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The least memory that any plan can do with</source>
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
        <source>Fit the view</source>
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
    <message>
        <source>Reopen the last session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything as it was when a window was closed last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Centres the selection of the graph, once more shows all of it; all of the time in the memory view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reopen the closed model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model that was closed last, with its plans; the last session where none was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples and recent files; open models stay open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closes the model that is shown; its plans come back with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the next open model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the open model before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the plan panel; hides the right side when it is in front</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Panels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens a training graph (.pt2), a graph, a plan or costs (.json), or a session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train with this…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lines for your script, and every export with what it takes and what it loses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Centre views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bottom views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right-hand views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Remat Studio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version, licence, and the PyTorch that was found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::CompareCanvas</name>
    <message>
        <source>Memory over time of the compared plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No two plans are compared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, peak %3, %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>. Left and Right step, W and S zoom, A and D move, F shows all.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::CompareHeader</name>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aligned by op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare another plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lays another plan over these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By time, by steps of each plan, or each op where A computes it first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, peak %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::CompareView</name>
    <message>
        <source>Differences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Storages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter of differences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save differences as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saves the rows shown here as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan that A is compared with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Negative bytes: A holds less at its peak. Negative time: A spends less on recomputing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show differences of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 storages in %2 groups, largest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ops in %2 groups, largest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 clusters in %2 groups, largest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of them differ in state.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model to compare plans of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are not two plans yet. Solve with another budget or planner.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select two plans in the list and press C.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Comparing</name>
    <message>
        <source>Swap A and B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes the letters of the two compared plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save differences as CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the rows that the table of differences shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save differences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The differences are in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 Choose another folder.</source>
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
    <message>
        <source>Enter loads it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For reference; it is not in the list of plans.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 found no plan within %2.</source>
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
        <source>Best of its planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::CurveView</name>
    <message>
        <source>Open a model to see what memory costs.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::DecisionsBox</name>
    <message>
        <source>Decisions made by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decisions · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is decided by hand. Select an op, a storage or a cluster, and press K to keep it, R to recompute it, N to never recompute it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes every decision made by hand back</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::DecisionsLine</name>
    <message numerus="yes">
        <source>%n decided by hand</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 The plan shown is the one from before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What that costs is known once this is solved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That costs nothing: no step takes longer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That costs %1 of every step, %2 of its time with everything kept.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::DecisionsModel</name>
    <message>
        <source>Decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take this decision back</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::DetailsStrip</name>
    <message>
        <source>Details of the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies everything that is known of the op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide the details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hides the details (I)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trace has no source line for this op.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::DifferenceModel</name>
    <message>
        <source>A holds %1 less at its peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A holds %1 more at its peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What A holds at its peak, less what %1 holds at its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What A spends on computing it again, less what %1 does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes, A − %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time, A − %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::DifferenceTable</name>
    <message>
        <source>Differences of the compared plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (bytes)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (µs)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has this in its name or state.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The two plans hold and recompute the same.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Docks</name>
    <message>
        <source>Takes the panel out of the window, or puts it back; by its title it can be dragged to another side, too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Modules and plans in a window of their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory views in a window of their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan panel in a window of its own</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Explain</name>
    <message>
        <source>Show step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves the cursor to the first step that breaks a rule</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ExplainView</name>
    <message>
        <source>Explain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Storages held at the peak</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ExplanationCard</name>
    <message>
        <source>Moves the cursor to this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects %1</source>
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
        <source>Writes the plan as %1</source>
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
    <message>
        <source>Export plan: %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Animation of the steps…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the plan, step by step, as a looping animated PNG, which every browser plays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write an animation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Animated PNG (*.png)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no plan yet. Solve first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The animation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export plan as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 takes %2 at %3 more time, the plan itself %4 at %5. The file says what is lost and how to use it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export, script, torch.compile, training</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::FigureTable</name>
    <message>
        <source>%1: %2 and %3, difference %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures of both plans</source>
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
        <source>%1, over the budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bound %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much longer a training step takes than with everything kept, which takes %1</source>
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
        <source>How fast a plan can be at best is not known here: press Solve to compute it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan is faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven: no plan is faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven: within %1 no plan is faster that computes the ops for the first time in the model&apos;s order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven: within %1 no plan is faster that computes the ops for the first time in this plan&apos;s order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found by %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to see the op at which memory is tightest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights + states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the optimizer trains, and what it keeps of each: in the peak, as far as they are on the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the optimizer trains, and what it keeps of each: in no peak. The planners&apos; option for parameters lets them leave the device.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>planned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resident</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven: within %1 no plan without offloads is faster, in whatever order it computes the ops.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not solved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bound, any order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set at %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::FilterCompleter</name>
    <message>
        <source>Completions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::FindBar</name>
    <message>
        <source>Find ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find ops: a name, or kind:addmm module:h.11 size&gt;10MiB recomputed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists all matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close and forget the search (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ops</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::FitsModel</name>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left for the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits with a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 with a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 with a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double-click takes this card: its budget, its costs, and a plan follows</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::FitsView</name>
    <message>
        <source>Devices that training fits on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it keeps of each parameter, and makes in its update, counts as memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 when everything is kept: parameters and inputs %2, states %3, the step %4, or the update %5. %6 of each device stay free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another batch…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens a trace of the same step with another batch. Without one, remat_studio.largest_batch traces and asks by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A second trace of the same step, with another batch, tells the largest batch that fits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest batches are worked out from traces with %1 and %2 samples; workspaces stay as they are.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::FloatingTitle</name>
    <message>
        <source>Put back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts the panel back into the window</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Glossary</name>
    <message>
        <source>Glossary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words, and where a lesson shows what they mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search words and sentences</source>
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
        <source>time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows plain order instead of waiting for the layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the branches of this cluster below each other (Shift+B)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the branches of this cluster side by side (Shift+B)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::GraphCommands</name>
    <message>
        <source>Open all clusters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows every op of the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close all clusters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the outermost clusters only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To what makes its input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects the op that made what the selected op reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To what reads its output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects the op that reads what the selected op makes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours cards by state, bytes, time, time error, recomputes, lifetime or idle time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details of the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows figures and source line of the selected op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wheel zooms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The wheel zooms the graph and scrolls it with Ctrl, instead of the other way round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branches of this cluster the other way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the branches of the selected cluster side by side, or below each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branches side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows branches of a cluster beside each other, as Graphviz places them, or below each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branches below each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph</source>
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
        <source>Times are predicted. Run ▸ Measure costs shows how far off they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held at cursor</source>
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
        <source>Another block than %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branches of %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Help</name>
    <message>
        <source>Where things are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists what the program does, and goes there</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::HelpWindow</name>
    <message>
        <source>Where things are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
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
    <name>remat::studio::HoldersModel</name>
    <message>
        <source>Held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next read by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, next read by %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::IcicleCanvas</name>
    <message>
        <source>Bytes by module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held at the peak, by module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held at the cursor, by module</source>
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
    <name>remat::studio::JobsModel</name>
    <message>
        <source>Planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bound</source>
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
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
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
        <source>– of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added time of the best plan so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven: no plan in this order of ops adds less time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time was up</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::JobsView</name>
    <message>
        <source>No solves yet. Press Solve.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends the chosen solve; the best plan found so far stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the chosen solve out of the list; its plan stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts the chosen solve earlier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts the chosen solve later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves only what waits and runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solves at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many solves run at the same time; they share the threads</source>
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
        <source> or </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search keys and commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search, by name or by key</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::LanesCanvas</name>
    <message>
        <source>Lanes over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 busy for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>. Left and Right step, Enter selects, W and S zoom, A and D pan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>busy · sets the pace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Modules</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n module(s). Zoom in to see them.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n copies. Zoom in to see them.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n op(s). Zoom in to see them.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute waits %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute waits %1 for the copy of %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::LanesTable</name>
    <message>
        <source>Lane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Op or storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::LanesView</name>
    <message>
        <source>Open a model to see what is computed when.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 recomputing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute waits %1 for copies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 sets the pace for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured %1, %2 longer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured %1, %2 shorter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured %1, %2 times as long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bars below the rows: measured, drawn to the plan&apos;s length</source>
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
        <source>The layout program&apos;s answer was too large.</source>
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
        <source>Modules as the model&apos;s author wrote them, or the blocks that are planned one by one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grey plans need more than the budget of %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::LessonList</name>
    <message>
        <source>Lessons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn rematerialization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each lesson runs in this window, on real graphs and real planners. It asks what you expect before it shows what is so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Walked to its end. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 minutes. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save progress…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For lecturers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puzzles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How planners think</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotor, Checkmate, the search and DTR at work, frame by frame</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::LessonPanel</name>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All lessons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends the lesson; it goes on from here the next time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lesson: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What do you expect?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do you remember?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not quite.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not that one. Look again, and try another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another hint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Once more, from “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What has stayed? Question %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is right?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Lessons</name>
    <message>
        <source>Lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lessons…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn rematerialization by doing it, step by step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next step of the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes on; after the last step the lesson ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step of the lesson before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes back, with the state that the step had</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hint of the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each hint is more concrete than the one before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard to the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Then the keys 1 to 6 choose an answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It goes on from here the next time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words in a sentence each, and the lesson&apos;s step that shows them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the progress in lessons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The progress is in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For lecturers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A class of 45 and one of 90 minutes: what to click, what students will ask</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::LetterChip</name>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is %2. Click to choose another plan, or drop one here.</source>
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
        <source>Open a profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profiles (*.json)</source>
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
        <source>Choose the model of these plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 holds the times of a model&apos;s ops. Open that model first, and then this file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model, a plan, costs, a certificate, a session or a lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training graphs, plans, costs, certificates and sessions (*.pt2 *.json *.remat *.rematsession)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::MatrixCanvas</name>
    <message>
        <source>Matrix of what is computed and kept from op to op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computed first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept from the slot before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not in memory before this slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slot %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Op %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slot %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::MatrixTable</name>
    <message>
        <source>Op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computed again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::MatrixView</name>
    <message>
        <source>Open a model to see what is computed and what is kept from one op of the training step to the next.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which ops are columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 slots, %2 ops · %3 computed again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Measuring</name>
    <message>
        <source>Measure by dragging</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A drag over a plot chooses a range, whose figures are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Range of the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The range becomes the life of the selected storage, or the run of the op</source>
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
        <source>Peak %1 at step %2. Budget %3, %4 of keep-all. Up and Down move the budget by 1 %, with Shift by 0.1 %; Home sets the smallest, End 100 %. Left and Right step.</source>
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
    <message>
        <source>Alive at the peak, step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 storages without a band of their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>while %1 runs, step %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more storages. A click lists them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::MemoryHeader</name>
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
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the bands are (G)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the bands are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many storages have a band</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The %1 storages that hold the most memory for the longest time have a band each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>States</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 left</source>
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
        <source>No plan fits %1: op %2 alone needs %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan fits %1: the results alone need %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the smallest budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything alive at the peak	Shift+P</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bands of single storages	G</source>
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
        <source>Estimating the times of %1</source>
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
    <message>
        <source>A device is left out of the list. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> + %1 on the host</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ModelPages</name>
    <message>
        <source>%1 keeps the times it had: another model was shown before the new ones were there. Show it and choose them again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the model…</source>
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
        <source>Fits on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fits on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not fit on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2, fits on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best plan found within each so far, quick plans included. A sweep finds better ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is left for the step beside parameters, states of the optimizer and a reserve of %1, and the best overhead found in it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::OpenLayouts</name>
    <message>
        <source>Laying out %1, %2 of %3 clusters</source>
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
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A whole number, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 option</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::OwnCheckpointsNotice</name>
    <message>
        <source>The model checkpoints its activations itself: today a step holds %1 and takes %2 longer than with everything kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show as a plan</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PageTabs</name>
    <message>
        <source>1 plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, solving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, some of them new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the others</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Palette</name>
    <message>
        <source>Command palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs any command, and goes to any op or storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found. Begin with &gt; for commands, @ for ops, # for storages, ? for help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 found · Enter goes there · Ctrl+Enter finds all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 found    &gt; commands    @ ops    # storages    ? help</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PaletteBox</name>
    <message>
        <source>Command palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search ops, storages, commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&gt; commands    @ ops    # storages    ? help</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PeakBars</name>
    <message>
        <source>Memory at the peak, by category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PlanCard</name>
    <message>
        <source>quick plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>budget %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without a budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PlanFiles</name>
    <message>
        <source>%1 is a plan for %2, which is not open. Choose the model that it was made for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not opened: another model came to be shown first. Open it again.</source>
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
    <message>
        <source>Save…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train with this…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PlanRunner</name>
    <message>
        <source>Loading LibTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Getting LibTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Getting LibTorch: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Get it (%1)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PlanView</name>
    <message>
        <source>Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solve</source>
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
        <source>How long the planner may search. The best plan found by then is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many threads may work at once; as many as the processor has cores is quickest.</source>
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
        <source>%1, a quick plan made while the budget moves. Solve finds better ones.</source>
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
        <source>Compare as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the selected plans	C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take out of the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove	Del</source>
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
        <source>Set the smallest budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The least memory that any plan can do with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gap %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By how much the best plan adds more time than any plan must, as far as is proven. 0 %: no plan is faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 clusters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n more waiting</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Time was up after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of another plan than the one shown: %1 within %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A longer time limit may give a better plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>level %1: %2 of %3 clusters</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleBoard</name>
    <message>
        <source>Backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleHistogram</name>
    <message numerus="yes">
        <source>Your tries by extra time: %n</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Each finished play stands here, by its extra time.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleItem</name>
    <message>
        <source>op, %1, can be computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>op, %1, not computed yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>op, %1, computed %n times</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>result, %1, there to stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>storage, %1, in memory and in host memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>storage, %1, in memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>storage, %1, in host memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>storage, %1, freed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>storage, %1, not made yet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleList</name>
    <message>
        <source>Puzzles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Small graphs that do not fit: compute, free and compute again within the budget. The best play of each is proven. You have %1 of %2 stars.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n stars of three</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleMemoryBar</name>
    <message>
        <source>Memory: %1 of %2 held, at most %3 so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In memory %1, at most %2 so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleRun</name>
    <message>
        <source>Every result is there. Undo to change something, or start again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done in the least time. Copying %1 is enough for that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done, with %1 more. The proven best is %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done, with %1 more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute %1 at the top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute %1 again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copy %1 out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bring %1 back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From here no way leads to every result: something that cannot come back is gone. Undo.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No way on was found within the work that a hint may take. Undo a few moves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next: %1. From here the best play ends with %2 more, and that is proven.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next: %1. It leads to an end with %2 more; whether that is best is not proven.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proving the best play…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proving the best play: %1 positions looked at…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file had no proven best; it was proven just now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done, and proven: no schedule within this budget takes less than %1 extra.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleWindow</name>
    <message>
        <source>Puzzle: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the last move back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes every move back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where it gets tight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A hint: the op at which all that is needed later no longer fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next move</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A hint: the next move of the best play from here, found while you wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extra time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two stars for at most %1 more, which is what the forward pass costs once again; three for the best there is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click an op to compute it (C), a storage to free it (F).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right-click a storage to copy it out (O); click it once it is away to bring it back (B).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right-click an op to put what it makes at the top (T).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrows go from one to the next, Enter does what is next to do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your tries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All puzzles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With the stars of each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As a file that opens here again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next puzzle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The one after this</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n stars of three</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Best so far: %n stars of three</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Looking for the best play from here…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin with an op that has a play sign: all that it reads is there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n moves</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::studio::Puzzles</name>
    <message>
        <source>Puzzles…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule small graphs by hand, beside a proven best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make a puzzle from this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected cluster as a puzzle, with a budget that is proven to cost something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proving the best play of %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A part of %1. What the rest of the network does in between is one op of no time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The puzzle is open in a window of its own; there it can be saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the puzzle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puzzle (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The puzzle is in %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::RangeTable</name>
    <message>
        <source>Group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Came</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Went</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::RangeView</name>
    <message>
        <source>(none)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sums of the range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold Shift and drag in Memory or Lanes to choose a stretch of time. Its sums are shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 from %2, %3 steps. %4 came, %5 went; at most %6 were held.</source>
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
    <name>remat::studio::ReportRuns</name>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed, though equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Reports</name>
    <message>
        <source>Reports of devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What plans came to on real devices, as remat doctor measured it on each</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ReportsWindow</name>
    <message>
        <source>%1, simulated device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans run on it as they say</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not everything held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 a second, %2 before a copy begins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; without %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reports of devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link to the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tried</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans that were run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2, by %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ResultsTable</name>
    <message>
        <source>Op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Phase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes</source>
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
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ResultsView</name>
    <message>
        <source>Ops that were found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No op matches %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No search yet. Ctrl+F finds ops by name and filters.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::RulerButton</name>
    <message>
        <source>Measure: drag over the plot to choose a range (Ctrl+Alt+M). Shift and a drag do so at any time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::RunOnButton</name>
    <message>
        <source>Device to validate on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The device that plans are validated on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best there is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The GPU when LibTorch can use one, else the CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slower, and always there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for a GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU: none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU: %1</source>
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
    <name>remat::studio::Search</name>
    <message>
        <source>Find ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds ops by name and by filters, such as size&gt;10MiB recomputed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the next op that was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the op that was found before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists all ops that were found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::SearchField</name>
    <message>
        <source>Search ops, storages, commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs any command, and goes to any op or storage (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::SolveJob</name>
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
    <message>
        <source>Taken back before it started.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found with all ops whole; it is open beside this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found in %1; it is open beside this one.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::SourceView</name>
    <message>
        <source>Copy the calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies all calls as a stack trace of Python</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calls that the selection comes from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select an op, a storage or a module. The lines of Python that it comes from are shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the trace has no source line for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: calls that all of its ops come from, the innermost first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the line that it comes from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 calls, the innermost first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: its ops have no call in common.</source>
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
    <message>
        <source>Reopen the last session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn it by doing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Short lessons, from the first idea to proofs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puzzles, each with a proven best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in half of its memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::StartUp</name>
    <message>
        <source>There is no command %1. Did you mean %2?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not possible here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has the keyboard, so %1 cannot be typed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needs an open model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model has nothing called %1. Did you mean %2?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no step %1. The steps are 0 to %2.</source>
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
    <name>remat::studio::Steer</name>
    <message>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans keep what is selected on the device until its last use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans drop what is selected after the forward pass and compute it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans compute what is selected once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves what is selected to the planner again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear all decisions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes every decision made by hand back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing in this cluster can be computed again after the forward pass.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing in the backward pass reads what %1 makes: plans drop it after its last use anyway, so this changes nothing by itself. Choose an op after it that the backward pass reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunks</source>
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
    <name>remat::studio::StepPlayer</name>
    <message>
        <source>Slow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Normal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step player</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the strip that plays the plan step by step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the computation before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the next computation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play, or go step by step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1 of %2 · %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next recomputation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the next op that is computed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the next computation after which something is freed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step of the peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the step at which most is held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recomputation before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes back to the recomputation before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes back to the free before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loop from this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Playing begins here and comes back here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loop to this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Playing goes back to the start of the loop after this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the loop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plays to the end again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loop from computation %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves the time cursor through the steps of the plan, or stops it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause the plan</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::StepUpdates</name>
    <message>
        <source>Updates in the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Updates of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No updates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the model once more, with an update behind each gradient: weights and states may leave</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the model as it was traced: forward and backward pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Updates on the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The CPU computes them, on copies in its memory; the optimizer&apos;s states stay there</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::Stories</name>
    <message>
        <source>How %1 plans…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans the open model with %1 and plays what it did, frame by frame; for small graphs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the story</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stories (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The story is in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How planners think</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fills a table: the least time of every part of a chain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best plan and bound close in on each other: branch and cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drops what is large and quick to make, then tries small moves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Throws out the lowest score whenever memory is full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How planners think…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotor, Checkmate, the search and DTR at work, frame by frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See how this planner thinks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plays what it does, frame by frame: on this graph where it is small, else on a small one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Animated PNG (*.png)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::StoryChartView</name>
    <message>
        <source>No chart</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::StoryList</name>
    <message>
        <source>How planners think</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each opens a small graph with a tight budget, plans it, and plays what the planner did, frame by frame. With a small graph of your own open, the Plan panel offers the same.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::StoryWindow</name>
    <message>
        <source>Table of the frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play the story</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause the story</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::SummaryView</name>
    <message>
        <source>Use A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is compared. Select two plans in the list and press C.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory at the peak, by category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes A the current plan of all views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes %1 the current plan of all views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made under unequal conditions: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::SumsTable</name>
    <message>
        <source>Group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
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
        <source>Offloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(none)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::SweepRunner</name>
    <message>
        <source>The workers of a cluster read the model&apos;s file, which knows nothing of the updates in its step. Sweep on this machine.</source>
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
    <message>
        <source>On a Dask cluster…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workers of the cluster plan, each with the Python package remat-studio; plans come back as they are made, and are checked here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan on a Dask cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address of its scheduler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, on %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::TableMenus</name>
    <message>
        <source>Copy row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export table…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the table %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table is in %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::TensorsTable</name>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Since</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Until</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computed again for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brought back for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::TensorsView</name>
    <message>
        <source>Saved tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sums of saved tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter of tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter, as in Find: module:h.1 size&gt;1MiB kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 tensors, %3; %4 kept</source>
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
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::TimeGestures</name>
    <message>
        <source>Drag to measure a range. Esc clears it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The part that is shown. W and S zoom, A and D move, F shows all.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::TimeHeader</name>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the horizontal axis counts</source>
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
    <message>
        <source>Measured</source>
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
        <source>Example of such a function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It may return a loss function as a third value. Without one the model&apos;s own loss is taken, or the mean of squares of its outputs.</source>
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
    <name>remat::studio::TrainWindow</name>
    <message>
        <source>%1, %2 more time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train with this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In your own script, under this budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lines for your script</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This very plan, or what other programs can take of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no plan yet. Solve first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at what each takes…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan itself: remat_studio.read_plan(&quot;plan.json&quot;).apply(model, args, loss_fn) trains the traced model with it. Nothing is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lost: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not for this plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The step is planned anew where it runs, with the same planners, and computes with PyTorch&apos;s own kernels: loss and gradients are equal to the bit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model as a module with its own forward, which Trainer, Accelerate, Lightning and DDP take as it is. It computes with PyTorch&apos;s own kernels: loss and gradients are equal to the bit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The compiler&apos;s kernels stay, and the budget is of what they hold, which is known before one is compiled. Values agree to rounding. Add graph=&quot;step.json&quot; to open what was planned here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A loop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trainer, Lightning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inductor&apos;s kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What runs the step</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::TrainingCard</name>
    <message>
        <source>Other: %1</source>
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
        <source>Smaller text and controls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text and controls at 100 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes everything 10 % larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes everything 10 % smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes everything as large as the desktop asks for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presenter size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes text and strokes large enough for a lecture room; again goes back</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::ViewDeck</name>
    <message>
        <source>Show %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::WindowSessions</name>
    <message>
        <source>Save the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions (*.remat)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The session is in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the window?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is open cannot be kept for the next time: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans that are in no file are lost when the window is closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the session elsewhere…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close and lose them</source>
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
    <name>remat::studio::WordCard</name>
    <message>
        <source>Words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show me what %1 means, in a lesson</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>remat::studio::WordHints</name>
    <message>
        <source>What do the words here mean?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A sentence for each word of the glossary where the keyboard is; the mouse on a word shows the same</source>
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
        <source>Show modules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the partition</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
