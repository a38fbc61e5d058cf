# SPDX-License-Identifier: Apache-2.0
"""Writes into each node what the planner must know and the archive has no place for: meta["custom"]["remat"]."""

import operator

import torch
from torch.utils.checkpoint import CheckpointPolicy

from .formulas import in_formulas
from .holds import held_for_sizes, held_with_their_block
from .frames import as_text
from .joint import MODEL_PREFIX, draws
from .names import held_by_names
from .pairing import Pairing, is_backward
from .scopes import CHECKPOINT, FRAMES, MODULES
from .written_back import written_back

KEY = "remat"

# Operators that share storage with their input although their schema does not say so.
_SILENT_VIEWS = (
    torch.ops.aten._unsafe_view,
    torch.ops.aten.detach,
    torch.ops.aten.unsafe_split,
    torch.ops.aten.unsafe_split_with_sizes,
    torch.ops.aten.unsafe_chunk,
)

# Operators whose schema says that they may share storage, but that copy when they must.
_MAYBE_VIEWS = (torch.ops.aten.reshape, torch.ops.aten.contiguous, torch.ops.aten.to)


def describe(program, loss, graph_record, source_root=None):
    """Replace every node's metadata by what is kept in the archive."""
    ops = [n for n in program.graph.nodes if n.op == "call_function" and n.target is not operator.getitem]
    pairing = Pairing(program, ops)
    scopes = {op: _Scope(op) for op in ops if not is_backward(op)}
    loss_ops = _loss_ops(scopes, loss)
    metas = {op: _meta(op, pairing, scopes, loss_ops, source_root) for op in ops}
    for number, part in enumerate(checkpointed_parts(program)):
        for op in part:
            metas[op]["custom"][KEY]["checkpoint"] = number
    for op in in_formulas(ops):
        if not pairing.is_accumulation(op):
            metas[op]["custom"][KEY]["formula"] = True
    nodes = {node.name: node for node in program.graph.nodes}
    for found in (held_for_sizes(ops), held_with_their_block(ops), held_by_names(ops)):
        for op, held in found.items():
            names = metas[op]["custom"][KEY].setdefault("holds", [])
            names += [_maker(node, nodes) for node in held]
    for op, values in written_back(program).items():
        metas[op]["custom"][KEY].setdefault("alias", {}).update(values)
    metas[ops[0]]["custom"][KEY]["graph"] = graph_record
    for node in program.graph.nodes:
        node.meta = metas.get(node) or {"val": _from_its_first(node)}


def _from_its_first(node):
    """The value of an input, or of a getitem; one that lies within a larger storage is stored by itself."""
    value = node.meta.get("val")
    if node.op == "placeholder" and isinstance(value, torch.Tensor) and value.storage_offset():
        return value.as_strided(value.shape, value.stride(), 0)
    return value


def checkpointed_parts(program):
    """The forward ops that the model computes again by itself, a list for each part of it that does so together.

    What a policy of selective checkpointing saves is not among them.
    """
    parts = {}
    for op in program.graph.nodes:
        part = op.meta.get(CHECKPOINT)
        if op.op != "call_function" or op.target is operator.getitem or part is None or is_backward(op):
            continue
        if op.meta.get("recompute") not in (CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_SAVE):
            parts.setdefault(part, []).append(op)
    return list(parts.values())


def _meta(op, pairing, scopes, loss_ops, source_root):
    """All metadata of one op: what the archive keeps by itself, and our record."""
    owner = pairing.owner(op)
    scope = scopes.get(owner, _Scope())
    meta = {"val": op.meta["val"], "custom": {KEY: _record(op, pairing, scope, loss_ops)}}
    if owner is not None and owner.meta.get(FRAMES):
        meta["stack_trace"] = as_text(owner.meta[FRAMES], source_root)
    if op in scopes and scope.stack:
        meta["nn_module_stack"] = scope.stack
    return meta


def _record(op, pairing, scope, loss_ops):
    backward = is_backward(op)
    record = {
        "phase": "backward" if backward else "loss" if op in loss_ops else "forward",
        "module": scope.path,
        "module_class": scope.class_name,
        "seq": pairing.seq(op),
    }
    if backward:
        owner = pairing.owner(op)
        record["forward_op"] = owner.name if owner else None
        if pairing.is_accumulation(op):
            record["accumulate"] = True
    alias = aliases(op)
    if alias:
        record["alias"] = alias
    if draws(op):
        record["random"] = True
    mutates = mutated_inputs(op)
    if mutates:
        record["mutates"] = mutates
    return record


class _Scope:
    """Where in the model a forward op lies, without the wrapper that adds the loss."""

    def __init__(self, op=None):
        self.stack = {}
        self.in_model = False
        for path, kind in op.meta.get(MODULES, ()) if op is not None else ():
            if path == "":
                continue
            self.in_model |= path == MODEL_PREFIX[:-1]
            path = path[len(MODEL_PREFIX) :] if f"{path}.".startswith(MODEL_PREFIX) else path
            self.stack[path or "root"] = (path, kind)
        self.path, kind = next(reversed(self.stack.values()), ("", ""))
        self.class_name = kind.rsplit(".", 1)[-1]
        self.is_loss_module = kind.startswith("torch.nn.modules.loss.")
        self.is_submodule = bool(self.path)


def _loss_ops(scopes, loss):
    """Forward ops of the loss: outside the model, or after its last sub-module if it makes its own loss."""
    ops = list(scopes)
    found = {op for op in ops if scopes[op].is_loss_module or not scopes[op].in_model}
    if loss.is_inside_model:
        inner = [i for i, op in enumerate(ops) if scopes[op].is_submodule and op not in found]
        if inner:
            found.update(ops[inner[-1] + 1 :])
    return found


def aliases(op):
    """For each output that shares storage with an input: the input's name."""
    if op.target.overloadpacket in _SILENT_VIEWS:
        return dict.fromkeys(output_names(op), op.args[0].name)
    if op.target.overloadpacket in _MAYBE_VIEWS and not _shares_storage(op, op.args[0]):
        return {}
    schema = op.target._schema
    shared = {}
    for argument in schema.arguments:
        if argument.alias_info is None or argument.alias_info.is_write:
            continue
        source = _argument(op, argument.name)
        if not isinstance(source, torch.fx.Node):
            continue
        for index, returned in enumerate(schema.returns):
            if returned.type.kind() == "ListType":
                if "*" in argument.alias_info.after_set:
                    shared.update(dict.fromkeys(output_names(op), source.name))
            elif returned.alias_info and returned.alias_info.before_set & argument.alias_info.before_set:
                shared[output_names(op)[index]] = source.name
    return shared


def _maker(node, nodes):
    """The name of the tensor whose storage a node's value lies in."""
    op = node.args[0] if node.target is operator.getitem else node
    source = aliases(op).get(node.name) if op.op == "call_function" else None
    return _maker(nodes[source], nodes) if source else node.name


def _shares_storage(op, source):
    a, b = op.meta["val"].untyped_storage(), source.meta["val"].untyped_storage()
    return a._cdata == b._cdata


def mutated_inputs(op):
    """Names of the inputs that the op writes to."""
    written = []
    for argument in op.target._schema.arguments:
        if argument.alias_info is not None and argument.alias_info.is_write:
            value = _argument(op, argument.name)
            values = value if isinstance(value, list | tuple) else [value]
            written += [v.name for v in values if isinstance(v, torch.fx.Node)]
    return written


def _argument(op, name):
    """An argument of a call by its name in the schema, or None if it is left out."""
    if name in op.kwargs:
        return op.kwargs[name]
    for position, argument in enumerate(op.target._schema.arguments):
        if argument.name == name and position < len(op.args):
            return op.args[position]
    return None


def output_names(op):
    """The names of an op's output tensors as the archive has them."""
    value = op.meta.get("val")
    if not isinstance(value, list | tuple):
        return [op.name]
    named = {user.args[1]: user.name for user in op.users if user.target is operator.getitem}
    return [named.get(i, f"{op.name}_unused_{i}") for i in range(len(value))]
