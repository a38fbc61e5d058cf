# SPDX-License-Identifier: Apache-2.0
"""Orders of computations near a known one: a few more computed again, so that less is held, or a few less."""

import dataclasses

_MOST = 400  # computations that are added in a row
_IN_VAIN = 20  # of them without a lower peak
_LOOKS = 3000  # at orders, for one that is near another: of a large graph, as long as lowering three cuts takes
_VISITS = 600_000  # of computations in these orders, which are looked at in any case
_CHAIN = 12  # ops that are computed again for one value
_DEPTHS = (1, 0.97, 0.93, 0.88)  # shares of a target that are gone down to before the rest is used up again


@dataclasses.dataclass
class _Life:
    """A value from the index in an order at which it is made, to the last one at which it is read."""

    uses: list

    def is_over(self, index):
        """Whether it is held at the index, and was made before."""
        return self.uses[0] < index <= self.uses[-1]

    def gap_over(self, index):
        """The next use after ``index``, where the value is held there only for that; None where it is not."""
        if not self.is_over(index) or index in self.uses:
            return None
        return next(use for use in self.uses if use > index)


class Nearby:
    """The orders of one StepGraph, lists of names of ops with its border; ``time_of`` gives an op's microseconds.

    Each value is held from where it is made to where it is read last, so an order says all of a plan.
    """

    def __init__(self, graph, time_of):
        self._graph = graph
        self._ops = {op.name: op for op in graph.ops}
        self._time = {op.name: time_of(op) for op in graph.ops}
        self._maker = {storage: op for op in graph.ops for storage in op.makes}
        self._kept = dict.fromkeys((*graph.held_outputs, *graph.tangent_storages, *graph.gradients))
        self._looks = 0  # that are left
        self._fixed = {op.name for op in graph.ops if op.is_once or op.is_random or op.mutates or op.into}

    def time_us(self, order):
        """How long its ops take."""
        return sum(self._time.get(name, 0) for name in order)

    def peak(self, order):
        """The most bytes that are held at once."""
        return max(self._heights(order, self._lives(order)))

    def fastest(self, order, target):
        """An order near this one that holds at most ``target`` bytes, or as little as is found."""
        found, self._looks = [], max(_LOOKS, _VISITS // len(order))
        for depth in _DEPTHS:
            smaller = self._smaller(order, depth * target)
            if self.peak(smaller) > target:
                found.append(smaller)
                break
            found.append(self._faster(smaller, target))
        return min(found, key=lambda made: (max(self.peak(made), target), self.time_us(made)))

    def _smaller(self, order, target):
        """More is computed again, what frees a byte at the peak in the least time first, until the target is met."""
        best, least, in_vain = order, self.peak(order), 0
        for _ in range(_MOST):
            lives = self._lives(order)
            heights = self._heights(order, lives)
            peak = max(heights)
            if peak < least:
                best, least, in_vain = order, peak, 0
            in_vain += 1
            if peak <= target or in_vain > _IN_VAIN or self._looks <= 0:
                break
            again = self._cheapest(lives, heights.index(peak), peak - target)
            if again is None:
                break
            at, chain = again
            order = order[:at] + chain + order[at:]
        return best

    def _cheapest(self, lives, top, over):
        """Where to compute which ops again so that less is held at ``top``, at the least time for a byte."""
        best, least = None, float("inf")
        for storage, spans in lives.items():
            at = next((at for life in spans if (at := life.gap_over(top)) is not None), None)
            chain = [] if at is None else self._chain(storage, at, lives, [])
            if chain:
                price = sum(self._time[name] for name in chain) / min(storage.bytes, over)
                if price < least:
                    best, least = (at, chain), price
        return best

    def _chain(self, storage, at, lives, chain):
        """The names of ops that make a value anew of what is held at an index; None where that cannot be."""
        op = self._maker.get(storage)
        if op is None or op.name in self._fixed or len(chain) >= _CHAIN:
            return None
        if op.name in chain:
            return chain
        for source in op.reads:
            is_there = source.is_resident or any(life.is_over(at) for life in lives.get(source, ()))
            if not is_there and self._chain(source, at, lives, chain) is None:
                return None
        chain.append(op.name)
        return chain

    def _faster(self, order, target):
        """What takes the most time for the bytes that holding it takes is not computed again, while there is room."""
        while self._looks > 0:
            peak, time_us = self.peak(order), self.time_us(order)
            found = []
            for index in self._again(order):
                if self._looks <= 0:
                    break
                made = self._without(order, index)
                more, gain = self.peak(made) - peak, time_us - self.time_us(made)
                if gain > 0 and peak + more <= target:
                    found.append((gain / max(more, 1), made))
            if not found:
                break
            order = max(found, key=lambda each: each[0])[1]
        return order

    def _again(self, order):
        seen = set()
        for index, name in enumerate(order):
            if name in seen and name not in self._fixed:
                yield index
            seen.add(name)

    def _without(self, order, index):
        """The order without one computation, and without those that were for it alone."""
        needed, made = set(self._kept), []
        for place in reversed(range(len(order))):
            op = self._ops.get(order[place])
            makes, reads = (op.makes, op.reads) if op else (self._graph.tangent_storages, self._graph.held_outputs)
            is_wanted = op is None or op.name in self._fixed or not needed.isdisjoint(makes)
            if place != index and is_wanted:
                needed.difference_update(makes)
                needed.update(reads)
                made.append(order[place])
        return made[::-1]

    def _lives(self, order):
        self._looks -= 1
        lives = {}
        for index, name in enumerate(order):
            op = self._ops.get(name)
            for storage in op.reads if op else self._graph.held_outputs:
                if not storage.is_resident:
                    lives[storage][-1].uses.append(index)
            for storage in op.makes if op else self._graph.tangent_storages:
                lives.setdefault(storage, []).append(_Life([index]))
        for storage in self._kept:
            if storage in lives:
                lives[storage][-1].uses.append(len(order) - 1)
        return lives

    def _heights(self, order, lives):
        changes = [0] * (len(order) + 1)
        for storage, spans in lives.items():
            for life in spans:
                changes[life.uses[0]] += storage.bytes
                changes[life.uses[-1] + 1] -= storage.bytes
        heights, held = [], 0
        for index, name in enumerate(order):
            held += changes[index]
            op = self._ops.get(name)
            heights.append(held + (op.workspace_bytes if op else self._graph.border_workspace_bytes))
        return heights
