# SPDX-License-Identifier: Apache-2.0
"""Moves a model and its arguments to a device."""

import torch

from .errors import TraceError
from .torch_private import pytree


def to_device(model, args, device):
    """The model and the arguments on the device."""
    if device.startswith("cuda") and not torch.cuda.is_available():
        raise TraceError("There is no CUDA device here; trace with --device cpu, or on a machine with a GPU.")
    there = torch.cuda.device_count()
    if device.startswith("cuda:") and torch.device(device).index >= there:
        raise TraceError(f"There is no {device} here: PyTorch sees {there} GPU(s), cuda:0 first. Name another.")
    moved = pytree.tree_map(lambda leaf: leaf.to(device) if isinstance(leaf, torch.Tensor) else leaf, args)
    return model.to(device), moved
