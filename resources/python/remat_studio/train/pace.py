# SPDX-License-Identifier: Apache-2.0
"""How long further sizes of a step are planned for: in the long run no longer than everything else takes."""

import contextlib
import time

_LEAST_SHARE = 0.1  # of the time limit: halved with each size down to this


class Pace:
    """Counts the seconds that a step function was planned for, and those that went into all else since the first plan.

    All else is training: what runs, loads data, and compiles.
    """

    def __init__(self, now=time.perf_counter):
        self._now = now
        self._begin = None
        self._planned = 0.0  # for all sizes
        self._planned_further = 0.0  # for those after the first

    @contextlib.contextmanager
    def planning(self, size):
        """Around the planning of the size with this number, from 1 on."""
        begin = self._now()
        if self._begin is None:
            self._begin = begin
        try:
            yield
        finally:
            taken = self._now() - begin
            self._planned += taken
            self._planned_further += taken if size > 1 else 0

    def seconds(self, limit, size, has_start):
        """For how long to look for a plan of the size with this number.

        That is the limit for the first one and half as long for each further one, down to a tenth. Where an equal step
        of another size was planned, ``has_start``, it is no more than training has taken so far beyond such planning.
        """
        most = limit * max(0.5 ** (size - 1), _LEAST_SHARE)
        if not has_start:
            return most
        trained = self._now() - self._begin - self._planned
        return min(most, max(trained - self._planned_further, 0.0))
