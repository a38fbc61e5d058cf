# SPDX-License-Identifier: Apache-2.0
"""Finds the first op of a graph whose numbers plain PyTorch never computes.

Ops of a functional graph and calls of eager mode do not stand in a line: in-place operators are others, dead code is
gone. So the numbers are compared and not the calls: an op is matched when plain PyTorch computes the same bits
somewhere in the step. From an output that differs the way goes back through ops that are not matched, to those all of
whose inputs are.
"""

import dataclasses
import hashlib
import operator

import torch

from ..describe import aliases
from ..torch_private import OpOverload, TorchDispatchMode, pytree, without_torch_dispatch
from .record import relative

UNWRITTEN = ("aten::empty", "aten::new_empty")  # what these give has no numbers yet
_STATES = ("philox_seed", "philox_offset", "rng_state", "unused", "debug_attn_mask")  # unwritten without dropout
_MOST_ROOTS = 64


@dataclasses.dataclass
class Root:
    """An op that is not matched although its inputs are."""

    node: torch.fx.Node
    value: torch.Tensor
    nearest: float = 1.0  # relative difference from what plain PyTorch has of this shape and the graph has not


def roots(pair, within, different):
    """The roots of what differs, in the order of the graph; ``within`` is open while plain PyTorch runs.

    ``different`` has the output nodes of the graph that differ.
    """
    numbers = _Numbers()
    pair.plain(lambda: both(within, numbers))
    for tensor in pair.inputs:
        numbers.see(tensor)
    matching = []

    def interpreter(module):
        matching.append(_Matching(module, numbers.seen))
        return matching[-1]

    pair.graph(interpreter)
    found = matching[0].roots_of(different)
    nearest = _Nearest(found, matching[0].keys)
    pair.plain(lambda: both(within, nearest))
    return found


class both:
    """Two context managers as one, of which the first is a function that makes one."""

    def __init__(self, outer, inner):
        self._outer, self._inner = outer(), inner

    def __enter__(self):
        self._outer.__enter__()
        self._inner.__enter__()

    def __exit__(self, *error):
        self._inner.__exit__(*error)
        return self._outer.__exit__(*error)


class _Numbers(TorchDispatchMode):
    """Keys of all numbers that a step computes, and of memory that it writes to."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def see(self, tensor):
        self.seen.add(key_of(tensor))

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        with without_torch_dispatch():
            if func._schema.is_mutable:
                for leaf in pytree.tree_leaves((args, kwargs)):
                    if isinstance(leaf, torch.Tensor) and not leaf.is_meta:
                        self.see(leaf)
                        self.see(_whole(leaf))
            if not func.is_view:
                for leaf in pytree.tree_leaves(out):
                    if isinstance(leaf, torch.Tensor):
                        self.see(leaf)
        return out


class _Nearest(TorchDispatchMode):
    """For each root how near plain PyTorch comes with numbers that the graph does not have."""

    def __init__(self, found, of_graph):
        super().__init__()
        self._roots = {}
        for root in found:
            self._roots.setdefault((root.value.shape, root.value.dtype), []).append(root)
        self._of_graph = of_graph

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        with without_torch_dispatch():
            for leaf in pytree.tree_leaves(out):
                roots = self._roots.get((leaf.shape, leaf.dtype), ()) if isinstance(leaf, torch.Tensor) else ()
                if roots and key_of(leaf) not in self._of_graph:
                    for root in roots:
                        root.nearest = min(root.nearest, relative(root.value, leaf))
        return out


class _Matching(torch.fx.Interpreter):
    """Runs the graph and asks for each node whether plain PyTorch has its numbers."""

    def __init__(self, module, seen):
        super().__init__(module)
        self._seen = seen
        self.keys = set()
        self._unmatched = {}  # node: its value if it is a root, else None

    def run_node(self, node):
        value = super().run_node(node)
        if node.op == "call_function" and not self._is_matched(node, value):
            is_root = not any(source in self._unmatched for source in node.all_input_nodes)
            known = sum(kept is not None for kept in self._unmatched.values())
            self._unmatched[node] = value if is_root and known < _MOST_ROOTS else None
        return value

    def roots_of(self, outputs):
        """Roots that these outputs come from."""
        reached, waiting = set(), [node for node in outputs if node in self._unmatched]
        while waiting:
            node = waiting.pop()
            if node not in reached:
                reached.add(node)
                waiting += [source for source in node.all_input_nodes if source in self._unmatched]
        values = ((node, self._first_tensor(node)) for node in self._unmatched if node in reached)
        return [Root(node, value) for node, value in values if value is not None]

    def _is_matched(self, node, value):
        if not isinstance(node.target, OpOverload):  # a part of a value
            if aliases(node.args[0]):
                return node.args[0] not in self._unmatched
            if node.target is operator.getitem and _is_state(*node.args):
                return True
            return not isinstance(value, torch.Tensor) or self._has(value)
        if node.target.name().startswith(UNWRITTEN):
            return True
        if aliases(node):
            return node.all_input_nodes[0] not in self._unmatched
        if isinstance(value, list | tuple):
            parts = (user.args[1] for user in node.users if len(user.args) > 1)
            return all(self._has(value[part]) for part in parts if not _is_state(node, part))
        return self._has(value)

    def _has(self, value):
        if not isinstance(value, torch.Tensor):
            return True
        key = key_of(value)
        self.keys.add(key)
        return key in self._seen

    def _first_tensor(self, node):
        value = self._unmatched[node]
        if isinstance(value, list | tuple):
            parts = (part for index, part in enumerate(value) if not _is_state(node, index))
            wrong = [part for part in parts if isinstance(part, torch.Tensor) and key_of(part) not in self._seen]
            return wrong[0] if wrong else None
        return value


def _is_state(node, index):
    """True of a result of attention that is no number: a state of the generator, or a mask for debugging."""
    returns = node.target._schema.returns if isinstance(node.target, OpOverload) else ()
    return index < len(returns) and returns[index].name in _STATES


def _whole(tensor):
    """The block of memory that a tensor lies in, as numbers of its type."""
    return torch.empty(0, dtype=tensor.dtype, device=tensor.device).set_(tensor.untyped_storage())


def key_of(tensor):
    """Type, count and a digest of a tensor's numbers in their order, whatever its shape."""
    tensor = tensor.detach().resolve_conj().resolve_neg()
    count, kind = tensor.numel(), tensor.dtype
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor)
    data = (tensor + 0 if kind.is_floating_point or kind.is_complex else tensor).contiguous().cpu()  # -0 is 0
    return kind, count, hashlib.blake2b(data.reshape(-1).view(torch.uint8).numpy(), digest_size=16).digest()
