# SPDX-License-Identifier: Apache-2.0
"""Lives of storages: each begins with a computation and ends with a free, on one side or across the border."""

import contextlib

from ..errors import PlanError
from .sides import like


class Life:
    """``tensors`` has its values on each side: nodes of the step to nodes of that side's graph."""

    def __init__(self, side, tensors):
        self.tensors = {side: tensors}
        self.side = side


class Lives:
    """What is held while the steps of a plan are played."""

    def __init__(self, step_graph, sides):
        self.held = {}
        self._ended = {}  # the last life of each storage that was freed
        self._storage_of = step_graph.storage_of
        self._sides = sides
        self._written = {op.node: op.node.args[0] for op in step_graph.ops if not op.makes and (op.mutates or op.into)}

    def begin(self, storage, tensors):
        self.held[storage] = Life(self._sides.now, tensors)

    def end(self, storage):
        self._ended[storage] = self.held.pop(storage, None)

    def has_ended(self, storage):
        return storage not in self.held and self._ended.get(storage) is not None

    @contextlib.contextmanager
    def brought_back(self, storages):
        """The last lives of storages that were freed, held once more."""
        self.held.update((storage, self._ended[storage]) for storage in storages)
        yield
        for storage in storages:
            del self.held[storage]

    def value(self, node):
        """The node's value on the side that is written: made there, saved for the backward, or a view made anew."""
        if node.op == "get_attr":
            return self._sides.constant(node)
        storage = self._storage_of.get(node)
        life = self.held.get(storage)
        if life is None:
            raise PlanError(f"The plan reads {node.name} after it was freed; make the plan again.")
        here = life.tensors.setdefault(self._sides.now, {})
        if node not in here:
            made = life.tensors[life.side]
            if node in self._written:
                here[node] = self.value(self._written[node])
            elif self._sides.now is not life.side and node in made and not self.is_view(node):
                here[node] = self._sides.save(made[node], node.name)
            else:
                here[node] = self.copy(node)
        return here[node]

    def copy(self, node):
        """The call of ``node`` once more, on the values of the side that is written."""
        new = self._sides.now.node_copy(node, self.value)
        new.meta = {}
        return like(node, new)

    def is_view(self, node):
        """Made from another tensor of the same storage."""
        storage = self._storage_of[node]
        return node.op == "call_function" and any(
            self._storage_of.get(source) is storage for source in node.all_input_nodes
        )
