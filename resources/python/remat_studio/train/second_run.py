# SPDX-License-Identifier: Apache-2.0
"""The graph of a call that ran a second time, of which gradients of any order are taken."""

import functools

import torch

from .. import torch_private


class SecondRun:
    """What a second run gave, by which gradients of any order are computed.

    Where an output of the first run is left, ``way_back``, the second one has leaves for inputs, and its gradients lead to
    the node of the first: there, what comes for them goes through the graph together with what comes for the outputs, as
    in plain PyTorch, so that sums have its bits. Else nothing comes for outputs mostly, and the graph is of the inputs.
    """

    def __init__(self, run, tensors, is_linked):
        self.is_linked = is_linked
        self._inputs = [_leaf_of(tensor) for tensor in tensors] if is_linked else tensors
        self.outputs = run(self._inputs)
        self._task, self._awaited = None, []

    def is_awaited(self):
        """True where a gradient got one of its own in the backward that runs now."""
        return bool(self._awaited) and self._task == torch_private.current_backward()

    def gradients(self, given, way_back):
        """The gradient of each input of the first run, or None, by those of the outputs, None for some."""
        ends = [(out, grad) for out, grad in zip(self.outputs, given, strict=True) if grad is not None]
        flows = [_Flow([end for end in ends if end[0].requires_grad], [], way_back)]
        if self.is_awaited():
            flows += self._awaited
            self._awaited, way_back = [], self._awaited[0].way_back
        wanted = [value for value in self._inputs if _requires_grad(value)]
        # Without links the backward that runs now may reach the graph by itself, too.
        keeps = not self.is_linked or torch_private.keeps_graph()
        found = iter(self.differentiated(flows, wanted, way_back, keeps))
        return [next(found) if _requires_grad(value) else None for value in self._inputs]

    def differentiated(self, flows, wanted, way_back, keeps=True, seen=()):
        """Gradients of ``wanted``, None for some; while gradients are recorded, with a graph of their own.

        Else the graph is gone afterwards, if not ``keeps``. Hooks put those that are others into ``seen``, by places.
        """
        ends = [end for flow in flows for end in flow.ends]
        if not ends or not wanted:
            return [None] * len(wanted)
        values, grads = zip(*ends, strict=True)
        records = torch.is_grad_enabled()
        is_linked = self.is_linked and records
        inner = [_leaf_of(grad) for grad in grads] if is_linked else grads
        found = torch.autograd.grad(values, wanted, inner, keeps or records, records, allow_unused=True)
        found = [seen[place] if place in seen else value for place, value in enumerate(found)]
        if not is_linked:
            return found
        leaves = [pair for flow in flows for pair in flow.leaves]
        leaves += [pair for pair in zip(inner, grads, strict=True) if _requires_grad(pair[1])]
        made = [value for value in found if value is not None]
        linked = iter(_Linked.apply(self, made, leaves, way_back, *(outer for _, outer in leaves)))
        return [None if value is None else next(linked) for value in found]

    def by_outputs(self, place, gradient, sources, way_back):
        """Gradients of outputs, the ``sources``, by that of the one in a ``place``, not by way of others of these."""
        seen = {}

        def cut(index, grad):
            seen[index] = grad
            return torch.zeros_like(grad)

        flow = _Flow([(self.outputs[place], gradient)], [], way_back)
        wanted = [self.outputs[source] for source in sources]
        hooks = [value.register_hook(functools.partial(cut, index)) for index, value in enumerate(wanted)]
        try:
            return self.differentiated([flow], wanted, way_back, seen=seen)
        finally:
            for hook in hooks:
                hook.remove()

    def expect(self, flow):
        """What came for gradients, and goes into the graph when the node of the first run is reached."""
        task = torch_private.current_backward()
        if self._task != task:
            self._task, self._awaited = task, []
            torch_private.at_end_of_backward(self._let_go)
        self._awaited.append(flow)

    def _let_go(self):
        """What was not asked for on the way to the inputs, as where a gradient is taken of a gradient that was given."""
        self._task, self._awaited = None, []


class _Flow:
    """Pairs of a value of the graph and its gradient, of a leaf in it and what that stands for; and the way back."""

    def __init__(self, ends, leaves, way_back):
        self.ends = ends
        self.leaves = leaves
        self.way_back = way_back


class _Linked(torch.autograd.Function):
    """Gives gradients that the graph has, as constants; what comes for them goes through the graph."""

    @staticmethod
    def forward(ctx, second, made, leaves, way_back, *_outer):
        ctx.second, ctx.made, ctx.leaves, ctx.way_back = second, made, leaves, way_back
        ctx.set_materialize_grads(False)
        values = tuple(value.detach() for value in made)
        ctx.mark_non_differentiable(*(v for v, own in zip(values, made, strict=True) if not own.requires_grad))
        return values

    @staticmethod
    def backward(ctx, *given):
        ends = [pair for pair in zip(ctx.made, given, strict=True) if pair[1] is not None and pair[0].requires_grad]
        flow = _Flow(ends, ctx.leaves, ctx.way_back)
        ctx.second.expect(flow)
        found = ctx.second.differentiated([flow], [leaf for leaf, _ in ctx.leaves], ctx.way_back)
        return (None, None, None, None, *found)


def _leaf_of(value):
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().requires_grad_(value.requires_grad)


def _requires_grad(value):
    return isinstance(value, torch.Tensor) and value.requires_grad
