# SPDX-License-Identifier: Apache-2.0
"""Random ops that a plan computes more than once: later computations draw the numbers of the first."""

import torch
from torch import fx

from .. import generators
from .sides import like


class Draws:
    def __init__(self, sides, lives):
        self._sides, self._lives = sides, lives
        self._states = {}  # per op the generator's state before its first computation, on each side

    def call(self, op):
        """The call of the op, which leaves the generator's state or begins from it."""
        node, device = op.node, generators.device_of(op.node)
        call = generators.replay if op.name in self._states else generators.record
        state = self._state(op, device)
        args, kwargs = fx.map_arg((node.args, node.kwargs), self._lives.value)
        return like(node, self._sides.now.call_function(call, (state, *device, node.target, args, kwargs)))

    def _state(self, op, device):
        if op.name in self._states:
            return self._sides.here(self._states[op.name], f"{op.name}_state")
        state = self._sides.now.call_function(generators.state, device)
        length = generators.state(*device).numel()
        with self._sides.fake_mode():
            state.meta["val"] = torch.empty(length, dtype=torch.uint8)
        self._sides.outside_bytes += length
        self._sides.state_bytes += length if device[0] == "cpu" else 0  # of other devices, they lie in host memory
        self._states[op.name] = {self._sides.now: state}
        return state
