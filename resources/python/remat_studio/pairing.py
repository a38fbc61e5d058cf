# SPDX-License-Identifier: Apache-2.0
"""Pairs each op of the backward pass with the forward op that it belongs to."""

import bisect
import operator

import torch


def is_backward(node):
    """True for nodes that AOTAutograd made while it ran the backward pass."""
    return node.meta.get("partitioner_tag") == "is_backward"


class Pairing:
    """The forward op of each op, found through autograd's sequence numbers.

    Autograd gives each differentiable call the next number, and its backward ops the same one. Calls that are not
    differentiable carry the number of the call before them, so the twin is the first differentiable op of a number.
    Sums of gradients are made by the engine between two backward calls and carry the last number of the forward:
    they belong where the gradient came from that arrived last.
    """

    def __init__(self, program, ops):
        forward = [op for op in ops if not is_backward(op)]
        self._first = _first_op_of_each_number(forward, _differentiable(program))
        self._numbers = sorted(self._first)
        self._position = {op: i for i, op in enumerate(ops)}
        self._owners = {}
        for op in ops:
            self._owners[op] = self._find_owner(op) if is_backward(op) else op

    def owner(self, op):
        """The op itself in the forward; its forward op in the backward, or None."""
        return self._owners[op]

    def seq(self, op):
        """The number that pairs backward and forward ops, counted from the first of the graph."""
        source = self._owners[op] if self.is_accumulation(op) else op
        return _number(source) - self._numbers[0]

    def is_accumulation(self, op):
        """True for a sum of two gradients that autograd's engine made."""
        return (
            is_backward(op)
            and op.target is torch.ops.aten.add.Tensor
            and _number(op) == self._numbers[-1]
            and self._last_arrival(op) is not None
        )

    def _find_owner(self, op):
        if self.is_accumulation(op):
            return self._owners[self._last_arrival(op)]
        number = _number(op)
        index = bisect.bisect_right(self._numbers, number)
        return self._first[self._numbers[index - 1]] if index else None

    def _last_arrival(self, op):
        """The latest of the backward ops that made the two summands."""
        made_by = [_producer(arg) for arg in op.args if isinstance(arg, torch.fx.Node)]
        arrived = [p for p in made_by if p in self._position and is_backward(p)]
        return max(arrived, key=self._position.get, default=None)


def _number(op):
    """Autograd's sequence number of an op."""
    return op.meta.get("seq_nr", -1)


def _first_op_of_each_number(forward, differentiable):
    first, first_differentiable = {}, {}
    for op in forward:
        number = _number(op)
        first.setdefault(number, op)
        if op in differentiable:
            first_differentiable.setdefault(number, op)
    return first | first_differentiable


def _differentiable(program):
    """Nodes that depend on an input which gets a gradient."""
    targets = {spec.target for spec in program.outputs if spec.kind.name.startswith("GRADIENT")}
    reached = {item.node for item in program.inputs if item.fqn in targets or item.node.name in targets}
    for node in program.graph.nodes:
        if node.op == "call_function" and any(arg in reached for arg in node.all_input_nodes):
            reached.add(node)
    return reached


def _producer(node):
    return node.args[0] if node.target is operator.getitem else node
