# SPDX-License-Identifier: Apache-2.0
"""Reads the graph that the engine has cut, and makes it one of PyTorch's again."""

import json
import operator
import zipfile

import torch
from torch import fx

from ... import torch_private

PHASE, VALUE, NEW = "remat_phase", "remat_value", "remat_new"  # metadata of its nodes
_CHUNK = "__chunk"
_CODES = {
    "as_scalar_type": torch_private.serialize._SERIALIZE_TO_TORCH_DTYPE,
    "as_layout": torch_private.serialize._SERIALIZE_TO_TORCH_LAYOUT,
    "as_memory_format": torch_private.serialize._SERIALIZE_TO_TORCH_MEMORY_FORMAT,
}


def records(path):
    """The nodes of the archive's graph, as it has them."""
    with zipfile.ZipFile(path) as file:
        name = next(name for name in file.namelist() if name.endswith("models/model.json"))
        return json.loads(file.read(name))["graph_module"]["graph"]["nodes"]


class Rewritten:
    """A graph with the nodes of an archive between the inputs of the graph that the archive was made of.

    ``values`` has the node of each value by its name in the archive. Nodes have what the old graph says of theirs;
    those that it does not have are marked.
    """

    def __init__(self, old, path):
        self.graph = fx.Graph()
        self.values = {}
        self._old = {node.name: node for node in old.nodes}
        values = (node.meta.get("val") for node in old.nodes)
        self._fake = next(value.fake_mode for value in values if isinstance(value, torch_private.FakeTensor))
        self.copies = {}  # copied placeholders and attributes, by the node of the old graph
        for node in old.nodes:
            if node.op in ("placeholder", "get_attr"):
                self.copies[node] = new = self.graph.node_copy(node, self.copies.__getitem__)
                self.values[node.name] = new
        for record in records(path):
            self._add(record)
        for node in reversed(self.graph.nodes):
            if node.target is operator.getitem and not node.users and node.name not in self._old:
                self.graph.erase_node(node)

    def input_like(self, node):
        """One more input, for a node that the old graph makes itself."""
        with self.graph.inserting_before(next(iter(self.graph.nodes))):
            new = self.graph.placeholder(f"{node.name}_given")
        new.meta = {"val": node.meta["val"]}
        return new

    def _add(self, record):
        name = record.get("name") or record["outputs"][0]["as_tensor"]["name"]
        target = _target(record["target"])
        pairs = [(each["name"], each["kind"], self._argument(each["arg"])) for each in record["inputs"]]
        args = tuple(value for _, kind, value in pairs if kind == 1)
        kwargs = {key: value for key, kind, value in pairs if kind != 1}
        node = self.graph.create_node("call_function", target, args, kwargs, plain(name))
        phase = _phase(record)
        old = self._old.get(name)
        made = self._run(node)
        if old is not None and old.target is target and _like(old.meta.get("val"), made):
            node.meta = dict(old.meta)
        else:
            tag = "is_backward" if phase == "backward" else "is_forward"
            node.meta = {"val": made, "partitioner_tag": tag, NEW: True}
        node.meta[PHASE] = phase
        outputs = record["outputs"]
        if isinstance(made, torch.Tensor):
            value = outputs[0]["as_tensor"]["name"]
            node.meta[VALUE] = plain(value)
            self.values[value] = node
            return
        names = outputs[0]["as_tensors"] if "as_tensors" in outputs[0] else [each.get("as_tensor") for each in outputs]
        for index, each in enumerate(names):
            if each is not None:
                self.values[each["name"]] = self._item(node, index, each["name"])

    def _item(self, node, index, name):
        item = self.graph.create_node("call_function", operator.getitem, (node, index), {}, plain(name))
        old = self._old.get(name)
        item.meta = dict(old.meta) if old is not None and not node.meta.get(NEW) else {}
        item.meta |= {"val": node.meta["val"][index], PHASE: node.meta[PHASE]}
        item.meta.setdefault("partitioner_tag", node.meta.get("partitioner_tag"))
        return item

    def _run(self, node):
        args, kwargs = fx.map_arg((node.args, node.kwargs), lambda source: source.meta["val"])
        with self._fake, torch.no_grad():
            return node.target(*args, **kwargs)

    def _argument(self, given):
        ((kind, value),) = given.items()
        if kind == "as_tensor":
            return self.values[value["name"]]
        if kind == "as_tensors":
            return [self.values[each["name"]] for each in value]
        if kind == "as_optional_tensors":
            return [self.values[each["as_tensor"]["name"]] if "as_tensor" in each else None for each in value]
        if kind == "as_none":
            return None
        if kind in _CODES:
            return _CODES[kind][value]
        if kind == "as_float":
            return float(value)  # JSON has infinities and NaN as text
        if kind == "as_floats":
            return [float(each) for each in value]
        if kind == "as_device":
            return torch.device(value["type"], value["index"])
        return value


def plain(name):
    """A name that Python's text of a graph may have."""
    return name.replace("#", _CHUNK)


def is_of_chunk(name):
    """Whether such a name is one of a chunk."""
    return _CHUNK in name


def _target(text):
    target = torch
    for part in text.split(".")[1:]:
        target = getattr(target, part)
    return target


def _phase(record):
    custom = json.loads(record["metadata"].get("custom") or "{}")
    return custom.get("remat", {}).get("phase", "forward")


def _like(old, made):
    if isinstance(old, torch.Tensor) and isinstance(made, torch.Tensor):
        return old.shape == made.shape and old.dtype == made.dtype
    return type(old) is type(made)
