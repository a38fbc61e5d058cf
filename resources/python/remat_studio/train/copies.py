# SPDX-License-Identifier: Apache-2.0
"""Copies to host memory and back, in the plan's order: on a GPU by the stream that computes, and pinned memory."""

import torch


def to_host(value):
    """A copy in host memory, of the same strides; of a tensor on the CPU in another block of memory."""
    pinned = value.device.type == "cuda"
    host = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, pin_memory=pinned)
    return host.copy_(value, non_blocking=True)


def to_device(host, device):
    """The copy back on its device."""
    value = torch.empty_strided(host.shape, host.stride(), dtype=host.dtype, device=device)
    return value.copy_(host, non_blocking=True)
