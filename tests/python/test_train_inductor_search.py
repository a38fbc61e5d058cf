# SPDX-License-Identifier: Apache-2.0
"""How the search for a cut with Inductor's kernels goes on where no cut holds the budget."""

import functools
import time
from types import SimpleNamespace

import pytest
from remat_studio.train.inductor_bases import Proposal
from remat_studio.train.inductor_plan import _Search


class Lower:
    """A base whose further plans hold these bytes, one after the other; None is for one that cannot run."""

    def __init__(self, peaks):
        self._peaks = list(peaks)
        self.seen = []

    def further(self):
        if not self._peaks:
            return None
        return Proposal(self._peaks[0] or 1, 1, self._make, lambda cut: None, base=self)

    def _make(self):
        return self._peaks[0] and SimpleNamespace(name="a plan", bytes=self._peaks[0], time_us=1)

    def lowered(self, _cut):
        self.seen.append(self._peaks.pop(0))

    broke = functools.partialmethod(lowered, None)


@pytest.mark.parametrize(
    ("peaks", "lowered"),
    [
        ([90, 80, 59, 50], [90, 80, 59]),  # until one holds the budget
        ([99.9, 101, 59], [99.9, 101]),  # two that come no lower
        ([99, 100, 90, 100, 80, 100, 59], [99, 100, 90, 100, 80, 100]),  # no more than six
        ([90, None, 59, 50], [90, None, 59]),
        ([90, None, None, 59], [90, None, None]),
        ([], []),
    ],
)
def test_plans_for_less_are_lowered_as_long_as_they_come_lower(peaks, lowered):
    search, base = object.__new__(_Search), Lower(peaks)
    search.budget, search.cuts = 60, [SimpleNamespace(name="plain", bytes=100, time_us=1)]
    search.tried, search._starts, search._lowered, search.ended_early = [], [], [], False
    search._as_json, search._seconds, search._clock, search._begin = {}, 1e9, time.perf_counter, time.perf_counter()
    search._go_further([base])
    assert base.seen == lowered


def test_nothing_more_is_tried_where_a_cut_holds_the_budget():
    search, base = object.__new__(_Search), Lower([50])
    search.budget, search.cuts = 100, [SimpleNamespace(name="plain", bytes=100, time_us=1)]
    search._go_further([base])
    assert not base.seen
