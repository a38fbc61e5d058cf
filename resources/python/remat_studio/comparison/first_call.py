# SPDX-License-Identifier: Apache-2.0
"""Finds the first call of plain PyTorch whose numbers a step in several graphs never computes.

What first_op.py finds in a graph, the other way round: there is no one graph to look at. A call is matched when the
compiled step computes the same bits somewhere. From a result that differs the way goes back through calls that are not
matched, to those all of whose inputs are. A gradient that a capture of a custom autograd.Function loses leaves nothing
before it to compute: that function comes first then.
"""

import dataclasses

import torch

from .. import frames
from ..torch_private import (
    OpOverload,
    TorchDispatchMode,
    next_number,
    node_of_backward,
    pytree,
    without_torch_dispatch,
)
from .first_op import UNWRITTEN, both, key_of


@dataclasses.dataclass
class Call:
    """A call of an operator: its inputs and results as keys of their numbers, and where it is."""

    number: int
    operator: str
    is_view: bool
    inputs: list
    line: str  # of the code that made it, or the op that it belongs to; may be empty
    function: str  # of autograd, which made it in the backward pass, or empty
    is_custom: bool  # that function is the user's own autograd.Function
    kind: tuple  # operator, and shapes of the results


def missing(pair, within, wanted):
    """The first Call that the compiled step has not, on the way to what differs, or None.

    ``wanted(outcome)`` has the results of plain PyTorch that differ; ``within`` is open while it runs.
    """
    calls = _Calls()

    outcome = pair.plain(lambda: both(within, calls))
    numbers = _Calls()
    pair.measured_graph(lambda: numbers)
    seen = numbers.seen
    others = {call.kind for key, call in numbers.made.items() if key not in calls.seen}
    found, lost, looked_at, waiting = [], [], set(), [(key_of(value), False) for value in wanted(outcome)]
    while waiting:
        key, is_after_lost = waiting.pop()
        call = calls.made.get(key)
        if key in looked_at or key in seen or call is None:
            continue
        looked_at.add(key)
        if not call.is_view:
            is_lost = call.is_custom and call.kind not in others
            if is_lost and not is_after_lost:
                lost.append(call)
            is_after_lost = call.kind not in others and (is_lost or is_after_lost)
        ahead = [each for each in call.inputs if each in calls.made and each not in seen]
        waiting += [(each, is_after_lost) for each in ahead]
        if not ahead and not call.is_view:
            found.append(call)
    if all(call.function for call in found):
        found = lost or found
    return min(found, key=lambda call: call.number, default=None)


class _Calls(TorchDispatchMode):
    """Notes every call that makes numbers, and the line that it comes from."""

    def __init__(self):
        super().__init__()
        self.made = {}  # key of a result -> its first Call
        self.seen = set()  # keys of all results and inputs
        self._lines = {}  # autograd's number of a call -> the line that made it

    @classmethod
    def ignore_compile_internals(cls):
        """True: a compiled step is to run as compiled while this looks."""
        return True

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        inputs = self._keys((args, kwargs))
        out = func(*args, **(kwargs or {}))
        if func.name().startswith(UNWRITTEN):
            return out
        results = self._keys((out, args) if func._schema.is_mutable else out)
        self.seen.update(inputs, results)
        line, function, is_custom = self._place()
        name = str(func.overloadpacket) if isinstance(func, OpOverload) else str(func)
        kind = (name, *(tuple(leaf.shape) for leaf in pytree.tree_leaves(out) if isinstance(leaf, torch.Tensor)))
        call = Call(len(self.made), name, bool(func.is_view), inputs, line, function, is_custom, kind)
        for key in results:
            if key not in inputs:
                self.made.setdefault(key, call)
        return out

    def _keys(self, values):
        with without_torch_dispatch():
            tensors = [leaf for leaf in pytree.tree_leaves(values) if isinstance(leaf, torch.Tensor)]
            return [key_of(each) for each in tensors if not each.is_meta and each.layout is torch.strided]

    def _place(self):
        line = frames.place(frames.current(missing.__code__)) or ""
        node = node_of_backward()
        if node is not None:
            line = line or self._lines.get(node._sequence_nr(), "")
        self._lines.setdefault(next_number() - 1, line)
        is_custom = isinstance(node, torch.autograd.function.BackwardCFunction)
        return line, node.name() if node is not None else "", is_custom
