# SPDX-License-Identifier: Apache-2.0
"""CUDA's streams on a machine without CUDA: a copy on one is made as late as events allow, and not a moment before."""

import weakref

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class GivenUpError(AssertionError):
    """Memory was given up while a copy still reads or writes it."""


class Stream:
    """Work that is done in order, once somebody waits for it."""

    def __init__(self, _device=None):
        self._work = []
        self._done = 0

    @property
    def waiting(self):
        """Copies that nobody has waited for."""
        return len(self._work) - self._done

    def tell(self, work):
        self._work.append(work)

    def wait_stream(self, other):
        if isinstance(other, Stream):
            self.tell(other.record_event().finish)

    def wait_event(self, event):
        self.tell(event.finish)

    def record_event(self):
        return _Event(self, len(self._work))

    def run_to(self, end):
        while self._done < end:
            self._done += 1
            self._work[self._done - 1]()


class _Event:
    def __init__(self, stream, end):
        self._stream, self._end = stream, end

    def finish(self):
        self._stream.run_to(self._end)


class _Computing:
    """The stream that computes: a CPU, which has done all that it was told."""

    def wait_event(self, event):
        event.finish()


class _Later(TorchDispatchMode):
    """Copies are told to a stream, and what they write to is no number until then."""

    def __init__(self, stream):
        super().__init__()
        self._stream = stream

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        assert func is torch.ops.aten.copy_.default, func
        target, source = args[:2]
        target.fill_(float("nan"))
        ends = weakref.ref(target), weakref.ref(source)

        def copy():
            written, read = (end() for end in ends)
            if written is None or read is None:
                raise GivenUpError("a copy was still to be made when one end of it was given up")
            with torch.no_grad():
                written.copy_(read)

        self._stream.tell(copy)
        return target


def on_a_cpu(monkeypatch, copies):
    """Streams in which a CPU copies; gives the lanes that are made, by device."""
    lanes = {}
    monkeypatch.setattr(copies, "_LANES", lanes)
    monkeypatch.setattr(copies, "_has_streams", lambda device: True)
    monkeypatch.setattr(torch.cuda, "Stream", Stream)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device=None: _Computing())
    monkeypatch.setattr(torch.cuda, "stream", _Later)
    return lanes
