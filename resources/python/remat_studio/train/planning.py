# SPDX-License-Identifier: Apache-2.0
"""From a joint graph to a part of a step: planned, cut at its border, and told about."""

import dataclasses
import json
import pathlib
import time

from . import buckets, certificate, checkpoints, costs, history, holding, memory, planner, session, workspaces
from .chunks import choose
from .errors import PlanError
from .part import Part, Room
from .partition import Partition
from .telling import RUNS, tell

_OF_STATES = 0.25  # of the time limit, to find a plan that leaves room for states of generators


@dataclasses.dataclass
class PlannedGraph:
    """The two graphs of a plan, the part of the step that they are, and what its first call needs, if anything."""

    forward: object
    backward: object
    part: Part
    to_certify: object
    to_hold: object
    step: session.Session

    def watched(self, run):
        """The forward function ``run``, whose first call is certified and measured as the options say."""
        if self.to_hold:
            run = holding.on_first_call(run, self.to_hold, self.part, self.step)
        return certificate.on_first_call(run, self.to_certify, self.step) if self.to_certify else run


def plan_graph(step, key, name, module, graph, find_written, eager=None):
    """Plan a StepGraph of ``module`` as a part of the session ``step``.

    ``find_written(device_type)`` gives the Written that a certificate holds the graph against. ``eager`` is the StepGraph
    of what eager mode computes, where that is another one.
    """
    with step.pace.planning(step.count_of(name)):
        return _plan_graph(step, key, name, module, graph, find_written, eager or graph)


def _plan_graph(step, key, name, module, graph, find_written, eager):
    options = step.options
    begin = time.perf_counter()
    taken = step.taken.get(name)
    for each in dict.fromkeys((graph, eager)):
        workspaces.measure(each)
        if taken is not None:
            holding.leave_room(each, taken)
    own_steps = checkpoints.own_steps(eager)
    steps_before = own_steps or memory.keep_all(eager)
    before = memory.use_of(eager, memory.held_by_nodes(eager, steps_before))
    steps_before = memory.with_outputs_let_go(eager, steps_before)
    before_let_go = memory.use_of(eager, memory.held_by_nodes(eager, steps_before))
    budget_bytes, border_bytes = _room(step, key, name, before)
    graph.border_workspace_bytes = max(border_bytes - sum(each.bytes for each in graph.tangent_storages), 0)
    known = step.known.setdefault(key, [])
    plan = None
    if options.buckets and taken is None and not step.is_planned_again(name):
        plan, chunks, cached = buckets.plan_for(known, graph, name, budget_bytes, options), None, False
    if plan is None:
        graph, chunks, plan, cached, partition = _with_states(step, name, graph, budget_bytes, taken, known)
    else:
        partition = Partition(graph, plan["steps"])
    use = memory.use_of(graph, plan["steps"])
    if budget_bytes is None or options.plan or "bucket" in plan:
        budget_bytes = plan["budget_bytes"]
    record = {
        "graph": {"name": name, **plan["graph"]},
        "budget": options.budget.text if options.budget else None,
        "budget_bytes": budget_bytes,
        "chunks": chunks,
        "solver": plan["solver"],
        "predicted": plan["predicted"] | ({} if options.plan else {"keep_all_peak_bytes": before.peak_bytes}),
        "before_bytes": before.peak_bytes,
        "outside_bytes": partition.outside_bytes,
        "from_cache": cached,
        "bucket": plan.get("bucket"),
        "planning_seconds": time.perf_counter() - begin,
    }
    own = buckets.sized(graph, name, plan, budget_bytes)
    if chunks is None:
        record["largest_size"] = buckets.largest_size(graph, own, known, budget_bytes)
    if "bucket" not in plan:  # sizes of a bucket are counted from the step that was planned
        known.append(own)
    refusal, is_known = None, may_be_all(graph) and not _gives_more(graph, use.peak_bytes)
    if "missed" in plan and options.strict:
        refusal = planner.missed(plan, budget_bytes)
        if _is_whole(step, graph):
            raise PlanError(refusal)
    else:
        is_left = step.is_planned_again(name) or graph.is_before_others
        _tell(step, (key, name), plan, budget_bytes, use, before if own_steps else None, is_left, is_known)
    history.add(record)
    forward, backward = partition.modules()
    first = None
    is_held_to = options.hold or (workspaces.unknown(graph.module) and not options.plan)
    if options.verify or is_held_to:
        as_written = find_written("cuda" if graph.has_cuda else "cpu")
        first = certificate.Planned(
            graph.module, as_written, graph, plan["steps"], forward, backward, record, options.verify
        )
    room = Room(budget_bytes, border_bytes)
    is_first = "first" in plan
    part = Part(
        key,
        name,
        record,
        use,
        before,
        is_least="missed" in plan and not is_first,
        room=room,
        is_held=taken is not None,
        is_whole=is_known and not is_first and not step.is_planned_again(name),
        is_before_others=graph.is_before_others,
        is_first=is_first,
        refusal=refusal,
        retained_bytes=_added_by_retaining(eager, own_steps or memory.keep_all(eager))
        - _added_by_retaining(graph, plan["steps"]),
        let_go=(memory.use_of(graph, memory.with_outputs_let_go(graph, plan["steps"])), before_let_go),
    )
    return PlannedGraph(
        forward, backward, part, first if options.verify else None, first if is_held_to else None, step
    )


def _added_by_retaining(graph, steps):
    """What the backward of these steps holds more where another one follows."""
    return memory.use_of(graph, memory.retained(graph, steps)).backward_bytes - memory.use_of(graph, steps).backward_bytes


def _is_whole(step, graph):
    """True for a graph that gives a loss alone and reads no activation of another; else the step may have others."""
    return graph.gives_a_loss and not step.is_in_flight and _begins_at_leaves(graph)


def may_be_all(graph):
    """Whether a graph goes from leaves to losses, beside whatever else it gives."""
    return all(node.meta["val"].numel() == 1 for node in graph.tangents) and _begins_at_leaves(graph)


def _gives_more(graph, peak_bytes):
    """Whether outputs count that the script may let go of before the backward, as logits beside a loss."""
    return sum(storage.bytes for storage in graph.held_outputs if not storage.is_resident) > session.LITTLE * peak_bytes


def _begins_at_leaves(graph):
    """Whether no gradient of a graph goes on through what ran before it."""
    return set(graph.gradients) == set(graph.parameter_gradients)


def _room(step, key, name, before):
    """The budget of this part in bytes, None without one, and what others hold at its border."""
    options = step.options
    budget_bytes = None
    if options.budget:
        budget_bytes = options.budget.of(before.peak_bytes)
        if options.budget.share is None:
            budget_bytes = max(budget_bytes - step.taken_bytes(), 1)
    room = step.room_of(key, name, before)
    return (budget_bytes, 0) if room is None else (max(room.budget_bytes, 1), room.border_bytes)


def _plan(step, options, name, graph, budget_bytes, known):
    """The plan, and whether it came from the disk; ``known`` are those of other sizes."""
    as_json = graph.as_json(name)
    if options.graph:
        pathlib.Path(options.graph).write_text(json.dumps(as_json))
    if options.plan:
        return planner.read_plan(options.plan, as_json), False
    # Random ops draw in the order of the model, and the collectives of all ranks meet in it.
    in_order = any(op.is_random or op.is_collective for op in graph.ops)
    device = costs.device(options.device, graph)
    size = step.count_of(name)
    is_shared = step.shares or step.is_planned_again(name)
    is_part = step.is_in_flight or graph.is_before_others
    is_first = is_part and not is_shared and not options.strict
    if size == 1:
        return planner.make_plan(as_json, budget_bytes, options, device.name, in_order, is_first=is_first)
    nearest = buckets.nearest(known, graph)
    start = nearest and nearest.plan
    seconds = step.pace.seconds(options.time_limit, size, start is not None)
    return planner.make_plan(as_json, budget_bytes, options, device.name, in_order, start, seconds, is_first)


def _with_states(step, name, graph, budget_bytes, taken, known):
    """What ``_best`` gives and its Partition, whose states of generators on a CPU are within the budget as well."""
    options = step.options
    found = _best(step, name, graph, budget_bytes, taken, known, options.time_limit)
    partition = Partition(found[0], found[2]["steps"])
    states = partition.state_bytes
    is_met = options.plan or "missed" in found[2] or found[2]["predicted"]["peak_bytes"] + states <= budget_bytes
    if not is_met:
        less = _best(step, name, graph, budget_bytes - states, taken, known, options.time_limit * _OF_STATES)
        if "missed" not in less[2]:
            found, partition = less, Partition(less[0], less[2]["steps"])
    return *found, partition


def _best(step, name, graph, budget_bytes, taken, known, seconds):
    """The graph that is planned, its chunks in words or None, its plan, and whether that came from the disk.

    With chunks, each way to cut the graph is planned in a share of the time, where what it needs at least is within the
    budget; the plan that takes the least time is the answer.
    """
    options = step.options
    ways = [(graph, None)] if options.chunk in ("off", "auto") else []
    if options.chunk != "off":
        try:
            ways += choose.graphs(graph, budget_bytes, options)
        except PlanError as error:
            if options.strict or not ways:
                raise
            tell(f"The step runs without chunks. {error}", step)
    for way, chunks in ways:
        if chunks is not None:
            way.border_workspace_bytes = graph.border_workspace_bytes
            way.is_before_others = graph.is_before_others
            workspaces.measure(way)
            if taken is not None:
                holding.leave_room(way, taken)
    if len(ways) > 1:
        possible = [way for way in ways if memory.floor_of(way[0]) <= budget_bytes]
        ways = possible or [min(ways, key=lambda way: memory.floor_of(way[0]))]
    share = dataclasses.replace(options, time_limit=seconds / len(ways))
    planned = [(way, chunks, *_plan(step, share, name, way, budget_bytes, known)) for way, chunks in ways]
    return min(planned, key=lambda each: ("missed" in each[2], each[2]["predicted"]["time_us"]))


def _tell(step, which, plan, budget_bytes, use, own, is_left, is_known):
    """Say once what the person who trains would not expect; ``own`` is what the model's own checkpoints hold.

    What misses that which others leave, ``is_left``, is said of the whole step. So it is where what the step holds is
    not ``is_known`` before one is measured.
    """
    key, name = which
    if "missed" in plan and not step.is_in_flight and not step.shares and not is_left:
        sentence = planner.missed(plan, budget_bytes) + RUNS
        if key in step.missed and step.has_shapes(key):
            tell(session.OTHER_SIZES, step)
        elif not is_known:
            step.untold.add(name, sentence, use.peak_bytes)
        else:
            tell(sentence, step)
            step.missed.add(key)
    if own and use.peak_bytes > own.peak_bytes:
        tell(
            f"The model checkpoints its activations itself and holds {own.peak_bytes} bytes so; this plan holds "
            f"{use.peak_bytes}, in less time. Give a smaller budget to hold less.",
            step,
        )
