# SPDX-License-Identifier: Apache-2.0
"""Finds new values of buffers that need no memory: eager mode writes them over the old ones, which nobody reads then."""

import operator

import torch
from torch.export.graph_signature import OutputKind

_aten = torch.ops.aten

# Operators that may run again after they have written, and where training stands among their arguments: then they make
# running statistics of the old ones, and all else without them.
_STATISTICS = {_aten._native_batch_norm_legit_functional.default: 5, _aten._batch_norm_with_update_functional.default: None}


def written_back(program):
    """For ops: ``{name of the new value: name of the buffer that it may be written into}``."""
    nodes = {node.name: node for node in program.graph.nodes}
    buffers = {item.fqn: item.node for item in program.inputs if item.kind == "buffer"}
    found = {}
    for spec in program.outputs:
        if spec.kind is OutputKind.BUFFER_MUTATION:
            value, buffer = nodes[spec.arg.name], buffers[spec.target]
            op = value.args[0] if value.target is operator.getitem else value
            if list(buffer.users) == [op] and _are_alike(value, buffer) and _may_write(op, value, buffer):
                found.setdefault(op, {})[value.name] = buffer.name
    return found


def _may_write(op, value, buffer):
    """Whether what else the op makes is the same afterwards, or it makes a count of the old one alone, for the end."""
    if op.target in _STATISTICS:
        training = _STATISTICS[op.target]
        return training is None or op.args[training]
    return value is op and op.all_input_nodes == [buffer] and [user.op for user in op.users] == ["output"]


def _are_alike(value, buffer):
    made, old = value.meta["val"], buffer.meta["val"]
    return (made.dtype, made.device, made.shape, made.stride()) == (old.dtype, old.device, old.shape, old.stride())
