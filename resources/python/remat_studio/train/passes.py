# SPDX-License-Identifier: Apache-2.0
"""In which order the regions of a step run forward and backward."""


class Passes:
    """In which order the regions of a step run forward and backward.

    A region whose backward comes before the next forward, as of a model that judges what another one makes, keeps nothing
    for that one. Regions are numbered by their forwards.
    """

    def __init__(self, order):
        """``order`` has pairs: whether it is a forward, and of which region. Backwards come as parentheses are closed."""
        self.order = order
        self.inside = [[] for _ in range(len(order) // 2)]  # regions whose both passes come between those of each
        self.outermost = []
        waiting = []
        for is_forward, index in order:
            if is_forward:
                (self.inside[waiting[-1]] if waiting else self.outermost).append(index)
                waiting.append(index)
            elif waiting.pop() != index:
                raise ValueError("backwards come in another order")

    @classmethod
    def nested(cls, count):
        """All backwards come after all forwards."""
        return cls([*((True, index) for index in range(count)), *((False, index) for index in reversed(range(count)))])

    @classmethod
    def of(cls, order):
        """The Passes of a step that ran so; where backwards came otherwise, those that hold the most: nested ones."""
        count = sum(is_forward for is_forward, _ in order)
        try:
            return cls(order) if len(order) == 2 * count else cls.nested(count)
        except ValueError:
            return cls.nested(count)

    def with_places(self):
        """The same with a place before, between and behind the regions, as ``between.joined`` numbers both."""
        order = [(True, 0)]
        last = 2 * len(self.inside)
        for is_forward, index in self.order:
            pair = (2 * index, 2 * index + 1)
            order += [(is_forward, each) for each in (pair if is_forward else reversed(pair)) if each]
            if is_forward and 2 * index + 2 == last:
                order += [(True, last), (False, last)]
        return Passes([*order, (False, 0)])

    def gradients(self, sizes):
        """For each pass the bytes of gradients that are there when it begins, with ``sizes`` for each region."""
        found, total = {}, 0
        for is_forward, index in self.order:
            found[is_forward, index] = total
            total += 0 if is_forward else sizes[index]
        return found
