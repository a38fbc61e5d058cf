# SPDX-License-Identifier: Apache-2.0
"""Cuts a plan into the forward and the backward graph that AOTAutograd runs."""

import operator

import torch
from torch import fx
from torch._functorch._aot_autograd.descriptors import SavedForBackwardsAOTOutput
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx._lazy_graph_module import _make_graph_module

from . import copies, generators
from .chunks import scale
from .errors import PlanError

_META = ("val", "tensor_meta", "stack_trace", "nn_module_stack", "seq_nr", "custom")


class _Instance:
    """One life of a storage: made by one computation, ended by a free. ``tensors`` has its values on each side."""

    def __init__(self, side, tensors):
        self.tensors = {side: tensors}
        self.side = side


class Partition:
    """Forward and backward graph in the order of the steps, and the bytes that they hold beside the plan."""

    def __init__(self, step_graph, steps):
        self.source = step_graph
        self.steps = steps
        self.outside_bytes = 0  # generator states, old values of inputs that the step writes to, copies on a CPU
        self.forward, self.backward = fx.Graph(), fx.Graph()
        self._side = self.forward
        self._held = {}
        self._ended = {}  # the last life of each storage that was freed
        self._states = {}
        self._parked = {}  # the last copy in host memory of each storage, and the nodes whose value it is
        self._written_to = {}  # storages of inputs that were written to, as they were given
        self._saved = []  # nodes of the forward graph, in the order of the backward's placeholders
        self._computed = set()
        self._early = set()  # ops that were computed before the border, and are to be passed over once
        self._constants = {}
        self._written = {op.node: op.node.args[0] for op in step_graph.ops if not op.makes and (op.mutates or op.into)}
        self._ops = {op.name: op for op in step_graph.ops}
        self._storages = {storage.name: storage for storage in step_graph.storages}
        counts = {}
        for step in steps:
            if step["do"] == "compute":
                counts[step["op"]] = counts.get(step["op"], 0) + 1
        self._again = {name for name, count in counts.items() if count > 1}
        self._build()

    def modules(self):
        """Two graph modules, as AOTAutograd expects them from a partitioner."""
        return tuple(_make_graph_module(self.source.module, graph) for graph in (self.forward, self.backward))

    def _build(self):
        for node in self.source.primals:
            self._held[self.source.storage_of[node]] = _Instance(self.forward, {node: self._placeholder(node)})
        forward_values = None
        for index, step in enumerate(self.steps):
            if step["do"] != "compute":
                self._move(step["do"], self._storages[step["storage"]])
            elif step["op"] == self.source.border:
                if forward_values is None:
                    for node in self.source.forward_outputs:
                        self._compute_early(self.source.storage_of.get(node), index)
                    forward_values = [self._forward_output(node) for node in self.source.forward_outputs]
                    self._cross()
                self._hold_tangents()
            elif step["op"] in self._early:
                self._early.remove(step["op"])
            elif step["op"] in self._ops:
                self._compute(self._ops[step["op"]], index)
            else:
                raise PlanError(f"The plan computes {step['op']}, which is no op of this step; make the plan again.")
        gradients = [self._output(node) for node in self.source.backward_outputs]
        self._finish(self.backward, gradients, list(self.source.backward_descs))
        saved = [SavedForBackwardsAOTOutput(i) for i in range(len(self._saved))]
        self._finish(self.forward, [*forward_values, *self._saved], [*self.source.forward_descs, *saved])

    def _move(self, what, storage):
        if what == "free":
            self._ended[storage] = self._held.pop(storage, None)
        elif storage.is_resident:
            raise PlanError(
                f"The plan moves {storage.name} to host memory, and parameters and inputs of a step in training stay "
                "where they are; plan without planned parameters."
            )
        elif what == "offload":
            self._offload(storage)
        else:
            self._prefetch(storage)

    def _offload(self, storage):
        held = self._held[storage].tensors.values()
        nodes = [node for node in dict.fromkeys(node for each in held for node in each) if not self._is_view(node)]
        host = self._side.call_function(copies.to_host, (self._value(nodes[0]),))
        value = nodes[0].meta["val"]
        with value.fake_mode:
            host.meta["val"] = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype)
        if value.device.type == "cpu" and storage not in self._parked:
            self.outside_bytes += storage.bytes  # the memory that it leaves is the memory that it goes to
        self._parked[storage] = ({self._side: host}, nodes)

    def _prefetch(self, storage):
        parked, nodes = self._parked[storage]
        if self._side not in parked:
            parked[self._side] = self._save(parked[self.forward], f"{storage.name}_host")
        new = self._side.call_function(copies.to_device, (parked[self._side], nodes[0].meta["val"].device))
        _copy_meta(nodes[0], new)
        self._held[storage] = _Instance(self._side, dict.fromkeys(nodes, new))

    def _cross(self):
        self._side = self.backward
        self._tangents = {node: self._placeholder(node) for node in self.source.tangents}

    def _hold_tangents(self):
        for node, new in self._tangents.items():
            self._held[self.source.storage_of[node]] = _Instance(self.backward, {node: new})

    def _placeholder(self, node):
        new = self._side.placeholder(node.name)
        _copy_meta(node, new)
        return new

    def _output(self, node):
        return self._value(node) if isinstance(node, fx.Node) else node

    def _forward_output(self, node):
        """What the forward hands out; a plan of the window may drop it and make it again at the end: it is held."""
        storage = self.source.storage_of.get(node) if isinstance(node, fx.Node) else None
        if storage in self._held or self._ended.get(storage) is None:
            return self._output(node)
        self._held[storage] = self._ended[storage]
        self.outside_bytes += storage.bytes
        value = self._output(node)
        del self._held[storage]
        return value

    def _compute_early(self, storage, index):
        """A plan of the window may make new values of buffers after the loss: they belong to the forward."""
        if storage is None or storage in self._held or storage in self._ended:
            return
        op = next(op for op in self.source.ops if storage in op.makes)
        borrowed = []
        for source in op.reads:
            self._compute_early(source, index)
            if source not in self._held:
                self._held[source] = self._ended[source]
                borrowed.append(source)
        self._compute(op, index)
        self._early.add(op.name)
        for source in borrowed:
            del self._held[source]
        self.outside_bytes += sum(each.bytes for each in (*op.makes, *borrowed))

    def _compute(self, op, index):
        old_values = self._old_values(op, index)
        for storage in op.mutates:
            self._held[storage] = self._written_to.setdefault(storage, self._held[storage])
        new = self._call(op)
        self._held.update(old_values)
        for storage in op.makes:
            self._held[storage] = _Instance(self._side, {})
        storage = self.source.storage_of.get(op.node)
        if storage in op.makes:
            self._held[storage].tensors[self._side][op.node] = new
        for item in op.node.users:
            if item.target is not operator.getitem or not op.makes:
                continue
            part = self._side.call_function(operator.getitem, (new, item.args[1]))
            _copy_meta(item, part)
            storage = self.source.storage_of.get(item)
            if storage is not None:
                self._held[storage].tensors.setdefault(self._side, {})[item] = part
        self._computed.add(op.name)

    def _call(self, op):
        node = op.node
        if op.into and op.name in self.source.scales:
            new = self._side.call_function(scale.in_place, (*map(self._value, node.args), self._unused(node)))
            _copy_meta(node, new)
            return new
        if op.is_random and op.name in self._again:
            device = generators.device_of(node)
            if op.name in self._computed:
                call, state = generators.replay, self._state(op.name)
            else:
                call, state = generators.record, self._side.call_function(generators.state, device)
                state.meta["val"] = self._fake_state(device)
                self.outside_bytes += state.meta["val"].numel()
                self._states[op.name] = {self._side: state}
            args, kwargs = fx.map_arg((node.args, node.kwargs), self._value)
            new = self._side.call_function(call, (state, *device, node.target, args, kwargs))
            _copy_meta(node, new)
            return new
        new = self._side.node_copy(node, self._value)
        new.meta = {}
        _copy_meta(node, new)
        return new

    def _unused(self, node):
        """The number that tells the backward that it is the first one of its forward."""
        new = self.forward.call_function(scale.unused)
        with node.meta["val"].fake_mode:
            new.meta["val"] = scale.unused()
        return self._save(new, f"{node.name}_uses")

    def _state(self, name):
        states = self._states[name]
        if self._side not in states:
            states[self._side] = self._save(states[self.forward], f"{name}_state")
        return states[self._side]

    def _fake_state(self, device):
        values = (node.meta.get("val") for node in self.source.graph.nodes)
        mode = next(value.fake_mode for value in values if isinstance(value, FakeTensor))
        length = generators.state(*device).numel()
        with mode:
            return torch.empty(length, dtype=torch.uint8)

    def _old_values(self, op, index):
        """Copies of the values that an op overwrites in its input, where what is computed after it reads them."""
        kept = {}
        for storage in op.mutates:
            later = (self._ops.get(step.get("op")) for step in self.steps[index + 1 :])
            if storage in self._written_to:
                kept[storage] = self._held[storage]
            elif any(reader and storage in reader.reads and reader is not op for reader in later):
                (base, *_) = self._held[storage].tensors[self._held[storage].side]
                copy = self._side.call_function(torch.ops.aten.clone.default, (self._value(base),))
                _copy_meta(base, copy)
                self.outside_bytes += storage.bytes
                kept[storage] = _Instance(self._side, {base: copy})
        return kept

    def _value(self, node):
        """The node's value on this side: made here, saved for the backward, or a view made anew."""
        if node.op == "get_attr":
            return self._constant(node)
        storage = self.source.storage_of.get(node)
        instance = self._held.get(storage)
        if instance is None:
            raise PlanError(f"The plan reads {node.name} after it was freed; make the plan again.")
        here = instance.tensors.setdefault(self._side, {})
        if node not in here:
            made = instance.tensors[instance.side]
            if node in self._written:
                here[node] = self._value(self._written[node])
            elif self._side is not instance.side and node in made and not self._is_view(node):
                here[node] = self._save(made[node], node.name)
            else:
                here[node] = self._side.node_copy(node, self._value)
                here[node].meta = {}
                _copy_meta(node, here[node])
        return here[node]

    def _is_view(self, node):
        """Made from another tensor of the same storage."""
        storage = self.source.storage_of[node]
        return node.op == "call_function" and any(
            self.source.storage_of.get(source) is storage for source in node.all_input_nodes
        )

    def _constant(self, node):
        key = (self._side, node)
        if key not in self._constants:
            self._constants[key] = self._side.node_copy(node, self._value)
        return self._constants[key]

    def _save(self, node, name):
        """Hand a value of the forward to the backward."""
        self._saved.append(node)
        with self.backward.inserting_before(next(iter(self._tangents.values()))):
            new = self.backward.placeholder(name)
        _copy_meta(node, new)
        return new

    @staticmethod
    def _finish(graph, values, descs):
        graph.output(tuple(values)).meta["desc"] = descs
        graph.lint()


def _copy_meta(source, target):
    for key in _META:
        if key in source.meta:
            target.meta[key] = source.meta[key]
