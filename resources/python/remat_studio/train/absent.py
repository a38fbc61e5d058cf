# SPDX-License-Identifier: Apache-2.0
"""Gradients that never came: what is computed of them alone is passed over, as autograd's engine does.

What leaves a graph and gets no gradient, as keys and values for a cache or what a head gives that no loss reads, would
have zeros of full size, all of them before the backward begins, and all that follows from zeros. None stands for these
here. Optimizers leave a parameter without a gradient as it is, where AdamW takes zeros for a reason to decay it.

The first backward shows which these are. The graph is then planned once more with them as they are: of no bytes.
"""

import collections
import dataclasses
import functools
import operator

import torch
from torch import fx

from .. import torch_private
from ..torch_private import OpOverload, pytree
from . import incoming, runner, sums


def zero(shape, dtype, device):
    """What stands for a gradient that never came where a tensor is asked for: zeros of which one number is held."""
    found = torch.zeros((), dtype=dtype, device=device).expand(shape)
    found.remat_is_absent = True
    return found


def never(graph, names):
    """The nodes of a joint graph whose values follow from gradients alone that never come, those of these names."""
    found, follows = set(), _follows(graph) if names else {}
    for node in follows:
        sources = [source for source in node.all_input_nodes if follows[source]]
        if node.name in names or (_may_be_left_out(node, follows) and found.issuperset(sources)):
            found.add(node)
    return found


def add_last(graph, absent):
    """Have sums write into their other gradient where the first is one of ``absent``: they add no memory then."""
    for node in graph.find_nodes(op="call_function", target=sums.SUM) if absent else ():
        first, second = node.args
        is_first = first in absent and second not in absent and isinstance(second, fx.Node)
        if is_first and second.op == "call_function" and len({_layout(each) for each in (node, first, second)}) == 1:
            node.args = (second, first)


def count(step_graph, absent):
    """Have a StepGraph count no bytes for ``absent``, and zeros only for ops that read them beside others."""
    sizes = {storage: storage.bytes for storage in step_graph.storages_in(absent)}
    follows = _follows(step_graph.graph) if absent else {}
    for storage in sizes:
        storage.bytes = 0
    for op in step_graph.ops if absent else ():
        op.is_absent = op.node in absent
        if not op.is_absent and not _is_sum(op.node, follows):
            op.zeros_bytes = sum(sizes[storage] for storage in op.reads if storage in sizes)


def passing_over(module, learn):
    """The function of a backward graph, which takes what ``zero`` gives, and computes nothing of that alone.

    It gives None for what follows from gradients alone that never came, and calls ``learn(names, bytes)`` each time, with
    the names of these and the bytes of all that follows from them alone.
    """
    graph, follows = module.graph, _follows(module.graph)
    sizes = [(of, node.meta["val"].nbytes) for node, of in follows.items() if of and _layout(node)]
    every = frozenset().union(*follows.values())
    inputs = graph.find_nodes(op="placeholder")
    results = list(map(_follows(graph, of_ops=True).get, graph.output_node().args[0]))
    for node in list(graph.nodes):
        maybe = {source for source in node.all_input_nodes if follows[source] and follows[source] != every}
        if node.op == "call_function" and maybe:  # one gradient of all comes in each backward
            may_be_left_out = _may_be_left_out(node, follows) and follows[node] != every
            node.target = _Call(node.target, _layouts(node, maybe), may_be_left_out, _is_sum(node, follows))

    run = runner.boxed(module, "backward")

    @functools.lru_cache(16)
    def known(absent):
        """The bytes of what follows from these alone, and the places of results that do."""
        held_bytes = sum(size for of, size in sizes if of <= absent)
        return held_bytes, [place for place, of in enumerate(results) if of and of <= absent]

    def call(given):
        absent = frozenset(inputs[place] for place, value in enumerate(given) if hasattr(value, "remat_is_absent"))
        held_bytes, none = known(absent)
        given[:] = [
            None if node in absent else incoming.taken(value) for node, value in zip(inputs, given, strict=True)
        ]
        learn(frozenset(node.name for node in absent), held_bytes)
        found = list(run(given))
        for place in none:
            found[place] = None
        return found

    call._boxed_call = True
    return call


@dataclasses.dataclass(frozen=True, eq=False)
class _Call:
    """Calls an operator of gradients of which some may be None."""

    target: object
    layouts: dict  # what such gradients would be, by their places among the leaves of the arguments
    may_be_left_out: bool  # where all of them are None, so is the result
    is_sum: bool

    def __call__(self, *args, **kwargs):
        leaves, spec = pytree.tree_flatten((args, kwargs))
        missing = [place for place in self.layouts if leaves[place] is None]
        if not missing:
            return self.target(*args, **kwargs)
        if self.may_be_left_out and len(missing) == len(self.layouts):
            return None
        if self.is_sum and len(missing) == 1:
            first, second = args
            return first if self.target is sums.IN_PLACE else (second if first is None else first).clone()
        for place in missing:
            size, stride, dtype, device = self.layouts[place]
            leaves[place] = torch.empty_strided(size, stride, dtype=dtype, device=device).zero_()
        args, kwargs = pytree.tree_unflatten(leaves, spec)
        return self.target(*args, **kwargs)

    @property
    def __name__(self):
        return str(self.target)


def _follows(graph, of_ops=False):
    """For each node the gradients of outputs that decide whether autograd's engine would run it.

    The engine runs a node of its own, which may be several ops of one number, where any gradient of it came; with
    ``of_ops`` those that a node's value is computed of.
    """
    found = {node: frozenset([node] if _is_tangent(node) else []) for node in graph.nodes}
    of_number, added, is_new = collections.defaultdict(frozenset), collections.defaultdict(frozenset), True
    shared = sums.sharing(graph)
    while is_new:
        is_new = False
        for node in graph.nodes:
            now = found[node].union(*map(found.get, node.all_input_nodes)) - added[node]
            number = node.meta.get("seq_nr")
            if now and number is not None and not of_ops and not _is_sum(node, found):
                now = of_number[number] = of_number[number] | now
            now |= added[node]
            for each in shared[node.args[0]] if node.target is sums.IN_PLACE else ():  # who reads these reads the sum
                added[each] |= now
            is_new |= now != found[node]
            found[node] = now
    return found


def _is_tangent(node):
    return node.op == "placeholder" and torch_private.is_tangent(node)


def _may_be_left_out(node, follows):
    """True for what the engine does not run where none of the gradients came that the node reads."""
    read = frozenset().union(*(follows[source] for source in node.all_input_nodes))
    if node.op != "call_function" or not read or read != follows[node]:
        return False
    if not isinstance(node.target, OpOverload):
        return node.target is operator.getitem
    return _is_sum(node, follows) or ("seq_nr" in node.meta and not node.target._schema.is_mutable)


def _is_sum(node, follows):
    """Whether a node adds two gradients that lie alike, as the engine does."""
    if node.op != "call_function" or node.target not in (sums.SUM, sums.IN_PLACE) or node.kwargs:
        return False
    are_gradients = all(isinstance(each, fx.Node) and follows[each] for each in node.args)
    return are_gradients and len({_layout(each) for each in (node, *node.args)}) == 1


def _layouts(node, sources):
    """The layouts of ``sources`` by their places among the leaves of a node's arguments."""
    leaves = enumerate(pytree.tree_leaves((node.args, node.kwargs)))
    return {place: _layout(leaf) for place, leaf in leaves if isinstance(leaf, fx.Node) and leaf in sources}


def _layout(node):
    value = node.meta.get("val")
    return (value.shape, value.stride(), value.dtype, value.device) if isinstance(value, torch.Tensor) else None
