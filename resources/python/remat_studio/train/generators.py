# SPDX-License-Identifier: Apache-2.0
"""Random ops that are computed again draw the same numbers: the generator's state is recorded before they first run."""

import contextlib
import threading

import torch

_lock = threading.RLock()  # all threads of a process share its generators


def state(device_type, index):
    """The state of the device's generator, as a tensor."""
    return torch.cuda.get_rng_state(index) if device_type == "cuda" else torch.get_rng_state()


def record(recorded, device_type, index, target, args, kwargs):
    """Call the op, and leave the generator's state before it in ``recorded``."""
    with _lock:
        recorded.copy_(state(device_type, index))
        return target(*args, **kwargs)


def replay(recorded, device_type, index, target, args, kwargs):
    """Call the op with the generator in the recorded state, and leave the generator as it was."""
    with _lock:
        before = state(device_type, index)
        _set(device_type, index, recorded)
        try:
            return target(*args, **kwargs)
        finally:
            _set(device_type, index, before)


def kept(devices):
    """States of generators for ``as_in``: bytes of Python, so that a step whose memory is planned holds no tensor more."""
    return [(device, bytearray(state(*device).numpy())) for device in devices]


@contextlib.contextmanager
def as_in(states):
    """Generators are in these ``kept`` states, and as they were afterwards."""
    with _lock:
        before = [(device, state(*device)) for device, _ in states]
        for device, value in states:
            _set(*device, torch.frombuffer(value, dtype=torch.uint8))
        try:
            yield
        finally:
            for device, value in before:
                _set(*device, value)


def _set(device_type, index, value):
    if device_type == "cuda":
        torch.cuda.set_rng_state(value, index)
    else:
        torch.set_rng_state(value)


def device_of(node):
    """Type and index of the device that a random op draws on."""
    value = node.meta["val"]
    tensors = value if isinstance(value, list | tuple) else [value]
    device = next(tensor.device for tensor in tensors if isinstance(tensor, torch.Tensor))
    return device.type, device.index
