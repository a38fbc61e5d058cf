# SPDX-License-Identifier: Apache-2.0
"""New values of buffers as copies, so that the op which computes them beside much else can be computed again."""

import operator

import torch

_CLONE = torch.ops.aten.clone.default


def copied(graph, count):
    """Copy those of the first ``count`` outputs of a joint graph that are one of several results of an op.

    What is given out is computed once. With the statistics of a batch that would be the whole batch norm.
    """
    output = graph.output_node()
    ends = list(output.args[0])
    for index, value in enumerate(ends[:count]):
        if isinstance(value, torch.fx.Node) and value.target is operator.getitem:
            with graph.inserting_after(value):
                ends[index] = graph.call_function(_CLONE, (value,))
            ends[index].meta = {**value.meta, "val": value.meta["val"].clone()}
    output.args = (type(output.args[0])(ends), *output.args[1:])
