# SPDX-License-Identifier: Apache-2.0
"""Loops over a sequence in place of parallel scans, where a library has scans for compiled code alone.

Mamba models of ``transformers`` run a loop in eager mode, and a parallel scan where Dynamo compiles: a scan adds up in
another order, and holds more for the backward.
"""

import torch

from .. import torch_private

MOST_STEPS = 512  # of all tensors that are scanned in a graph: as loops, they are some 4000 operators of it


def begin_again(module):
    """Where the scans of a graph of Dynamo's are short, have it captured once more, with loops where eager mode has them.

    Does not return then. A scan that eager mode runs as well is there again.
    """
    steps = sum(map(_steps, module.graph.nodes))
    if 0 < steps <= MOST_STEPS:
        torch_private.capture_without_scans()


def _steps(node):
    """How many steps a tensor is scanned in, where a node lays it out for that."""
    line = (node.meta.get("stack_trace") or "").rstrip().rpartition("\n")[2]
    is_laid_out = node.target is torch.movedim and node.args[2] == 0 and "associative_scan(" in line
    return int(node.meta["example_value"].shape[0]) if is_laid_out else 0
