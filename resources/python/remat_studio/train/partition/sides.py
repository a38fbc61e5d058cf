# SPDX-License-Identifier: Apache-2.0
"""The forward and the backward graph of a step while they are written, and what the first saves for the second."""

from torch import fx

from ... import torch_private

_META = ("val", "tensor_meta", "stack_trace", "nn_module_stack", "seq_nr", "custom", "remat_origin")


class Sides:
    """Two graphs, of which ``now`` is the one that is being written: the forward until ``cross``."""

    def __init__(self, step_graph):
        self.forward, self.backward = fx.Graph(), fx.Graph()
        self.now = self.forward
        self.tangents = {}  # gradients of the forward's outputs: nodes of the step to nodes of the backward
        self.outside_bytes = 0  # held beside the plan: generator states, old values of inputs, copies on a CPU
        self.state_bytes = 0  # of these, generator states in the memory of the device
        self._source = step_graph
        self._saved = []  # nodes of the forward, in the order of the backward's placeholders
        self._constants = {}

    def cross(self):
        """From here on the backward is written."""
        self.now = self.backward
        self.tangents = {node: self.placeholder(node) for node in self._source.tangents}

    def placeholder(self, node):
        return like(node, self.now.placeholder(node.name))

    def constant(self, node):
        key = (self.now, node)
        if key not in self._constants:
            self._constants[key] = self.now.node_copy(node)
        return self._constants[key]

    def save(self, node, name):
        """Hand a value of the forward to the backward."""
        self._saved.append(node)
        with self.backward.inserting_before(next(iter(self.tangents.values()))):
            return like(node, self.backward.placeholder(name))

    def here(self, values, name):
        """The one of ``values``, a dict from sides to nodes, on the side that is written; saved where it has none."""
        if self.now not in values:
            values[self.now] = self.save(values[self.forward], name)
        return values[self.now]

    def finish(self, forward_values, gradients):
        """Write the outputs of both graphs, with AOTAutograd's descriptions of them."""
        saved = [torch_private.SavedForBackwardsAOTOutput(i) for i in range(len(self._saved))]
        _finish(self.backward, gradients, list(self._source.backward_descs))
        _finish(self.forward, [*forward_values, *self._saved], [*self._source.forward_descs, *saved])

    def fake_mode(self):
        """The mode in which values of the step are made that have shapes and no numbers."""
        values = (node.meta.get("val") for node in self._source.graph.nodes)
        return next(value.fake_mode for value in values if isinstance(value, torch_private.FakeTensor))


def like(source, target):
    """``target``, which computes what ``source`` does, with what is known of that."""
    target.meta.update({key: source.meta[key] for key in _META if key in source.meta})
    return target


def _finish(graph, values, descs):
    graph.output(tuple(values)).meta["desc"] = descs
    graph.lint()
