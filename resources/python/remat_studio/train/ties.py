# SPDX-License-Identifier: Apache-2.0
"""Outputs of one planned call that follow from each other: a gradient of one by another is eager mode's.

To autograd they are outputs of one node. Those that follow from others come through one more, at which it is known
whether a gradient by these is asked for. If so, what comes for them goes through the graph of a second run in eager
mode: from each output to those before it, and from all to the inputs.
"""

import contextlib

import torch
from torch.utils.weak import TensorWeakRef

from .. import torch_private


def sources_of(graph, outputs):
    """For each of these nodes of a graph the positions of those that it follows from, not by way of others."""
    found = [[] for _ in outputs]
    for place, begin in enumerate(outputs):
        reached = {begin}
        for node in graph.nodes if begin is not None else ():
            if not reached.isdisjoint(node.all_input_nodes):
                if node in outputs:
                    found[outputs.index(node)].append(place)
                else:
                    reached.add(node)
    return found


class Ties:
    """Outputs of one call that others follow from, and what came for those in the backward that runs now."""

    def __init__(self):
        self.sources = {}  # position of an output -> a weak reference to what the script has of it
        self.came = {}  # position of an output that follows from others -> its gradient

    def is_asked(self):
        """Whether the backward that runs now is to give a gradient by one of them, or to show it to a hook."""
        return any(torch_private.is_asked(reference()) for reference in self.sources.values())

    def goes_on(self, second, way_back, place, sources, gradient):
        """The gradients of the ``sources`` of an output by its own, with what ``Call.second_run`` gives."""
        if not self.came:
            torch_private.at_end_of_backward(self.came.clear)
        self.came[place] = gradient
        return second.by_outputs(place, gradient, sources, way_back)

    def all_that_came(self, given):
        """The gradients of all outputs, where those that follow from others had theirs before."""
        return [self.came.get(place, gradient) for place, gradient in enumerate(given)]

    @contextlib.contextmanager
    def as_they_came(self, second, given):
        """While this is open, sources in a second run have no other gradients than those of ``given``."""
        with contextlib.ExitStack() as stack:
            for source in self.sources if self.came else ():
                if given[source] is not None:
                    hook = second.outputs[source].register_hook(lambda _, source=source: given[source])
                    stack.callback(hook.remove)
            yield


def tied(outputs, sources):
    """The outputs of a planned call, with an edge to each that they follow from."""
    if not any(sources):
        return outputs
    made, node = list(outputs), next(out.grad_fn for out in outputs if out.grad_fn is not None)
    ties = node.call.ties
    torch_private.watch_backwards()
    for place in sorted(range(len(made)), key=lambda place: _depth(sources, place)):
        if sources[place]:
            made[place] = _Tie.apply(node, place, sources[place], made[place], *(made[i] for i in sources[place]))
            ties.sources |= {source: TensorWeakRef(made[source]) for source in sources[place]}
    node.call.gave(made)
    return made


def leads_to(node, output):
    """Whether a gradient of an output comes to a node of autograd, through others of its call at most."""
    return output.grad_fn is node or getattr(output.grad_fn, "node", None) is node


def _depth(sources, place):
    return 1 + max((_depth(sources, source) for source in sources[place]), default=0)


class _Tie(torch.autograd.Function):
    @staticmethod
    def forward(ctx, node, place, sources, value, *_sources):
        ctx.node, ctx.place, ctx.sources = node, place, sources
        ctx.set_materialize_grads(False)
        return value.detach()

    @staticmethod
    def backward(ctx, gradient):
        ties = ctx.node.call.ties
        if gradient is None or not ties.is_asked():
            return None, None, None, gradient, *[None] * len(ctx.sources)
        second = ctx.node.way.second_run(ctx.node)
        return None, None, None, None, *ties.goes_on(*second, ctx.place, ctx.sources, gradient)
