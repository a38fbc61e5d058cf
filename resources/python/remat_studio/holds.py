# SPDX-License-Identifier: Apache-2.0
"""Finds what eager autograd keeps for its sizes alone, or with the rest of a block, which a graph has no reader of."""

import contextlib
from unittest import mock

import torch
from torch.fx.experimental.proxy_tensor import PythonKeyTracer

from .pairing import is_backward
from .torch_private import OpOverload, TorchDispatchMode

_aten = torch.ops.aten

# Operators whose function of the backward pass keeps this argument and reads its sizes: see derivatives.yaml.
_KEEPS = {_aten.gather: 0, _aten.take: 0, _aten.masked_select: 0}

# Operators whose results are pieces of one block that may be written into, of which a functional graph knows nothing.
_SPLITS = (_aten.unsafe_split, _aten.unsafe_split_with_sizes)
_PIECE = "remat_piece"  # tells where a tensor or a node lies: (number of the block, number of the piece, how many there are)


def held_for_sizes(ops):
    """For ops of the backward pass: the nodes whose storages stay until the op has run."""
    last = {op.meta.get("seq_nr"): op for op in ops if is_backward(op)}
    held = {}
    for op in ops:
        until = last.get(op.meta.get("seq_nr"))
        position = _KEEPS.get(op.target.overloadpacket)
        if position is not None and until is not None and not is_backward(op):
            held.setdefault(until, []).append(op.args[position])
    return held


def held_with_their_block(ops):
    """The same for what eager mode writes into pieces of a block: each stays as long as any other that is read."""
    pieces = {}  # block -> number of a piece -> the op that wrote it last
    for op in ops:
        if _PIECE in op.meta:
            block, number, count = op.meta[_PIECE]
            pieces.setdefault((block, count), {})[number] = op
    readers = last_readers(ops)
    held = {}
    for (_, count), written in pieces.items():
        last = {op: readers.get(storage_of(op)) for op in written.values()}
        until = max(filter(None, last.values()), default=None)
        if len(written) < count or until is None or not is_backward(ops[until]):
            continue  # with a piece that nobody wrote, the graph holds the block itself
        held.setdefault(ops[until], []).extend(op for op, reader in last.items() if reader != until)
    return held


def last_readers(ops):
    """The number of the last op that computes with each storage."""
    found = {}
    for number, op in enumerate(ops):
        for source in op.all_input_nodes:
            if storage_of(source) is not None and storage_of(source) != storage_of(op):
                found[storage_of(source)] = number
    return found


def storage_of(node):
    """What a node's value lies in, as a number of its own; None where it is no tensor."""
    value = node.meta.get("val")
    return value.untyped_storage()._cdata if isinstance(value, torch.Tensor) else None


@contextlib.contextmanager
def blocks_noted():
    """While this is open, captured nodes that eager mode would write into a piece of a block know which."""
    blocks, create_node = _Blocks(), PythonKeyTracer.create_node

    def create_noted_node(tracer, *args, **kwargs):
        node = create_node(tracer, *args, **kwargs)
        if blocks.written is not None:
            node.meta[_PIECE] = blocks.written
        return node

    with mock.patch.object(PythonKeyTracer, "create_node", create_noted_node), blocks:
        yield


@contextlib.contextmanager
def hooks_noted():
    """While this is open, gives the set of the names of what the model opens to change tensors that autograd saves."""
    noted, enter = set(), torch.autograd.graph.saved_tensors_hooks.__enter__

    def enter_noted(hooks):
        if type(hooks).__module__ == "torch.autograd.graph":  # and not those of torch.utils.checkpoint
            noted.add(type(hooks).__name__)
        return enter(hooks)

    with mock.patch.object(torch.autograd.graph.saved_tensors_hooks, "__enter__", enter_noted):
        yield noted


class _Blocks(TorchDispatchMode):
    """Numbers blocks as they are split; ``written`` is the piece that the operator which runs writes into, or None."""

    supports_higher_order_operators = True

    def __init__(self):
        super().__init__()
        self.written = None
        self._count = 0

    def __torch_dispatch__(self, func, _types, args=(), kwargs=None):
        if not isinstance(func, OpOverload):
            return func(*args, **(kwargs or {}))
        writes = func._schema.is_mutable and args and isinstance(args[0], torch.Tensor)
        self.written = getattr(args[0], _PIECE, None) if writes else None
        try:
            out = func(*args, **(kwargs or {}))
        finally:
            self.written = None
        if func.overloadpacket in _SPLITS:
            self._count += 1
            for number, piece in enumerate(out):
                setattr(piece, _PIECE, (self._count, number, len(out)))
        return out
