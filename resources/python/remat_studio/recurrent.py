# SPDX-License-Identifier: Apache-2.0
"""Notes where an LSTM is captured step by step, which eager mode runs by one kernel of oneDNN's."""

import contextlib

import torch

from .torch_private import DispatchKey

SENTENCE = (
    "Eager mode runs an LSTM on this CPU by one kernel of oneDNN's, which cannot be planned: it is planned and runs as "
    "its single steps, and a percentage is of what these hold. Give the budget in bytes to hold it against eager mode."
)
_LSTM = torch.ops.aten.lstm.input
_KEYS = (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd)
_KINDS = (torch.float32, torch.bfloat16, torch.float16)


@contextlib.contextmanager
def steps_noted(has_onednn):
    """While this is open, the list that it gives has an entry for each such LSTM; ``has_onednn`` is of eager mode."""
    noted = []

    def run(data, states, *rest):
        state, cell = states
        is_projected = state.shape[-1] != cell.shape[-1]  # which the kernel does not know
        if has_onednn and data.device.type == "cpu" and data.dtype in _KINDS and not is_projected:
            noted.append(_LSTM)
        return _LSTM._op_dk(_KEYS[1], data, states, *rest)

    for key in _KEYS:
        _LSTM.py_kernels[key] = run
    _LSTM._dispatch_cache.clear()
    try:
        yield noted
    finally:
        for key in _KEYS:
            del _LSTM.py_kernels[key]
        _LSTM._dispatch_cache.clear()
