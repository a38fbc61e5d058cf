"""Moves a model and its arguments to a device."""

import torch
from torch.utils import _pytree as pytree

from .errors import TraceError


def to_device(model, args, device):
    """The model and the arguments on the device."""
    if device == "cuda" and not torch.cuda.is_available():
        raise TraceError("There is no CUDA device here; trace with --device cpu, or on a machine with a GPU.")
    moved = pytree.tree_map(lambda leaf: leaf.to(device) if isinstance(leaf, torch.Tensor) else leaf, args)
    return model.to(device), moved
