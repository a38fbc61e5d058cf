# SPDX-License-Identifier: Apache-2.0
"""Offloads and prefetches of a plan: copies of storages in host memory."""

import torch

from .. import copies
from ..errors import PlanError
from .sides import like


class Moves:
    def __init__(self, sides, lives):
        self._sides, self._lives = sides, lives
        self._parked = {}  # the last copy in host memory of each storage, and the nodes whose value it is

    def offload(self, storage):
        _refuse_resident(storage)
        held = self._lives.held[storage].tensors.values()
        nodes = [node for node in dict.fromkeys(node for each in held for node in each) if not self._lives.is_view(node)]
        host = self._sides.now.call_function(copies.to_host, (self._lives.value(nodes[0]),))
        value = nodes[0].meta["val"]
        with value.fake_mode:
            host.meta["val"] = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype)
        if value.device.type == "cpu" and storage not in self._parked:
            self._sides.outside_bytes += storage.bytes  # the memory that it leaves is the memory that it goes to
        self._parked[storage] = ({self._sides.now: host}, nodes)

    def prefetch(self, storage):
        _refuse_resident(storage)
        parked, nodes = self._parked[storage]
        host = self._sides.here(parked, f"{storage.name}_host")
        new = self._sides.now.call_function(copies.to_device, (host, nodes[0].meta["val"].device))
        self._lives.begin(storage, dict.fromkeys(nodes, like(nodes[0], new)))


def _refuse_resident(storage):
    if storage.is_resident:
        raise PlanError(
            f"The plan moves {storage.name} to host memory, and parameters and inputs of a step in training stay "
            "where they are; plan without planned parameters."
        )
