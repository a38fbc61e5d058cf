"""Random ops that are computed again draw the same numbers: the generator's state is recorded before they first run."""

import torch


def record(device_type, index):
    """The state of the device's generator, as a tensor."""
    return torch.cuda.get_rng_state(index) if device_type == "cuda" else torch.get_rng_state()


def replay(state, device_type, index, target, args, kwargs):
    """Call the op with the generator in a recorded state, and leave the generator as it was."""
    before = record(device_type, index)
    _set(device_type, index, state)
    try:
        return target(*args, **kwargs)
    finally:
        _set(device_type, index, before)


def _set(device_type, index, state):
    if device_type == "cuda":
        torch.cuda.set_rng_state(state, index)
    else:
        torch.set_rng_state(state)


def device_of(node):
    """Type and index of the device that a random op draws on."""
    value = node.meta["val"]
    tensors = value if isinstance(value, list | tuple) else [value]
    device = next(tensor.device for tensor in tensors if isinstance(tensor, torch.Tensor))
    return device.type, device.index
