# SPDX-License-Identifier: Apache-2.0
"""Copies to host memory and back, in the plan's order: on a GPU by streams of their own, beside what is computed."""

import torch

_LANES = {}  # device -> its Lanes


def to_host(value):
    """A copy in host memory, of the same strides; of a tensor on the CPU in another block of memory."""
    pinned = value.device.type == "cuda"
    host = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, pin_memory=pinned)
    return _begin(value, host, _lanes(value.device), "out")


def to_device(host, device):
    """The copy back on its device."""
    value = torch.empty_strided(host.shape, host.stride(), dtype=host.dtype, device=device)
    return _begin(host, value, _lanes(value.device), "back")


def wait_for(target, source):
    """Has what is computed from here on wait until a copy has ended; both of its ends are held until then."""
    lanes = _lanes(source.device if target.device.type == "cpu" else target.device)
    if lanes is not None:
        lanes.wait(target)


class Lanes:
    """The two streams of a GPU that copy, one each way as its copy engines do, and the copies that may still run.

    Memory is taken and given up in the order of the stream that computes: a copy waits for what that stream has been
    told before, and who reads, overwrites or gives up what is copied calls ``wait`` first.
    """

    def __init__(self, device):
        self.out, self.back = torch.cuda.Stream(device), torch.cuda.Stream(device)
        self._device = device
        self._ends = {}  # address of what is copied to -> event of its end

    def copy(self, stream, source, target):
        """Begin a copy on one of the two streams."""
        stream.wait_stream(torch.cuda.current_stream(self._device))
        end = self._ends.get(source.data_ptr())
        if end is not None:
            stream.wait_event(end)
        with torch.cuda.stream(stream):
            target.copy_(source, non_blocking=True)
        self._ends[target.data_ptr()] = stream.record_event()

    def wait(self, target):
        """Have the stream that computes wait for the copy to ``target``."""
        end = self._ends.pop(target.data_ptr(), None)
        if end is not None:
            torch.cuda.current_stream(self._device).wait_event(end)


def _begin(source, target, lanes, way):
    """Copies, at once where there are no streams; returns the target."""
    if lanes is None:
        return target.copy_(source)
    lanes.copy(getattr(lanes, way), source, target)
    return target


def _lanes(device):
    """The lanes of a GPU; None for a CPU, which copies at once."""
    if not _has_streams(device):
        return None
    if device not in _LANES:
        _LANES[device] = Lanes(device)
    return _LANES[device]


def _has_streams(device):
    return device.type == "cuda"
