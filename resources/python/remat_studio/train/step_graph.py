# SPDX-License-Identifier: Apache-2.0
"""The joint graph of AOTAutograd as ops and storages, and as a ``remat-graph/1`` for the planner."""

import dataclasses
import operator

import torch
from torch import fx
from torch.export.graph_signature import OutputKind

from .. import torch_private
from ..describe import aliases, mutated_inputs, output_names
from ..torch_private import OpOverload
from . import costs
from .held_outputs import is_large
from .phases import backward_nodes
from .places import module_of

BORDER = "remat_border"  # the op between forward and backward: reads the forward's outputs, makes the tangents
_FORWARD_OUTPUTS = (OutputKind.LOSS_OUTPUT, OutputKind.BUFFER_MUTATION)
_ATEN = torch.ops.aten
_LEAVE_LOSSES = {  # a mean or sum is in the storage where the losses of all numbers were
    _ATEN.mse_loss.default,
    _ATEN.smooth_l1_loss.default,
    _ATEN.binary_cross_entropy.default,
    _ATEN.soft_margin_loss.default,
}
_COLLECTIVES = ("c10d", "_c10d_functional", "_c10d_functional_autograd")
CUDA_ROUNDING = 512  # bytes: what PyTorch's allocator on GPUs rounds to; the CPU's does not


@dataclasses.dataclass(eq=False)
class Storage:
    """A block of memory, named after the tensor that made it."""

    name: str
    bytes: int
    is_resident: bool = False


@dataclasses.dataclass(eq=False)
class Op:
    """One kernel call of the joint graph; views are none."""

    node: torch.fx.Node
    reads: list
    makes: list
    is_forward: bool
    is_random: bool = False
    is_once: bool = False  # writes to what it reads
    mutates: list = dataclasses.field(default_factory=list)
    into: Storage | None = None  # what an op before it has made, and this one writes to: a sum in place
    workspace_bytes: int = 0  # what its kernel takes beside what it reads and makes
    launches: float = 1.0  # kernels that are started for it
    is_absent: bool = False  # what it reads never comes, so it does not run
    zeros_bytes: int = 0  # for what it reads that never comes, while it runs
    is_plain: bool = False  # its kernel takes nothing beside what it reads and makes

    @property
    def name(self):
        return self.node.name

    @property
    def nodes(self):
        """The calls that it stands for."""
        return [] if self.is_absent else [self.node]

    @property
    def moved_bytes(self):
        """What it reads and makes."""
        return 0 if self.is_absent else sum(storage.bytes for storage in (*self.reads, *self.makes))

    @property
    def is_collective(self):
        """One that all ranks call together."""
        return getattr(self.node.target, "namespace", "") in _COLLECTIVES


class StepGraph:
    """Ops in their order, and for each node the storage that its value lies in."""

    border = BORDER

    def __init__(self, module, primals, tangents, forward_outputs, backward_outputs):
        self.module = module
        self.graph = module.graph
        self.primals = primals
        self.tangents = tangents
        self.forward_outputs = forward_outputs
        self.backward_outputs = backward_outputs
        self.forward_descs = [None] * len(forward_outputs)
        self.backward_descs = [None] * len(backward_outputs)
        self.storage_of = {}
        self.storages = []
        self.ops = []
        self.has_cuda = any(_is_cuda(node.meta.get("val")) for node in self.graph.nodes)
        for node in self.graph.find_nodes(op="placeholder"):
            self._store(node, node.name, node.meta.get("val"), is_resident=node in primals)
        self.in_backward = backward_nodes(self.graph, tangents)
        self._read_ops()
        self.held_outputs = self.storages_in(self.forward_outputs)
        self.tangent_storages = self.storages_in(self.tangents)
        self.gradients = self.storages_in(self.backward_outputs)
        self.parameter_gradients = self.gradients
        self.by_name = {op.name: op for op in self.ops}
        self.storage_names = {storage.name for storage in self.storages}
        self.draws_again = False  # it stands for one whose backward draws numbers of the forward once more
        self.scales = []  # names of ops that multiply by the tangent what chunks of the loss have made
        self.lets_gradients_end = False  # those that come into the backward, after their last use in it
        self.is_before_others = False  # it is known when it is planned that more graphs of the step will come
        self.border_workspace_bytes = 0  # what other parts of the step hold between forward and backward of this one
        for op in self.ops:
            op.is_once |= any(storage in self.held_outputs for storage in op.makes)

    @classmethod
    def of_joint_graph(cls, module, num_fwd_outputs, is_leaf=lambda _index: True):
        """The graph that AOTAutograd gives its partitioner; ``is_leaf`` says which inputs keep their gradients."""
        _fix_numbers(module.graph)
        placeholders = module.graph.find_nodes(op="placeholder")
        tangents = [node for node in placeholders if torch_private.is_tangent(node)]
        primals = [node for node in placeholders if not torch_private.is_tangent(node)]
        forward, backward, forward_descs, backward_descs = torch_private.ends_of(
            module, num_fwd_outputs=num_fwd_outputs
        )
        made = cls(module, primals, tangents, forward, backward)
        made.forward_descs, made.backward_descs = forward_descs, backward_descs
        made.parameter_gradients = made.storages_in(
            node
            for node, desc in zip(backward, backward_descs, strict=True)
            if is_leaf(getattr(getattr(desc, "grad_of", None), "idx", None))
        )
        return made

    @classmethod
    def of_program(cls, program):
        """A traced program: its border is the op that makes the gradient of the loss."""
        nodes = {node.name: node for node in program.graph.nodes}
        by_phase = {True: [], False: []}
        for spec in program.outputs:
            by_phase[spec.kind in _FORWARD_OUTPUTS].append(nodes[spec.arg.name])
        primals = [item.node for item in program.inputs]
        border = next(node for node in by_phase[True][-1].users if _is_border(node))
        made = cls(program.module, primals, [border], by_phase[True], by_phase[False])
        made.border = border.name
        return made

    @property
    def gives_a_loss(self):
        """True where the forward gives one number alone."""
        values = [node.meta.get("val") for node in self.forward_outputs if isinstance(node, fx.Node)]
        return [value.numel() for value in values if isinstance(value, torch.Tensor)] == [1]

    @property
    def ends(self):
        """Storages that are held to the end of the step, or that nobody but the script ends."""
        incoming = [
            storage
            for storage, node in zip(map(self.storage_of.get, self.tangents), self.tangents, strict=True)
            if not self.lets_gradients_end or not is_large(node.meta["val"])
        ]
        return list(dict.fromkeys([*self.held_outputs, *incoming, *self.gradients]))

    def _store(self, node, name, value, is_resident=False):
        storage = Storage(name, self._extent(value), is_resident)
        self.storages.append(storage)
        if node is not None:
            self.storage_of[node] = storage
        return storage

    def _extent(self, value):
        return _allocated(value, int(value.untyped_storage().nbytes())) if isinstance(value, torch.Tensor) else 0

    def _read_ops(self):
        for node in self.graph.nodes:
            if node.op == "get_attr":
                self._store(node, node.name, getattr(self.module, node.target, None), is_resident=True)
            elif node.op == "call_function" and node not in self.storage_of:
                self._read_op(node)

    def _read_op(self, node):
        value = node.meta.get("val")
        is_list = isinstance(value, list | tuple)
        values = list(value) if is_list else [value]
        shared = self._shared(node)
        makes = []
        made = {}
        names = output_names(node)
        items = [user for user in node.users if user.target is operator.getitem] if is_list else []
        for index, tensor in enumerate(values):
            if index not in shared and isinstance(tensor, torch.Tensor):
                made[index] = self._store(None, names[index], tensor)
                if node.target in _LEAVE_LOSSES:
                    made[index].bytes = _allocated(tensor, node.args[0].meta["val"].nbytes)
                if not is_list:
                    made[index].name = node.meta.get("remat_value", node.name)
                makes.append(made[index])
        for item in items:
            storage = made.get(item.args[1]) or shared.get(item.args[1])
            if storage is not None:
                self.storage_of[item] = storage
        if not is_list and (made or shared):
            self.storage_of[node] = made.get(0) or shared[0]
        elif shared and not makes:
            self.storage_of[node] = next(iter(shared.values()))
        mutates = self._mutates(node)
        into = None
        if len(mutates) == 1 and not makes and not mutates[0].is_resident:
            into, mutates = mutates[0], []
        if makes or into or mutates or not shared:
            op = Op(
                node,
                self.storages_in(node.all_input_nodes),
                makes,
                node not in self.in_backward,
                draws(node.target, node.args, node.kwargs),
                bool(mutates) or not isinstance(node.target, OpOverload),
                mutates,
                into,
            )
            op.is_once |= op.is_collective
            self.ops.append(op)

    def _shared(self, node):
        """For each output by its position that shares storage with an input: that storage."""
        if not isinstance(node.target, OpOverload):
            return {}
        by_name = {source.name: source for source in node.all_input_nodes}
        names = output_names(node)
        found = aliases(node)
        if mutated_inputs(node):
            found = {names[0]: mutated_inputs(node)[0], **found}
        return {index: self.storage_of[by_name[found[name]]] for index, name in enumerate(names) if name in found}

    def _mutates(self, node):
        if not isinstance(node.target, OpOverload):
            return []
        names = mutated_inputs(node)
        return [self.storage_of[source] for source in node.all_input_nodes if source.name in names]

    def storages_in(self, nodes):
        found = (self.storage_of.get(node) for node in nodes if isinstance(node, torch.fx.Node))
        return list(dict.fromkeys(storage for storage in found if storage is not None))

    def draw_once(self):
        """Have random ops computed once, for compilers that cannot set the generator back."""
        for op in self.ops:
            op.is_once |= op.is_random

    def in_planned_order(self):
        """The ops in the order of the joint graph, those of the forward first, with None for the border."""
        return [*(op for op in self.ops if op.is_forward), None, *(op for op in self.ops if not op.is_forward)]

    def as_json(self, name):
        """The graph for the planner; the same for equal steps, whatever a process has compiled before."""
        numbers = {op.node: op.node.meta.get("seq_nr", -1) for op in self.ops}
        first = min((number for number in numbers.values() if number >= 0), default=0)
        ops = [
            {
                "name": op.name,
                "kind": getattr(op.node.target, "__name__", str(op.node.target)).split(".")[0],
                **costs.work_of(op),
                "inputs": [storage.name for storage in op.reads],
                "outputs": [{"name": storage.name, "bytes": storage.bytes} for storage in op.makes],
                "workspace_bytes": op.workspace_bytes,
                "phase": "forward" if op.is_forward else "backward",
                "module": module_of(op.node),
                "sequence": max(numbers[op.node] - first, -1),
                "random": op.is_random,
                "compute_once": op.is_once,
                **({"into": op.into.name} if op.into else {}),
            }
            if op
            else {
                "name": BORDER,
                "kind": "border",
                "moved_bytes": 0,
                "launches": 0,
                "inputs": [storage.name for storage in self.held_outputs],
                "outputs": [{"name": storage.name, "bytes": storage.bytes} for storage in self.tangent_storages],
                "workspace_bytes": self.border_workspace_bytes,
                "phase": "loss",
                "compute_once": True,
            }
            for op in self.in_planned_order()
        ]
        residents = [storage for storage in self.storages if storage.is_resident]
        return {
            "format": "remat-graph/1",
            "name": name,
            "inputs": [{"name": storage.name, "bytes": storage.bytes, "kind": "input"} for storage in residents],
            "ops": ops,
            "outputs": [storage.name for storage in self.ends if not storage.is_resident],
        }


def _fix_numbers(graph):
    """Numbers that stand in the graph as nodes are constants here: each shape is planned by itself."""
    for node in list(graph.nodes):
        value = node.meta.get("val")
        if node.op != "output" and isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool | int | float):
            number = value if isinstance(value, int | float) else _number(value)
            for user in list(node.users):
                if user.op != "output":
                    user.args = torch.fx.map_arg(user.args, lambda a, n=node, v=number: v if a is n else a)
                    user.kwargs = torch.fx.map_arg(user.kwargs, lambda a, n=node, v=number: v if a is n else a)
            if node.op != "placeholder" and not node.users:
                graph.erase_node(node)


def _number(value):
    if isinstance(value, torch.SymBool):
        return bool(value)
    return int(value) if isinstance(value, torch.SymInt) else float(value)


def draws(func, args, kwargs):
    """True for an op that takes random numbers: attention that drops nothing takes none, whatever its tag says."""
    if torch.Tag.nondeterministic_seeded not in getattr(func, "tags", ()):
        return False
    names = [argument.name for argument in func._schema.arguments]
    given = dict(zip(names, args, strict=False)) | kwargs
    return "dropout_p" not in names or given.get("dropout_p", 0.0) != 0


def _allocated(value, extent):
    return -(-extent // CUDA_ROUNDING) * CUDA_ROUNDING if value.device.type == "cuda" else extent


def _is_border(node):
    return node.target is _ATEN.ones_like.default and node.meta.get("partitioner_tag") == "is_backward"


def _is_cuda(value):
    values = value if isinstance(value, list | tuple) else [value]
    return any(isinstance(v, torch.Tensor) and v.device.type == "cuda" for v in values)
