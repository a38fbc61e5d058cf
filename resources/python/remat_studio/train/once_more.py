# SPDX-License-Identifier: Apache-2.0
"""Gradients of gradients: what was called runs once more in eager mode, in a graph of autograd."""

import contextlib
import dataclasses

import torch
from torch.utils.weak import TensorWeakRef

from .. import torch_private
from . import asks, generators
from .errors import PlanError
from .second_run import SecondRun
from .telling import tell
from .ties import Ties, leads_to
from .written import autocast_as

_SAID = (
    "Gradients that are differentiated again (create_graph=True) are computed by the model itself: its forward runs once "
    "more, and holds what it does without a plan, whatever the budget. That may be a little more than the script held "
    "without a plan; to save that run, call the model that is not planned where such gradients are asked for."
)
_BY_OUTPUTS = (
    "Gradients by an output of a planned module are computed by the model itself: its forward runs once more, and holds "
    "what it does without a plan, whatever the budget. To save that run, call the model that is not planned for them."
)
_GONE = "What the step was called with was freed or changed in place since; compute gradients of gradients before."
_MAY_ASK = (
    "{place} may ask for gradients of gradients: until its backward each call holds what gradients go on through, {bytes} "
    "bytes here, although no plan counts them. Without such a line they are held in the first steps only."
)
_PATIENCE = 4  # backwards: for a step in several calls, of which the last one asks
_MOST_OLD = 1 << 20  # bytes of old values that are kept over a call of a script that may never ask
_ATEN = torch.ops.aten
_NORMS = {  # in training their results do not depend on the averages that they move; positions of both
    _ATEN._native_batch_norm_legit_functional.default: (3, 4),
    _ATEN._batch_norm_with_update_functional.default: (3, 4),
}


@dataclasses.dataclass(frozen=True)
class Needs:
    """What a second run of a graph needs of the first, by positions of its inputs."""

    written: frozenset  # inputs that the forward writes to
    old: frozenset  # those of them whose value from before is in what the forward gives
    devices: tuple  # type and index of devices whose generators draw numbers


def needs_of(graph):
    """The Needs of a StepGraph."""
    places = {node: index for index, node in enumerate(graph.primals)}
    descs = {node.meta["desc"]: node for node in graph.primals if "desc" in node.meta}
    outputs = list(zip(graph.forward_outputs, graph.forward_descs, strict=True))
    written = {descs[desc.mutated_input] for _, desc in outputs if _is_written(desc)}
    copies = graph.graph.find_nodes(op="call_function", target=_ATEN.copy_.default)
    written |= {node.args[0] for node in copies if node.args[0] in places}
    given = {value for value, desc in outputs if not _is_written(desc)}
    old = {node for node in written if _reached(graph.graph, node) & given}
    devices = dict.fromkeys(generators.device_of(op.node) for op in graph.ops if op.is_random)
    return Needs(frozenset(places[each] for each in written), frozenset(places[each] for each in old), tuple(devices))


def _is_written(desc):
    return isinstance(desc, torch_private.InputMutationAOTOutput)


def _reached(graph, begin):
    """The nodes whose values follow from that of ``begin``."""
    found = {begin}
    for node in graph.nodes:
        sources = found.intersection(node.all_input_nodes)
        if not sources or (node.target in _NORMS and _moves_averages(node, sources)):
            continue
        found.add(node)
    return found


def _moves_averages(node, sources):
    averages = [node.args[place] for place in _NORMS[node.target]]
    return all(source in averages for source in sources)


class Demand:
    """Whether a script may ask for gradients of gradients of a graph, by what it did so far and by its text."""

    def __init__(self):
        self._left = _PATIENCE  # backwards without a question; None where it asked once
        self._is_told = False

    def is_likely(self):
        """True where the script asked once, or what it imported has a line that asks."""
        return self._left is None or asks.place() is not None

    def may_come(self, passing):
        """True while ``passing``, which gradients go on through, are held until the backward of a call."""
        if self._left != 0:
            return True
        held = sum(value.nbytes for value in {id(value): value for value in passing if not value.is_leaf}.values())
        place = asks.place() if held else None
        if place and not self._is_told:
            self._is_told = True
            tell(_MAY_ASK.format(place=place, bytes=held), self)
        return place is not None

    def note(self, is_asked):
        """A backward came."""
        if is_asked:
            self._left = None
        elif self._left:
            self._left -= 1


class Call:
    """The tensors of one call and what it needs to run again.

    If none asks, those that a gradient goes on through are held no longer than others hold them. What else a script made
    for the call, as a batch of its numbers, counts as held in every plan, and is held until the backward.
    """

    def __init__(self, tensors, given, needs, demand):
        self._needs = needs
        self._demand = demand
        values = (*tensors, *given)
        may_come = demand.may_come([value for value in values if _goes_on(value)])
        self._held = [value for value in values if may_come or not _goes_on(value)]
        self._count = len(tensors)
        self._all = [_reference(value) for value in values]
        self._states = generators.kept(needs.devices)
        old = {index: tensors[index] for index in needs.old}
        is_kept = sum(tensor.nbytes for tensor in old.values()) <= _MOST_OLD or demand.is_likely()
        self._outputs, self._second = [], None
        self.ties = Ties()
        self.is_let_go = False  # of what the plan keeps for its own backward
        self._old = {index: tensor.detach().clone() if is_kept else None for index, tensor in old.items()}

    def gave(self, outputs):
        """What the call gave, by which gradients of gradients find back to it."""
        self._outputs = [TensorWeakRef(out) for out in outputs if isinstance(out, torch.Tensor)]

    def is_asked(self, is_beside=False):
        """True in a backward that no plan has: its gradients get a graph, or something comes back through one of them.

        So it is where a gradient ``is_beside`` that of the loss.
        """
        is_asked = is_beside or torch.is_grad_enabled() or self.is_let_go or bool(self.ties.came)
        self._demand.note(is_asked)
        if not is_asked:
            self._held = None
        return is_asked

    def tensors(self):
        """Those of the graph and those of the call as they were; a PlanError where one is gone."""
        found = [self._as_it_was(index, *each) for index, each in enumerate(self._all)]
        return found[: self._count], found[self._count :]

    def second_run(self, node, run, tensors, autocast, asker, said=None):
        """What ``run`` gives for these ``tensors``, once for the call; and an output of the first run that is left.

        ``node`` is that of autograd, whose own backward is not to be had from then on: what it holds would lie beside what
        the second run does. ``autocast`` is what ``written.autocast_now`` gave in the call, and ``said`` the sentence on
        this run, if it is no usual one.
        """
        self.is_let_go = True
        torch_private.let_go_of_saved(node)
        outputs = (reference() for reference in self._outputs)
        way_back = next((out for out in outputs if out is not None and leads_to(node, out)), None)
        second = self._second
        is_cut_off = second is not None and second.is_linked and way_back is None and not second.is_awaited()
        if second is None or (is_cut_off and torch.is_grad_enabled()):
            tell(said or (_SAID if torch.is_grad_enabled() else _BY_OUTPUTS), asker)
            with (
                generators.as_in(self._states) if self._states else contextlib.nullcontext(),
                autocast_as(autocast) if autocast else torch_private.without_autocast(),
                torch.enable_grad(),
            ):
                self._second = SecondRun(run, tensors, way_back is not None)
        return self._second, way_back

    def gradients(self, node, run, tensors, given, autocast, asker, said=None):
        """The gradient of each of ``tensors`` or None, with a graph of its own, by those of what ``run`` gives for them.

        The others are as of ``second_run``.
        """
        second, way_back = self.second_run(node, run, tensors, autocast, asker, said)
        given = self.ties.all_that_came(given)
        with self.ties.as_they_came(second, given):
            return second.gradients(given, way_back)

    def _as_it_was(self, index, reference, version):
        if not isinstance(reference, TensorWeakRef):
            return reference
        if index in self._old:
            if self._old[index] is None:
                raise PlanError(_GONE)
            return self._old[index].clone()
        tensor = reference()
        if index in self._needs.written and tensor is not None and not tensor.requires_grad:
            return tensor.detach().clone()
        if tensor is None or _version(tensor) != version:
            raise PlanError(_GONE)
        return tensor


def _goes_on(value):
    return isinstance(value, torch.Tensor) and value.requires_grad


def _reference(value):
    return (TensorWeakRef(value), _version(value)) if isinstance(value, torch.Tensor) else (value, None)


def _version(tensor):
    return None if tensor.is_inference() else tensor._version
