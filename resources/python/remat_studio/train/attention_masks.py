# SPDX-License-Identifier: Apache-2.0
"""Attention without the masks that mask nothing, where a library leaves them out in eager mode and not for Dynamo.

In eager mode ``transformers`` looks at the values of its masks. Where they mask no more than causality does, attention
gets none, and grouped heads as they are. While Dynamo compiles, no values are looked at: each mask is made, and heads are
spread out for it.
"""

import collections
import dataclasses
import operator
import re

import torch

from .. import torch_private
from ..torch_private import TorchDispatchMode
from . import mask_rule

_ATTENTION = torch.nn.functional.scaled_dot_product_attention
_MASK, _CAUSAL = "attn_mask", "is_causal"
_OPERATORS_IN_PLACE = (
    "setitem delitem iadd iand iconcat ifloordiv ilshift imatmul imod imul ior ipow irshift isub itruediv ixor".split()
)
_CHECKPOINT = "tag_activation_checkpoint"


class Masks:
    """The masks of a graph of Dynamo's that eager mode leaves out where they mask nothing."""

    def __init__(self, module, calls):
        self.module = module
        self._bodies = {call.body for call in calls if call.body}
        self._is_causal = {call.mask: call.is_causal for call in calls}
        self._places, self._program = _program(module, list(self._is_causal))

    @property
    def are_constant(self):
        """True where they are the same for every batch."""
        return not self._places

    def mask_nothing(self, inputs):
        """Whether none of them masks more than causality does, with these inputs of the graph; waits for a GPU."""
        with torch.no_grad():
            masks = self._program(*self._given(inputs))
            found = list(map(_masks_more, masks, self._is_causal.values()))
            return not torch.stack([each.to(found[0].device) for each in found]).any()

    def are_known(self, inputs):
        """Whether they follow from these inputs of the graph without drawing numbers or writing to anything."""
        given, watch = self._given(inputs), _Watch()
        if not all(type(value) in (torch.Tensor, int) for value in given):
            return False
        with torch.no_grad(), watch:
            self._program(*given)
        return watch.is_pure

    def _given(self, inputs):
        given = [inputs[place] for place in self._places]
        return [int(value) if isinstance(value, torch.SymInt) else value for value in given]

    def left_out(self):
        """A copy of the graph, whose attention has no masks."""
        module = torch_private.copied(self.module)
        for name in self._bodies:
            setattr(module, name, torch_private.copied(getattr(module, name)))
        for call in filter(_may_go, _attentions(module)):
            call.leave_mask_out()
        return module


def of(module, inputs):
    """The Masks of a graph of Dynamo's that is compiled for these inputs; None where none may be left out."""
    calls = [call for call in _attentions(module) if _may_go(call)]
    if not calls or _is_written_to(module, {source for call in calls for source in call.sources}):
        return None
    masks = Masks(module, calls)
    return masks if masks.are_known(inputs) else None


@dataclasses.dataclass
class _Attention:
    """One call of attention that has a mask."""

    node: torch.fx.Node
    mask: torch.fx.Node  # in the graph, also where attention is in one of its checkpoints
    body: str | None  # the name of that checkpoint's own graph

    @property
    def sources(self):
        """All nodes that the mask is made of."""
        return _sources([self.mask])

    @property
    def lengths(self):
        """How many queries and keys the mask is for."""
        return tuple(int(size) for size in _value(self.mask).shape[-2:])

    @property
    def is_causal(self):
        """Whether it masks what comes later, at least."""
        return mask_rule.is_causal(self.sources)

    def leave_mask_out(self):
        """Call attention as the library does without a mask."""
        query, key, value = self.node.args
        self.node.kwargs = {name: each for name, each in self.node.kwargs.items() if name != _MASK}
        self.node.update_kwarg(_CAUSAL, self.is_causal and self.lengths[0] > 1)
        grouped = _before_repeat(key), _before_repeat(value)
        sizes = {int(_value(each).shape[-1]) for each in (key, value)}
        if None not in grouped and len(sizes) == 1 and max(sizes) <= mask_rule.MOST_HEAD_SIZE:
            self.node.args = (query, *grouped)
            self.node.update_kwarg("enable_gqa", True)


def _attentions(module):
    """Calls of attention with a mask, in the graph and in those of checkpoints, of which each is called once."""
    nodes = module.graph.nodes
    called = collections.Counter(source.target for node in nodes for source in node.args if _is_attribute(source))
    for node in nodes:
        if _has_mask(node):
            yield _Attention(node, node.kwargs[_MASK], None)
        elif str(node.target) == _CHECKPOINT and called[node.args[0].target] == 1:
            name, *given = node.args[0].target, *node.args[1:]
            graph = getattr(module, name).graph
            given = dict(zip(graph.find_nodes(op="placeholder"), given, strict=False))
            for inner in filter(_has_mask, graph.nodes):
                mask = given.get(inner.kwargs[_MASK])
                if isinstance(mask, torch.fx.Node):
                    yield _Attention(inner, mask, name)


def _is_attribute(source):
    return isinstance(source, torch.fx.Node) and source.op == "get_attr"


def _has_mask(node):
    mask = node.kwargs.get(_MASK)
    is_given = isinstance(mask, torch.fx.Node) and isinstance(_value(mask), torch.Tensor)
    return node.target is _ATTENTION and len(node.args) == 3 and is_given


def _may_go(call):
    """Whether eager mode leaves out the mask of a call where it masks nothing."""
    queries, keys = call.lengths
    values = [_value(source) for source in call.sources]
    return (
        mask_rule.is_attention(call.node)
        and _value(call.mask).dtype == torch.bool
        and mask_rule.may_be_left_out(call.mask, call.sources, keys)
        and (queries == keys or not call.is_causal)
        and not any(isinstance(value, torch.Tensor) and value.requires_grad for value in values)
    )


def _masks_more(mask, is_causal):
    """Whether a mask masks more than causality does, if it is causal, or anything; as a tensor."""
    expected = torch.ones(mask.shape[-2:], dtype=torch.bool, device=mask.device)
    return (mask != (expected.tril() if is_causal else expected)).any()


def _program(module, masks):
    """The positions of the graph's inputs that masks are made of, and a function that makes them of these."""
    graph, made = torch.fx.Graph(), {}
    sources, inputs = _sources(masks), module.graph.find_nodes(op="placeholder")
    for node in module.graph.nodes:
        if node in sources:
            made[node] = graph.node_copy(node, made.__getitem__)
    graph.output([made[mask] for mask in masks])
    return [place for place, node in enumerate(inputs) if node in sources], torch.fx.GraphModule(module, graph)


def _sources(nodes):
    found, left = set(nodes), list(nodes)
    while left:
        new = set(left.pop().all_input_nodes) - found
        found |= new
        left += new
    return found


def _is_written_to(module, sources):
    """Whether an operator in place may change what masks are made of: these, or what shares their memory."""
    derived = set(sources)
    for node in module.graph.nodes:
        if derived.isdisjoint(node.all_input_nodes):
            continue
        value = _value(node)
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            derived.add(node)
            if _writes(node) or any(_writes_to_inputs(module, each) for each in node.all_input_nodes):
                return True
    return False


def _writes_to_inputs(module, node):
    """Whether a node is a graph within the graph that may change numbers that are no activations."""
    inner = getattr(module, node.target, None) if _is_attribute(node) else None
    return isinstance(inner, torch.fx.GraphModule) and _is_written_to(inner, inner.graph.find_nodes(op="placeholder"))


def _writes(node):
    name = str(getattr(node.target, "__name__", node.target))
    if getattr(operator, name, None) is node.target:
        return name in _OPERATORS_IN_PLACE
    return "out" in node.kwargs or bool(re.search("[^_]_$", name))


def _before_repeat(node):
    """Grouped heads as they were before the library spread them out; None where it did not."""
    if not mask_rule.is_repeated(node):
        return None
    expanded = node.args[0]
    return expanded.args[0].args[0] if node.target == "reshape" and expanded.target == "expand" else None


def _value(node):
    return node.meta.get("example_value")


class _Watch(TorchDispatchMode):
    """Sees whether anything is drawn or written to."""

    is_pure = True

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        self.is_pure &= torch.Tag.nondeterministic_seeded not in operation.tags and not operation._schema.is_mutable
        return operation(*args, **(kwargs or {}))
