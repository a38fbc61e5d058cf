# SPDX-License-Identifier: Apache-2.0
"""Missed budgets that are said when a step has shown them, or at the end where no such step comes."""

import collections

from .. import sizes, warned
from . import ranks
from .telling import tell

_MEASURED_BY = 2  # steps: the second one is measured
_FURTHER = " Further plans miss their budgets, too: {}, of {} and more; records() has them."


class Untold:
    """Sentences on plans, by what these are for, until it is known that they are true of the step."""

    def __init__(self):
        self._sentences = {}
        self._peaks = {}  # bytes that steps hold by these plans
        self._steps = collections.Counter()  # key -> backwards of its graph since it was planned
        self._warn = warned.later()

    def __bool__(self):
        return bool(self._sentences)

    def add(self, key, sentence, peak_bytes):
        """A plan misses its budget; on rank 0 only, since at the end no ranks may be left to ask."""
        if ranks.is_first():
            self._sentences[key] = sentence
            self._peaks[key] = peak_bytes

    def drop(self, key):
        """It is known, and said elsewhere, whether the step holds the budget."""
        self._sentences.pop(key, None)
        self._steps.pop(key, None)

    def drop_functions(self, codes):
        """The same of graphs, by (code, sizes), for all sizes of these functions."""
        for key in [key for key in self._sentences if key[0] in codes]:
            self.drop(key)

    def ran(self, keys):
        """A backward of what these plans are for is over; gives those of them that wait."""
        waiting = [key for key in self._sentences if key in keys]
        self._steps.update(waiting)
        return waiting

    def may_be_measured(self, key):
        """Whether a measured step of a graph may still come."""
        return self._steps[key] <= _MEASURED_BY

    def say(self, key):
        """Say it now."""
        tell(self._sentences[key], self)
        self.drop(key)

    def say_all(self):
        """Nothing more comes: say what was true of a step, and of several the largest one."""
        ran = sorted((key for key in self._sentences if self._steps[key]), key=self._peaks.get)
        if ran:
            sentence = self._sentences[ran[-1]]
            if ran[1:]:
                sentence += _FURTHER.format(len(ran) - 1, sizes.size_text(self._peaks[ran[0]]))
            tell(sentence, self, self._warn)
        self._sentences.clear()
