# SPDX-License-Identifier: Apache-2.0
"""What a part of a step holds, by the rules of plans, and what several parts hold together."""

import dataclasses

from .. import formulas

_HALVINGS = 20  # to a millionth of what is saved
_LITTLE = 0.05  # of what is saved: below it not even inputs of layers are


@dataclasses.dataclass(frozen=True)
class Use:
    """Dynamic memory of one part of a step in bytes; parameters, buffers and inputs are not in it."""

    forward_bytes: int  # at most, in the forward
    saved_bytes: int  # from the end of the forward to the backward, outputs included
    backward_bytes: int  # at most, in the backward, with what was saved and the gradients of the outputs
    gradient_bytes: int  # gradients of parameters: they stay to the end of the step

    @property
    def peak_bytes(self):
        """At most, if the part is the whole step."""
        return max(self.forward_bytes, self.backward_bytes)

    def with_more(self, backward_bytes):
        """The same with so much more in the backward."""
        return dataclasses.replace(self, backward_bytes=self.backward_bytes + backward_bytes)

    def with_gradients(self, more_bytes):
        """The same with so much more from its backward to the end of the step."""
        return dataclasses.replace(self, gradient_bytes=self.gradient_bytes + more_bytes)


def scaled(use, ratio):
    """The Use of a part that is so many times as large."""
    return Use(*(int(size * ratio) for size in dataclasses.astuple(use)))


def step_peak(uses):
    """The most that parts hold together which run one after the other, and backward in the opposite order."""
    later = gradients_from(uses)
    held = peak = 0
    for use, gradients in zip(uses, later[1:], strict=True):
        peak = max(peak, held + use.forward_bytes, held + gradients + use.backward_bytes)
        held += use.saved_bytes
    return peak


def gradients_from(uses):
    """For each part the gradients of it and all after it, in bytes, and 0 behind all; equal parts are one."""
    left = sum(use.gradient_bytes for use in dict.fromkeys(uses))
    found, seen = [], set()
    for use in uses:
        found.append(left)
        left -= 0 if use in seen else use.gradient_bytes
        seen.add(use)
    return [*found, left]


def room_of(uses, index, budget_bytes):
    """What the part at ``index`` may hold by itself, and what lies on top of it at its border, in bytes.

    Outputs that end before the backward, which count as negative gradients, leave the forward no more room.
    """
    before = sum(use.saved_bytes for use in uses[:index])
    after = uses[index + 1 :]
    gradients = max(sum(use.gradient_bytes for use in dict.fromkeys(after)), 0)
    return budget_bytes - before - gradients, max(step_peak(after) - gradients, 0)


def shares_of_repeated(befores, budget_bytes):
    """Shares of what parts hold without a plan, at their peak and from forward to backward, which fit a budget.

    ``befores`` are Uses in the order of their forwards, some of them several times. Two pairs: the first leaves each
    part its own peak where that leaves room to save anything, since equal layers hold most between their passes.
    """
    alike = budget_bytes / step_peak(befores)
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        fits = step_peak([_saving(before, middle) for before in befores]) <= budget_bytes
        low, high = (middle, high) if fits else (low, middle)
    ways = [(1.0, low), (alike, alike)]
    return ways if low > _LITTLE else ways[::-1]


def room_in(shares, before):
    """What a part may hold by itself, and what lies on top of it at its border, in bytes, with such shares."""
    peak, saved = shares
    budget_bytes = int(peak * before.peak_bytes)
    return budget_bytes, max(budget_bytes - int(saved * before.saved_bytes), 0)


def _saving(use, share):
    return dataclasses.replace(use, saved_bytes=int(use.saved_bytes * share))


def use_of(graph, steps):
    """The memory of a plan for a StepGraph."""
    sizes = {storage.name: storage.bytes for storage in graph.storages}
    ops = {op.name: op for op in graph.ops}
    tangents = {storage.name: storage.bytes for storage in graph.tangent_storages}
    held, total = {}, 0
    peaks = [0, 0]  # forward, backward
    saved = None
    for step in steps:
        made, extra = {}, 0
        if step["do"] in ("free", "offload"):
            total -= held.pop(step["storage"], 0) if step["do"] == "free" else 0
            continue
        if step["do"] == "prefetch":
            made = {step["storage"]: sizes[step["storage"]]}
        elif step["op"] == graph.border:
            if saved is None:
                saved = total
            made = tangents
        else:
            op = ops[step["op"]]
            made = {storage.name: storage.bytes for storage in op.makes}
            extra = op.workspace_bytes
        now = total + sum(made.values()) + extra
        peaks[saved is not None] = max(peaks[saved is not None], now)
        new = {name: size for name, size in made.items() if name not in held}
        held.update(new)
        total += sum(new.values())
    return Use(peaks[0], saved or 0, peaks[1], sum(storage.bytes for storage in graph.parameter_gradients))


def with_outputs_let_go(graph, steps):
    """The same steps where the script lets go of outputs before the backward begins: each ends after its last use."""
    outputs = {storage.name for storage in graph.held_outputs if not storage.is_resident}
    reads = {op.name: [storage.name for storage in op.reads] for op in graph.ops} | {graph.border: outputs}
    left, found = set(outputs), []
    for step in reversed(steps):
        if step["do"] == "compute":
            ends = left.intersection(reads[step["op"]])
            found += [{"do": "free", "storage": name} for name in ends]
            left -= ends
        found.append(step)
    return found[::-1]


def held_by_nodes(graph, steps):
    """The same steps as autograd's engine runs them: what one op of a node of its reads ends with the last op of it.

    What a custom ``autograd.Function`` makes in its backward ends with the last name for it, as Python has it.
    """
    now, is_custom, made, found, ended = None, False, set(), [], []
    for step in steps:
        if step["do"] == "compute":
            op = graph.by_name.get(step["op"])
            number = None if op is None or op.is_forward else op.node.meta.get("seq_nr")
            if number is None or number != now:
                found += ended
                ended, made = [], set()
            now, is_custom = number, op is not None and formulas.is_custom(op.node)
            made |= {storage.name for storage in op.makes} if is_custom else set()
        is_over = step["do"] == "compute" or now is None or (is_custom and step.get("storage") in made)
        kept = found if is_over else ended
        kept.append(step)
    return found + ended


def retained(graph, steps):
    """The same steps in a backward that another one follows (retain_graph=True): what is saved does not end in it."""
    held, found, saved = set(), [], None
    for step in steps:
        if step["do"] == "compute" and step["op"] == graph.border:
            saved = set(held) if saved is None else saved
        elif step["do"] == "compute":
            held.update(storage.name for storage in graph.by_name[step["op"]].makes)
        elif step["do"] == "free":
            held.discard(step["storage"])
        if step["do"] != "free" or step["storage"] not in (saved or ()):
            found.append(step)
    return found


def floor_of(graph):
    """The least that any plan of a StepGraph holds: what one op needs, or the outputs."""
    planned = [storage for storage in (*graph.held_outputs, *graph.gradients) if not storage.is_resident]
    least = sum(storage.bytes for storage in dict.fromkeys(planned))
    for op in graph.ops:
        held = dict.fromkeys(storage for storage in (*op.reads, *op.makes) if not storage.is_resident)
        least = max(least, sum(storage.bytes for storage in held) + op.workspace_bytes)
    return least


def keep_all(graph):
    """Steps of the plan that computes every op once, in the order of the model, and frees after the last use.

    What ops would read that never run is held to the end, as by the outputs of a model in eager mode.
    """
    order = sorted(graph.in_planned_order(), key=lambda op: op is not None and op.is_absent)
    return freed_after_use(graph, [op.name if op else graph.border for op in order])


def freed_after_use(graph, order):
    """Steps that compute ops in this order, each life of a storage ended after its last use."""
    ops = {op.name: op for op in graph.ops}
    border_reads = [storage.name for storage in graph.held_outputs]
    kept = {storage.name for storage in graph.ends}
    kept |= {storage.name for storage in graph.storages if storage.is_resident}
    ends = {}  # index in the order -> storages that nobody reads after it before they are made again
    last = {}
    for index, name in enumerate(order):
        op = ops.get(name)
        for storage in (source.name for source in op.makes) if op else ():
            if storage in last:
                ends.setdefault(last[storage], []).append(storage)
            last[storage] = index
        for storage in (source.name for source in op.reads) if op else border_reads:
            last[storage] = index
    for storage, index in last.items():
        if storage not in kept:
            ends.setdefault(index, []).append(storage)
    steps = []
    for index, name in enumerate(order):
        steps.append({"do": "compute", "op": name})
        steps += [{"do": "free", "storage": storage} for storage in ends.get(index, ())]
    return steps
