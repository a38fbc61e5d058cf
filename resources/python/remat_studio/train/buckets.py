# SPDX-License-Identifier: Apache-2.0
"""One plan for several sizes of a step, such as lengths of sequences; and the largest size that a plan holds."""

import contextlib
import dataclasses
import hashlib
import math

from . import costs, memory, planner

_MOST = 1 << 24  # sizes of a dim that are asked about
_POWERS = (0, 1, 2)  # bytes of a storage grow with one of these powers of the size
_NEAR = 0.02  # so far a power may be off


@dataclasses.dataclass
class Sized:
    """What was planned for one size of a step."""

    name: str
    form: str  # the same for all sizes
    sizes: dict  # storage -> bytes
    shapes: list  # shapes of the inputs
    plan: dict | None
    budget_bytes: int
    order: list = dataclasses.field(default_factory=list)  # names of what is computed, where kernels are Inductor's


def sized(graph, name, plan, budget_bytes, order=()):
    """The plan of a StepGraph, or the order of its cut, to be taken for smaller ones."""
    shapes = [tuple(map(int, node.meta["val"].shape)) for node in graph.primals if hasattr(node.meta["val"], "shape")]
    return Sized(name, _form(graph), {each.name: each.bytes for each in _made(graph)}, shapes, plan, budget_bytes, order)


def plan_for(known, graph, name, budget_bytes, options):
    """A plan of ``known`` for a step that is at most ``options.buckets`` times larger than this one; None without one.

    It holds the budget, or what that step may hold, where the budget is in percent. It computes at least as much again
    as this step needs, so much smaller steps get plans of their own.
    """
    fitting = [
        each
        for each in larger(known, graph, options.buckets)
        if _held_with_others(graph, each.plan["steps"]) <= max(budget_bytes, each.budget_bytes)
    ]
    if not fitting:
        return None
    taken = fitting[0]
    device = costs.device(options.device, graph).name
    budget_bytes = max(budget_bytes, taken.budget_bytes)
    return planner.replayed(graph.as_json(name), taken.plan, budget_bytes, device) | {"bucket": taken.name}


def _held_with_others(graph, steps):
    """The most that steps hold, with what other parts of the step hold at the border."""
    use, incoming = memory.use_of(graph, steps), sum(storage.bytes for storage in graph.tangent_storages)
    return max(use.peak_bytes, use.saved_bytes + incoming + graph.border_workspace_bytes)


def larger(known, graph, most):
    """Those of ``known`` for the same step in sizes that are as large or up to ``most`` times larger, smallest first."""
    form, total = _form(graph), sum(storage.bytes for storage in _made(graph))
    found = [
        each
        for each in reversed(known)  # of one size the last, which is for what it may hold
        if each.form == form
        and all(storage.bytes <= each.sizes[storage.name] for storage in _made(graph))
        and sum(each.sizes.values()) <= most * total
    ]
    return sorted(found, key=lambda each: sum(each.sizes.values()))


def mark_origins(module):
    """Let nodes of a joint graph, and all that are made of them, know the names that they have there."""
    for node in module.graph.nodes:
        node.meta["remat_origin"] = node.name


def order_of(graph, forward, backward):
    """The ops of a StepGraph whose nodes are marked, in the order in which two halves of it compute them.

    PyTorch computes equal ops once: one that is missing, of such a pair, comes before what reads it.
    """
    order, made = [], set()
    makers = {storage: op for op in graph.ops for storage in op.makes}

    def add(op):
        for storage in op.reads:
            if storage in makers and storage not in made:
                add(makers[storage])
        order.append(op.name)
        made.update(op.makes)

    for half in (forward, backward):
        if half is backward:
            for storage in graph.held_outputs:
                if storage in makers and storage not in made:
                    add(makers[storage])
            order.append(graph.border)
        for node in half.graph.nodes:
            op = graph.by_name.get(node.meta.get("remat_origin")) if node.op != "placeholder" else None
            if op is not None:
                add(op)
    return order


def nearest(known, graph):
    """That of the nearest other size of an equal step, to begin a search with; None without one."""
    form, total = _form(graph), sum(storage.bytes for storage in _made(graph))
    alike = [each for each in reversed(known) if each.form == form]  # later ones of one size are for what it may hold
    return min(alike, key=lambda each: abs(sum(each.sizes.values()) - total), default=None)


def largest_size(graph, own, known, budget_bytes):
    """The largest size that the plan ``own`` of a graph holds the budget at: ``{"planned": 384, "holds_to": 402}``.

    Of the dim in which a step that was planned before differs, by how its storages grew. None where no one dim does.
    """
    for other in known:
        dims = _dims(own.shapes, other.shapes) if other.form == own.form else set()
        if len(dims) == 1:
            ((now, then),) = dims
            powers = {name: _power(size, other.sizes[name], now / then) for name, size in own.sizes.items()}
            if None not in powers.values():
                return {"planned": now, "holds_to": _holds_to(graph, own, powers, now, budget_bytes)}
    return None


def _holds_to(graph, own, powers, now, budget_bytes):
    def peak(size):
        with _grown(graph, powers, size / now):
            return memory.use_of(graph, own.plan["steps"]).peak_bytes

    low, high = now, now + 1
    if peak(now) > budget_bytes:
        return 0
    while high < _MOST and peak(high) <= budget_bytes:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if peak(middle) <= budget_bytes else (low, middle)
    return low


@contextlib.contextmanager
def _grown(graph, powers, ratio):
    """The graph for another size; kernels' workspaces grow in proportion."""
    bytes_before = [storage.bytes for storage in _made(graph)]
    spaces_before = [op.workspace_bytes for op in graph.ops]
    for storage in _made(graph):
        storage.bytes = math.ceil(storage.bytes * ratio ** powers[storage.name])
    for op in graph.ops:
        op.workspace_bytes = math.ceil(op.workspace_bytes * ratio)
    yield
    for storage, size in zip(_made(graph), bytes_before, strict=True):
        storage.bytes = size
    for op, size in zip(graph.ops, spaces_before, strict=True):
        op.workspace_bytes = size


def _dims(own, other):
    """Pairs of sizes in which the shapes of the inputs differ."""
    if [len(shape) for shape in own] != [len(shape) for shape in other]:
        return set()
    pairs = (pair for ours, theirs in zip(own, other, strict=True) for pair in zip(ours, theirs, strict=True))
    return {(ours, theirs) for ours, theirs in pairs if ours != theirs}


def _power(size, other, ratio):
    """With which power of the size a storage grows; None for another way of growing."""
    if size == other:
        return 0
    power = math.log(size / other) / math.log(ratio) if size and other else -1
    return next((each for each in _POWERS if abs(power - each) < _NEAR), None)


def _made(graph):
    """Storages that plans hold and free: inputs have other names where Dynamo hands sizes in, too."""
    return [storage for storage in graph.storages if not storage.is_resident]


def _form(graph):
    """Which ops read and make what, without sizes."""
    made = {storage.name for storage in _made(graph)}
    parts = [(op.name, [[s.name for s in each if s.name in made] for each in (op.reads, op.makes)]) for op in graph.ops]
    return hashlib.sha256(repr(parts).encode()).hexdigest()
