# SPDX-License-Identifier: Apache-2.0
"""What a step decides by values: numbers that Python reads, rows that a mask picks, indices of what is not zero.

A trace that cannot know values goes the way of a recorded step. Masks and indices become constants of the graph, so
that it runs on other values, too, and with other random numbers.
"""

import contextlib
import dataclasses
from unittest import mock

import torch
from torch.fx.experimental import proxy_tensor

from .torch_private import DataDependentOutputException, DynamicOutputShapeException, OpOverload, pytree

_aten = torch.ops.aten

TAKEN = "remat_decisions"  # how many decisions were taken before a node ran

# Kinds of calls that decide.
NUMBER = "number"  # for Python
PICKS = "picks"  # as many rows as a mask has
PUTS = "puts"  # something into what a mask picks
INDICES = "indices"  # as many as values say

_KINDS = {
    **dict.fromkeys((_aten.index, _aten.masked_select), PICKS),
    **dict.fromkeys((_aten.index_put, _aten.index_put_, _aten._index_put_impl_, _aten.masked_scatter), PUTS),
    **dict.fromkeys((_aten.nonzero, _aten.bincount, _aten.repeat_interleave, _aten._unique, _aten._unique2), INDICES),
    **dict.fromkeys((_aten.unique_dim, _aten.unique_consecutive, _aten.unique_dim_consecutive), INDICES),
}


class OtherWay(Exception):
    """A trace asks for a decision that the recorded step did not take."""


@dataclasses.dataclass
class Decision:
    """What one call of an operator decided."""

    asked: tuple  # the kind, and sizes of the call's tensors
    number: object = None
    constants: list[torch.Tensor] = dataclasses.field(default_factory=list)  # masks that pick, or indices
    made: object = None  # stand-ins on the meta device for results whose sizes follow from values


def is_cause(errors):
    """True where a trace ended since it did not know a value."""
    return any(isinstance(error, DataDependentOutputException | DynamicOutputShapeException) for error in errors)


def kind_of(func, args):
    """The kind of a call that decides, else None."""
    if torch.Tag.data_dependent_output in func.tags:
        return NUMBER
    kind = _KINDS.get(func.overloadpacket)
    return kind if kind == INDICES or masks_of(func, args) else None


def masks_of(func, args):
    """The masks among the arguments of a call that picks or puts."""
    if _KINDS.get(func.overloadpacket) not in (PICKS, PUTS):
        return []
    return [leaf for leaf in pytree.tree_leaves(args[1]) if _is_mask(leaf)]


def asked_by(kind, args):
    """What tells a call from others: its kind, and the sizes of its tensors."""
    return kind, *(tuple(leaf.shape) for leaf in pytree.tree_leaves(args) if isinstance(leaf, torch.Tensor))


def stand_in(tensor, device="meta"):
    """A tensor of the same layout without values."""
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=device)


class Replay:
    """Answers a trace, of which each pass over the forward asks anew, from the beginning."""

    def __init__(self, decisions):
        self._decisions = decisions
        self.taken = 0

    def begin(self):
        """Take the first decision next."""
        self.taken = 0

    def answer(self, func, args, fake_mode):
        """What a call gives that decides: a number, or stand-ins; None where the operator knows that itself."""
        kind = kind_of(func, args)
        if kind is None:
            return None
        asked = asked_by(kind, args)
        if self.taken == len(self._decisions) or self._decisions[self.taken].asked != asked:
            raise OtherWay(f"the recorded step did not ask for {asked} in place {self.taken}")
        decision = self._decisions[self.taken]
        self.taken += 1
        if kind == NUMBER:
            return decision.number
        device = next(leaf.device for leaf in pytree.tree_leaves(args) if isinstance(leaf, torch.Tensor))
        with fake_mode:
            return pytree.tree_map_only(torch.Tensor, lambda like: stand_in(like, device), decision.made)

    def fix(self, module):
        """Make masks and indices of the graph constants: no other batch has this graph."""
        for node in list(module.graph.nodes):
            if node.op != "call_function" or not isinstance(node.target, OpOverload):
                continue
            kind = kind_of(node.target, pytree.tree_map_only(torch.fx.Node, lambda a: a.meta.get("val"), node.args))
            if kind is None or kind == NUMBER:
                continue
            constants = self._decisions[node.meta[TAKEN]].constants
            if kind == INDICES:
                _replace(node, constants)
            else:
                _give_masks(node, iter(constants))


@contextlib.contextmanager
def all_asked_for():
    """While this is open, a trace asks for each number, also for those that it could compute from constants."""
    with mock.patch.object(proxy_tensor, "CONSTANT_NUMEL_LIMIT", 0):
        yield


def _is_mask(value):
    return isinstance(value, torch.Tensor) and value.dtype in (torch.bool, torch.uint8)


def _replace(node, constants):
    """Put constants in the place of what a node gives."""
    if isinstance(node.meta["val"], torch.Tensor):
        node.replace_all_uses_with(_constant(node, constants[0], node))
    for part in list(node.users):
        part.replace_all_uses_with(_constant(part, constants[part.args[1]], part))
        part.graph.erase_node(part)
    node.graph.erase_node(node)


def _give_masks(node, masks):
    def given(argument):
        return _constant(argument, next(masks), node) if _is_mask(argument.meta.get("val")) else argument

    node.args = pytree.tree_map_only(torch.fx.Node, given, node.args)


def _constant(of, value, reader):
    """A node with this value in the place of another, before the one that reads it."""
    module = reader.graph.owning_module
    name = f"decided_{len(module._buffers)}"
    module.register_buffer(name, value)
    with module.graph.inserting_before(reader):
        constant = module.graph.get_attr(name)
    constant.meta["val"] = of.meta["val"]
    return constant
