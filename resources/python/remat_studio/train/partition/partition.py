# SPDX-License-Identifier: Apache-2.0
"""Plays the steps of a plan and writes what they compute into two graphs."""

import collections
import operator

import torch
from torch import fx

from ... import torch_private
from ..chunks import add, scale
from ..errors import PlanError
from .draws import Draws
from .lives import Life, Lives
from .moves import Moves
from .sides import Sides, like


class Partition:
    """Forward and backward graph in the order of the steps, and the bytes that they hold beside the plan."""

    def __init__(self, step_graph, steps):
        self._source = step_graph
        self.steps = steps
        self._sides = Sides(step_graph)
        self.forward, self.backward = self._sides.forward, self._sides.backward
        self._lives = Lives(step_graph, self._sides)
        self._moves = Moves(self._sides, self._lives)
        self._draws = Draws(self._sides, self._lives)
        self._written_to = {}  # storages of inputs that were written to, as they were given
        self._early = set()  # ops that were computed before the border, and are to be passed over once
        self._ops = {op.name: op for op in step_graph.ops}
        self._storages = {storage.name: storage for storage in step_graph.storages}
        self._times = collections.Counter(step["op"] for step in steps if step["do"] == "compute")
        self._play()

    @property
    def outside_bytes(self):
        """Generator states, old values of inputs that the step writes to, and copies in host memory on a CPU."""
        return self._sides.outside_bytes

    @property
    def state_bytes(self):
        """Of these, generator states in the memory of the device."""
        return self._sides.state_bytes

    def modules(self):
        """Two graph modules, as AOTAutograd expects them from a partitioner."""
        return tuple(torch_private.lazy_module(self._source.module, graph) for graph in (self.forward, self.backward))

    def _play(self):
        for node in self._source.primals:
            self._lives.begin(self._source.storage_of[node], {node: self._sides.placeholder(node)})
        for node in self._source.graph.find_nodes(op="get_attr"):
            self._lives.begin(self._source.storage_of[node], {})
        forward_values = None
        for index, step in enumerate(self.steps):
            if step["do"] != "compute":
                self._move(step["do"], self._storages[step["storage"]])
            elif step["op"] == self._source.border:
                if forward_values is None:
                    for node in self._source.forward_outputs:
                        self._compute_early(self._source.storage_of.get(node), index)
                    forward_values = [self._forward_output(node) for node in self._source.forward_outputs]
                    self._moves.wait_for_all()
                    self._sides.cross()
                for node, new in self._sides.tangents.items():
                    self._lives.begin(self._source.storage_of[node], {node: new})
            elif step["op"] in self._early:
                self._early.remove(step["op"])
            elif step["op"] in self._ops:
                self._compute(self._ops[step["op"]], index)
            else:
                raise PlanError(f"The plan computes {step['op']}, which is no op of this step; make the plan again.")
        gradients = [self._output(node) for node in self._source.backward_outputs]
        self._moves.wait_for_all()
        self._sides.finish(forward_values, gradients)

    def _move(self, what, storage):
        if what == "free":
            self._moves.wait_to_end(storage)
            self._lives.end(storage)
        elif what == "offload":
            self._moves.offload(storage)
        else:
            self._moves.prefetch(storage)

    def _output(self, node):
        return self._lives.value(node) if isinstance(node, fx.Node) else node

    def _forward_output(self, node):
        """What the forward hands out; a plan of the window may drop it and make it again at the end: it is held."""
        storage = self._source.storage_of.get(node) if isinstance(node, fx.Node) else None
        if not self._lives.has_ended(storage):
            return self._output(node)
        self._sides.outside_bytes += storage.bytes
        with self._lives.brought_back([storage]):
            return self._output(node)

    def _compute_early(self, storage, index):
        """A plan of the window may make new values of buffers after the loss: they belong to the forward."""
        if storage is None or storage in self._lives.held or self._lives.has_ended(storage):
            return
        op = next(op for op in self._source.ops if storage in op.makes)
        for source in op.reads:
            self._compute_early(source, index)
        borrowed = [source for source in dict.fromkeys(op.reads) if source not in self._lives.held]
        with self._lives.brought_back(borrowed):
            self._compute(op, index)
        self._early.add(op.name)
        self._sides.outside_bytes += sum(each.bytes for each in (*op.makes, *borrowed))

    def _compute(self, op, index):
        held = self._lives.held
        for storage in op.reads:
            self._moves.wait_to_read(storage)
        for storage in (*op.mutates, op.into):
            self._moves.wait_to_end(storage)
        old_values = self._old_values(op, index)
        for storage in op.mutates:
            held[storage] = self._written_to.setdefault(storage, held[storage])
        new = self._call(op)
        held.update(old_values)
        for storage in op.makes:
            self._lives.begin(storage, {})
        storage = self._source.storage_of.get(op.node)
        if storage in op.makes:
            held[storage].tensors[self._sides.now][op.node] = new
        for item in op.node.users:
            if item.target is not operator.getitem or not op.makes:
                continue
            part = like(item, self._sides.now.call_function(operator.getitem, (new, item.args[1])))
            storage = self._source.storage_of.get(item)
            if storage is not None:
                held[storage].tensors.setdefault(self._sides.now, {})[item] = part

    def _call(self, op):
        node = op.node
        if op.into and op.name in self._source.scales:
            values = (*map(self._lives.value, node.args), self._unused(node))
            return like(node, self._sides.now.call_function(scale.in_place, values))
        if add.is_mixed(node):
            values = map(self._lives.value, node.args)
            return like(node, self._sides.now.call_function(add.in_blocks, tuple(values), dict(node.kwargs)))
        if op.is_random and self._times[op.name] > 1:
            return self._draws.call(op)
        return self._lives.copy(node)

    def _unused(self, node):
        """The number that tells the backward that it is the first one of its forward."""
        new = self.forward.call_function(scale.unused)
        with node.meta["val"].fake_mode:
            new.meta["val"] = scale.unused()
        return self._sides.save(new, f"{node.name}_uses")

    def _old_values(self, op, index):
        """Copies of the values that an op overwrites in its input, where what is computed after it reads them."""
        held, kept = self._lives.held, {}
        for storage in op.mutates:
            later = (self._ops.get(step.get("op")) for step in self.steps[index + 1 :])
            if storage in self._written_to:
                kept[storage] = held[storage]
            elif any(reader and storage in reader.reads and reader is not op for reader in later):
                (base, *_) = held[storage].tensors[held[storage].side]
                copy = self._sides.now.call_function(torch.ops.aten.clone.default, (self._lives.value(base),))
                self._sides.outside_bytes += storage.bytes
                kept[storage] = Life(self._sides.now, {base: like(base, copy)})
        return kept
