# SPDX-License-Identifier: Apache-2.0
"""Gradients of gradients of what Dynamo compiles: its own module of the graph computes them, in eager mode."""

import contextlib
import dataclasses
import functools
from collections.abc import Callable

import torch

from .. import torch_private
from . import incoming, once_more
from .errors import PlanError
from .telling import tell


@dataclasses.dataclass(frozen=True)
class Repeats:
    """What a second run of a graph needs of the first one."""

    needs: once_more.Needs
    autocast: tuple  # what ``written.autocast_now`` gave when it was compiled
    drawn: Callable  # of what runs the kernels again: a context in which eager mode draws what they drew

    @classmethod
    def of(cls, graph, autocasts, drawn=lambda _replay: contextlib.nullcontext()):
        """Those of a StepGraph; the kernels draw as eager's do, if nothing is said.

        ``autocasts`` are those of ``written.autocasts_now`` before AOTAutograd began.
        """
        return cls(once_more.needs_of(graph), autocasts["cuda" if graph.has_cuda else "cpu"], drawn)


def differentiable(run, module, repeats, asker, zero=None):
    """The function ``run`` that AOTAutograd made of Dynamo's ``module``, whose gradients can be differentiated, too.

    Nothing is done for that in scripts that do not ask, but references to what it is called with. ``asker`` is told
    things once, and has a ``once_more.Demand``. ``zero(shape, dtype, device)`` stands for gradients that never come.
    """
    graph = _Graph(module, run, repeats, asker, zero)

    @functools.wraps(run)
    def call(*args):
        was = once_more.Call(args, (), repeats.needs, asker.demand)
        outputs = run(*args)
        graph.note(outputs, was)
        return outputs

    return call


class _Graph:
    """One graph of Dynamo's, and the node of autograd that its compiled function leaves."""

    def __init__(self, module, compiled, repeats, asker, zero):
        self._module = torch.compiler.disable(module.forward)
        self._compiled = compiled
        self._repeats = repeats
        self._asker = asker
        self._zero = zero
        self._ends = None  # numbers of the node's outputs -> (position in what the module gives, whether it is a view)

    def note(self, outputs, call):
        """A call gave these."""
        node, ends = torch_private.ends_of_compiled(outputs)
        if node is not None:
            self._ends = ends
            call.gave(self._ends_in(outputs))
            node.remat_call = call
            if self._zero:
                incoming.watch(node)
            torch_private.differentiate_with(node, self._gradients, self._zero)

    def _gradients(self, node, given):
        """The gradients of the node's inputs with a graph of their own; None where PyTorch's own are to be had."""
        call = getattr(node, "remat_call", None)
        if call is None or not call.is_asked():
            return None
        given = incoming.seen(given)
        try:
            tensors, _ = call.tensors()
            places = _places(node, tensors)
            if places is None or any(grad is not None and nr not in self._ends for nr, grad in enumerate(given)):
                return None
            given = torch_private.filled(node, given, self._zero) if self._zero else given
            seeds = [given[number] for number in self._ends]
            found = call.gradients(node, self._run, tensors, seeds, self._repeats.autocast, self._asker)
        except PlanError as error:
            if call.is_let_go:
                raise
            tell(f"{error} These can be differentiated no further.", self._asker)
            return None
        return tuple(None if place is None else found[place] for place in places)

    def _run(self, leaves):
        with self._repeats.drawn(functools.partial(self._replay, leaves)):
            outputs = self._module(*leaves)
        return self._ends_in(outputs)

    def _replay(self, leaves):
        """Run what was compiled, which leaves its arguments as they are."""
        written = self._repeats.needs.written
        self._compiled(*(_apart(leaf, index in written) for index, leaf in enumerate(leaves)))

    def _ends_in(self, outputs):
        """What the node gave, by what the function or the module gives."""
        outputs = outputs if isinstance(outputs, tuple | list) else (outputs,)
        return [outputs[position]._base if is_view else outputs[position] for position, is_view in self._ends.values()]


def _apart(leaf, is_written):
    if not isinstance(leaf, torch.Tensor):
        return leaf
    leaf = leaf.detach().requires_grad_(leaf.requires_grad)
    return leaf.clone() if is_written else leaf


def _places(node, tensors):
    """For each input of the node that gets a gradient its position among the tensors; None where one is not found."""
    edges = {}
    for index, tensor in enumerate(tensors):
        if isinstance(tensor, torch.Tensor) and tensor.requires_grad:
            edge = torch.autograd.graph.get_gradient_edge(tensor)
            edges[edge.node, edge.output_nr] = index
    wanted = iter([edge for edge in node.next_functions if edge[0] is not None])
    places = [edges.get(next(wanted)) if needs else None for needs in node.needs_input_grad]
    return places if sum(place is not None for place in places) == sum(node.needs_input_grad) else None
