# SPDX-License-Identifier: Apache-2.0
"""Finds what names of Python hold in the forward pass after the last op that reads it."""

import contextlib
import operator
import weakref

from torch.fx.experimental import proxy_tensor

from .holds import last_readers, storage_of
from .torch_private import FunctionalTensor, TorchDispatchMode, pytree, within_functional

_CALL = "remat_call"  # number of the operator's call that a node is captured of
_END = "remat_end"  # how many calls there were when nothing referred to a node's storage any more, if in the forward


def held_by_names(ops):
    """For forward ops: the nodes whose storages stay until the op has run, though no later op reads them."""
    calls = [(op.meta[_CALL], number) for number, op in enumerate(ops) if _CALL in op.meta]
    ended = {storage_of(node): node for op in ops for node in (op, *op.users) if _END in node.meta}
    readers = last_readers(ops)
    held = {}
    for storage, node in ended.items():
        until = max(number for call, number in calls if call <= node.meta[_END])
        if until > readers.get(storage, -1) and node is not ops[until]:
            held.setdefault(ops[until], []).append(node)
    return held


@contextlib.contextmanager
def names_noted():
    """While this is open, captured nodes learn when the code that runs lets go of what they stand for."""
    with _Storages() as storages:
        yield
    storages.close()


class _Storages(TorchDispatchMode):
    """Follows storages from the operator that makes them, or writes to them, until nothing refers to them."""

    supports_higher_order_operators = True

    def __init__(self):
        super().__init__()
        self._calls = 0
        self._nodes = {}  # id of a storage -> the nodes of what lies in it now

    def __torch_dispatch__(self, func, _types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        mode = proxy_tensor.get_proxy_mode()
        if mode is not None:  # else AOTAutograd's first pass, without a graph
            self._calls += 1
            for tensor in pytree.tree_leaves(out):
                if isinstance(tensor, FunctionalTensor):
                    self._note(tensor.untyped_storage(), _node_of(tensor, mode.tracer))
        return out

    def close(self):
        """What lives now is none of the names' alone."""
        self._nodes.clear()

    def _note(self, storage, node):
        if node is None:
            return
        (node.args[0] if node.target is operator.getitem else node).meta[_CALL] = self._calls
        if id(storage) not in self._nodes:
            weakref.finalize(storage, self._end, id(storage)).atexit = False
        nodes = self._nodes.get(id(storage), [])
        is_view = nodes and storage_of(nodes[-1]) == storage_of(node)  # else new, or written anew: another one in a graph
        self._nodes[id(storage)] = [*nodes, node] if is_view else [node]

    def _end(self, key):
        for node in self._nodes.pop(key, ()):
            node.meta[_END] = self._calls


def _node_of(tensor, tracer):
    slot = proxy_tensor.get_proxy_slot(within_functional(tensor.elem), tracer, None)
    return slot.proxy.node if slot is not None else None
