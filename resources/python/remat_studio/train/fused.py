# SPDX-License-Identifier: Apache-2.0
"""A step as fused kernels run it: ops whose values never leave their kernel are one op for the planner."""

import collections
import copy
import dataclasses

import networkx
import torch

from .. import torch_private
from ..torch_private import pytree
from .step_graph import Op

_ALIKE = 4  # ops of one kernel go over numbers of elements that differ by at most this factor


@dataclasses.dataclass(eq=False)
class Group(Op):
    """Ops of one kernel that are computed together, since what one makes only the others read."""

    members: list = dataclasses.field(default_factory=list)
    moved: int = 0  # bytes that it makes, and reads beside what its own kernel has made

    @property
    def nodes(self):
        """The calls of all members."""
        return [op.node for op in self.members]

    @property
    def moved_bytes(self):
        """What goes to memory and comes from there."""
        return self.moved


class FusedGraph:
    """A StepGraph for the planner, ``graph``, whose ops are groups; plans for it are written out again as ops."""

    def __init__(self, graph):
        self._inner = {}  # op -> storages that end with it inside of its group
        self._kernel_of = _kernels(graph)
        self._maker = {storage: op for op in graph.ops for storage in op.makes}
        inner = self._inner_storages(graph)
        groups = _groups(graph, self._maker, inner)
        parts = collections.Counter(self._kernel_of[members[0]] for members in groups)
        self.graph = copy.copy(graph)
        self.graph.ops = [self._group(members, inner, parts) for members in groups]
        self.graph.by_name = {op.name: op for op in self.graph.ops}
        self.graph.storages = [storage for storage in graph.storages if storage not in inner]

    def kernels(self):
        """The ops of each kernel, in their order."""
        found = {}
        for op, kernel in self._kernel_of.items():
            found.setdefault(kernel, []).append(op)
        return list(found.values())

    def expanded(self, steps):
        """The steps of a plan for the StepGraph."""
        made = []
        for step in steps:
            group = self.graph.by_name.get(step.get("op"))
            if group is None:
                made.append(step)
            for op in group.members if group else ():
                made.append({"do": "compute", "op": op.name})
                made += [{"do": "free", "storage": storage.name} for storage in self._inner.get(op, ())]
        return made

    def _inner_storages(self, graph):
        """Readers of each storage that never leaves the kernel which makes it."""
        readers = {}
        for op in graph.ops:
            for storage in op.reads:
                readers.setdefault(storage, []).append(op)
        for storage in (*graph.held_outputs, *graph.gradients):
            readers.pop(storage, None)
        return {
            storage: ops
            for storage, ops in readers.items()
            if storage in self._maker and len({self._kernel_of[op] for op in (self._maker[storage], *ops)}) == 1
        }

    def _group(self, members, inner, parts):
        last_reader = {storage: op for op in members for storage in op.reads if storage in inner}
        for storage, op in last_reader.items():
            self._inner.setdefault(op, []).append(storage)
        kernel = self._kernel_of[members[0]]
        makes = [storage for op in members for storage in op.makes if storage not in inner]
        own = {storage for op in members for storage in op.makes}
        reads = list(dict.fromkeys(storage for op in members for storage in op.reads if storage not in own))
        loaded = [storage for storage in reads if self._kernel_of.get(self._maker.get(storage)) != kernel]
        last = members[-1]
        return Group(
            last.node,
            reads,
            makes,
            last.is_forward,
            is_random=any(op.is_random for op in members),
            is_once=any(op.is_once for op in members),
            mutates=last.mutates,  # what writes in place is alone
            into=last.into,
            workspace_bytes=max(op.workspace_bytes for op in members),
            members=members,
            moved=sum(storage.bytes for storage in (*makes, *loaded)),
            launches=1 / parts[kernel],  # a kernel may be several groups
        )


def _kernels(graph):
    """The kernel of each op, a number: an op joins one that makes what it reads, in the order of the graph."""
    maker, kernel_of, before = {}, {}, {}
    bits, sizes = [], []  # of each kernel: its ops, and the elements it goes over; None where nothing joins
    for index, op in enumerate(graph.ops):
        sources = [maker[storage] for storage in dict.fromkeys(op.reads) if storage in maker]
        before[op] = 1 << index
        for source in sources:
            before[op] |= before[source]
        size = _elements(op)
        is_fusible = _is_fusible(op)
        for source in sources if is_fusible else ():
            kernel = kernel_of[source]
            outside = (each for each in sources if kernel_of[each] != kernel)
            is_alike = source.is_forward == op.is_forward and _is_alike(size, sizes[kernel], source)
            if is_alike and not any(before[each] & bits[kernel] for each in outside):
                break
        else:
            kernel = len(bits)
            bits.append(0)
            sizes.append(size if is_fusible else None)
        bits[kernel] |= 1 << index
        kernel_of[op] = kernel
        maker.update(dict.fromkeys(op.makes, op))
    return kernel_of


def _is_alike(size, kernel_size, source):
    """True where one kernel can go over both numbers of elements; what a reduction gives is worked on in its kernel."""
    if not kernel_size:
        return False
    return max(size, kernel_size) <= _ALIKE * min(size, kernel_size) or size == _made_elements(source.node)


def _groups(graph, maker, inner):
    """Lists of ops, in an order that can be computed: makers with all readers of what stays inside, without circles."""
    index = {op: i for i, op in enumerate(graph.ops)}
    edges = networkx.DiGraph()
    edges.add_nodes_from(graph.ops)
    writer = {}
    for op in graph.ops:
        edges.add_edges_from((writer[storage], op) for storage in op.reads if storage in writer)
        writer.update(dict.fromkeys((*op.makes, op.into), op))
    for storage, readers in inner.items():  # there and back, which makes them one component
        edges.add_edges_from((op, maker[storage]) for op in readers)
    condensed = networkx.condensation(edges)
    members = {part: sorted(ops, key=index.get) for part, ops in condensed.nodes(data="members")}
    order = networkx.lexicographical_topological_sort(condensed, key=lambda part: index[members[part][0]])
    return [members[part] for part in order]


def _is_fusible(op):
    alone = op.is_once or op.is_random or op.mutates or op.into
    return not alone and torch_private.is_fusible(op.node.target)


def _elements(op):
    return max(map(_made_elements, (op.node, *op.node.all_input_nodes)))


def _made_elements(node):
    tensors = [value for value in pytree.tree_leaves(node.meta.get("val")) if isinstance(value, torch.Tensor)]
    return max((tensor.numel() for tensor in tensors), default=0)
