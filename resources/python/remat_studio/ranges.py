# SPDX-License-Identifier: Apache-2.0
"""What values an input may take, so that a run without the user's data still runs: ranges and statistics."""

import math

import torch

from .torch_private import FakeTensor

_aten = torch.ops.aten

_MOST_VALUES = 1 << 14  # enough for two digits of any statistic

# Ops whose integer result holds only values of some of their arguments: the positions of those arguments.
_PASSES_VALUES_OF = {
    _aten.view: (0,),
    _aten._unsafe_view: (0,),
    _aten.reshape: (0,),
    _aten.expand: (0,),
    _aten.slice: (0,),
    _aten.select: (0,),
    _aten.squeeze: (0,),
    _aten.unsqueeze: (0,),
    _aten.transpose: (0,),
    _aten.permute: (0,),
    _aten.t: (0,),
    _aten.alias: (0,),
    _aten.detach: (0,),
    _aten.clone: (0,),
    _aten._to_copy: (0,),
    _aten.constant_pad_nd: (0,),
    _aten.clamp: (0,),
    _aten.roll: (0,),
    _aten.flip: (0,),
    _aten.cat: (0,),
    _aten.copy: (1,),
    _aten.where: (1, 2),
    _aten.masked_fill: (0,),
    _aten.slice_scatter: (0, 1),
    _aten.select_scatter: (0, 1),
    _aten.split: (0,),
    _aten.split_with_sizes: (0,),
    _aten.unbind: (0,),
}


def describe_inputs(program):
    """For each placeholder: kind, name, and the values it may take."""
    limits = _index_limits(program.graph)
    described = {}
    for item in program.inputs:
        entry = {"kind": item.kind, "fqn": item.fqn}
        entry.update(_values(item, limits.get(item.node)))
        described[item.node.name] = entry
    return described


def _values(item, limit):
    tensor = item.tensor
    if tensor.is_floating_point():
        return _statistics(tensor) if _has_data(tensor) else _usual_statistics(item)
    if tensor.is_complex():
        return {}
    if limit is not None:
        return {"low": 0, "high": limit}
    if tensor.numel() == 0 or not _has_data(tensor):
        return {"low": 0, "high": 2 if tensor.dtype is torch.bool else 1}
    low, high = torch.aminmax(tensor.detach().to(torch.int64).cpu())
    return {"low": int(low), "high": int(high) + 1}


def _statistics(tensor):
    """Mean, deviation and extent of the finite values; of large tensors, those of evenly spread values."""
    values = tensor.detach().flatten()
    values = values[:: max(1, values.numel() // _MOST_VALUES)].float()
    if values.numel() and not math.isfinite(float(values.sum())):
        values = values[values.isfinite()]
    if not values.numel():
        return _constant(0.0)
    low, high = torch.aminmax(values)
    if not math.isfinite(float(values.std(correction=0))):  # such as memory that nobody has written yet
        values = values.double()
    std = float(values.std(correction=0))
    return {"mean": float(values.mean()), "std": std, "min": float(low), "max": float(high)}


def _usual_statistics(item):
    """What the values of a tensor without data usually are, judged by its name."""
    name = item.fqn.rsplit(".", 1)[-1]
    if name == "running_var" or (name == "weight" and item.tensor.dim() == 1):
        return _constant(1.0)
    if name in ("bias", "running_mean"):
        return _constant(0.0)
    spread = 1.0 if item.kind == "input" else 0.02
    return {"mean": 0.0, "std": spread, "min": -5 * spread, "max": 5 * spread}


def _constant(value):
    return {"mean": value, "std": 0.0, "min": value, "max": value}


def _has_data(tensor):
    return not tensor.is_meta and not isinstance(tensor, FakeTensor)


def _index_limits(graph):
    """For integer placeholders that end up as indices: one more than the largest valid value."""
    limits = {}
    for node in graph.nodes:
        for index, limit in _indices_of(node):
            for source in _sources(index):
                limits[source] = min(limit, limits.get(source, limit))
    return limits


def _indices_of(node):
    """The index arguments of a node with the number of things they choose from."""
    packet = getattr(node.target, "overloadpacket", None)
    if packet is _aten.embedding or packet is _aten._embedding_bag:
        yield node.args[1], node.args[0].meta["val"].shape[0]
        if packet is _aten._embedding_bag:
            yield node.args[2], 1  # where bags begin: numbers that start with 0 and never fall
    elif packet in (_aten.nll_loss_forward, _aten.nll_loss2d_forward):
        scores = node.args[0].meta["val"]
        yield node.args[1], scores.shape[1 if scores.dim() > 1 else 0]
    elif packet in (_aten.gather, _aten.index_select):
        dim, index = node.args[1], node.args[2]
        yield index, node.args[0].meta["val"].shape[dim]
    elif packet is _aten.one_hot:
        yield node.args[0], node.args[1]
    elif packet is _aten.index:
        for dim, index in enumerate(node.args[1]):
            if index is not None and index.meta["val"].dtype is not torch.bool:
                yield index, node.args[0].meta["val"].shape[dim]


def _sources(node):
    """The placeholders whose values a node's values are."""
    pending, seen, found = [node], set(), []
    while pending:
        current = pending.pop()
        if not isinstance(current, torch.fx.Node) or current in seen:
            continue
        seen.add(current)
        if current.op == "placeholder":
            found.append(current)
            continue
        if current.target.__name__ == "getitem":
            pending.append(current.args[0])
            continue
        for position in _PASSES_VALUES_OF.get(getattr(current.target, "overloadpacket", None), ()):
            argument = current.args[position]
            pending.extend(argument if isinstance(argument, list | tuple) else [argument])
    return found
