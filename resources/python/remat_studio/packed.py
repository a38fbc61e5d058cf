# SPDX-License-Identifier: Apache-2.0
"""Traces packed sequences for the lengths that are given: eager's kernels read lengths, which stand-ins have not."""

import contextlib

import torch

from .torch_private import DispatchKey, without_modes

_aten = torch.ops.aten
PACK = _aten._pack_padded_sequence.default
_KEYS = (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd)

# Eager mode's own formulas that read the sizes of the batches, and where these stand among their arguments.
_READERS = {
    _aten.lstm.data: 1,
    _aten.gru.data: 1,
    _aten.rnn_tanh.data: 1,
    _aten.rnn_relu.data: 1,
    _aten._pack_padded_sequence_backward.default: 2,
}


@contextlib.contextmanager
def packed_sequences():
    """While this is open, a capture knows how long packed sequences are."""
    formulas = {op: _with_sizes(op, at) for op, at in _READERS.items()} | {_aten._pad_packed_sequence.default: _pad}
    kernels = [(op, key, formula) for op, formula in formulas.items() for key in _KEYS]
    for op, key, kernel in kernels:
        op.py_kernels[key] = kernel
        op._dispatch_cache.clear()
    try:
        yield
    finally:
        for op, key, _ in kernels:
            del op.py_kernels[key]
            op._dispatch_cache.clear()


def fix_lengths(module, seen):
    """Make the lengths that sequences are packed by constants: no others have this graph, and a run needs no data.

    ``seen`` are those of all calls while the model was captured, of which the last made the graph.
    """
    nodes = module.graph.find_nodes(op="call_function", target=PACK)
    for number, (node, lengths) in enumerate(zip(nodes, seen[len(seen) - len(nodes) :], strict=True)):
        name = f"lengths_{number}"
        module.register_buffer(name, torch.tensor(lengths))
        with module.graph.inserting_before(node):
            constant = module.graph.get_attr(name)
        constant.meta["val"] = node.args[1].meta["val"]
        node.update_arg(1, constant)


def pack(fake_mode, data, lengths, _batch_first):
    """The stand-ins for what ``PACK`` gives, and the sizes of its batches; the longest sequence comes first."""
    sizes = [sum(length > step for length in lengths) for step in range(lengths[0])]
    with fake_mode:
        rows = data.new_empty((sum(sizes), *data.shape[2:]))
        batch_sizes = torch.empty(len(sizes), dtype=torch.int64)
    return (rows, batch_sizes), _real(sizes)


def _pad(data, batch_sizes, batch_first, padding_value, total_length):
    """The formula that pads, by the same operators as in eager mode."""
    sizes = batch_sizes.tolist()
    shape = (max(total_length, len(sizes)), sizes[0], *data.shape[1:])
    padded = torch.full(shape, padding_value, dtype=data.dtype, device=data.device)
    first = 0
    for last in range(1, len(sizes) + 1):
        if last == len(sizes) or sizes[last] != sizes[first]:
            rows = data.narrow(0, sum(sizes[:first]), sum(sizes[first:last]))
            place = padded.narrow(0, first, last - first).narrow(1, 0, sizes[first])
            place.copy_(rows.view(last - first, sizes[first], *data.shape[1:]))
            first = last
    lengths = torch.tensor([sum(size > row for size in sizes) for row in range(sizes[0])])
    return padded.transpose(0, 1) if batch_first else padded, lengths


def _with_sizes(op, at):
    """Eager mode's formula of an operator, given the sizes themselves in place of their stand-in."""

    def run(*args):
        return op._op_dk(_KEYS[1], *args[:at], _real(args[at].tolist()), *args[at + 1 :])

    return run


def _real(sizes):
    with without_modes():
        return torch.tensor(sizes)
