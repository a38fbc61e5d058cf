# SPDX-License-Identifier: Apache-2.0
"""Says on a terminal what a long trace is doing."""

import sys
import time

PATIENCE_SECONDS = 3.0  # nothing is said before
_EVERY_SECONDS = 0.25


class Progress:
    """One line that is written over, from the third second on, and gone at the end; nothing where nobody looks."""

    def __init__(self, stream=None, clock=time.monotonic):
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._begin = clock()
        self._next = PATIENCE_SECONDS
        self._count = 0
        self._width = 0

    def ran(self):
        """An operator ran on stand-ins."""
        self._count += 1
        self._show(f"{self._count:,} operators of forward and backward")

    def writes(self):
        """What was captured is written now."""
        self._show("writing the trace")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._width:
            self._write("")

    def _show(self, what):
        passed = self._clock() - self._begin
        if passed >= self._next and self._stream.isatty():
            self._next = passed + _EVERY_SECONDS
            self._write(f"remat_studio.trace: {what}, {passed:.0f} s")

    def _write(self, text):
        self._stream.write(f"\r{text.ljust(self._width)}{'' if text else chr(13)}")
        self._stream.flush()
        self._width = len(text)
