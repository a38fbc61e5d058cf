# SPDX-License-Identifier: Apache-2.0
"""Offloads and prefetches of a plan: copies of storages in host memory, and where the step waits for them."""

import torch

from .. import copies
from ..errors import PlanError
from .sides import like


class Moves:
    def __init__(self, sides, lives):
        self._sides, self._lives = sides, lives
        self._parked = {}  # the last copy in host memory of each storage, and the nodes whose value it is
        self._leaving = {}  # storages whose copy to the host may still run -> its target and its source
        self._arriving = {}  # storages whose copy from the host may still run -> likewise

    def offload(self, storage):
        _refuse_resident(storage)
        self.wait_to_read(storage)
        held = self._lives.held[storage].tensors.values()
        nodes = [node for node in dict.fromkeys(node for each in held for node in each) if not self._lives.is_view(node)]
        value = self._lives.value(nodes[0])
        host = self._sides.now.call_function(copies.to_host, (value,))
        fake = nodes[0].meta["val"]
        with fake.fake_mode:
            host.meta["val"] = torch.empty_strided(fake.shape, fake.stride(), dtype=fake.dtype)
        if fake.device.type == "cpu" and storage not in self._parked:
            self._sides.outside_bytes += storage.bytes  # the memory that it leaves is the memory that it goes to
        self._parked[storage] = ({self._sides.now: host}, nodes)
        self._leaving[storage] = host, value

    def prefetch(self, storage):
        _refuse_resident(storage)
        parked, nodes = self._parked[storage]
        host = self._sides.here(parked, f"{storage.name}_host")
        new = self._sides.now.call_function(copies.to_device, (host, nodes[0].meta["val"].device))
        self._lives.begin(storage, dict.fromkeys(nodes, like(nodes[0], new)))
        self._arriving[storage] = new, host

    def wait_to_read(self, storage):
        """The step waits here until the storage is back."""
        if storage in self._arriving:
            self._sides.now.call_function(copies.wait_for, self._arriving.pop(storage))

    def wait_to_end(self, storage):
        """The step waits here until no copy reads or writes the storage, which is to be freed or written to."""
        self.wait_to_read(storage)
        if storage in self._leaving:
            self._sides.now.call_function(copies.wait_for, self._leaving.pop(storage))

    def wait_for_all(self):
        """The step waits here for all copies: no other side knows of them."""
        for storage in [*self._arriving, *self._leaving]:
            self.wait_to_end(storage)


def _refuse_resident(storage):
    if storage.is_resident:
        raise PlanError(
            f"The plan moves {storage.name} to host memory, and parameters and inputs of a step in training stay "
            "where they are; plan without planned parameters."
        )
