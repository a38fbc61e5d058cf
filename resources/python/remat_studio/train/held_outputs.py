# SPDX-License-Identifier: Apache-2.0
"""Outputs of a compiled graph that its script holds or lets go of: which these are, and a cut's bytes with them."""

import weakref

import torch

from .. import torch_private


class OutputsOfCut:
    """What has ``unsaved`` and ``pieces``, by storage, with the positions of the outputs, but numbers, that lie in it.

    ``unsaved`` has (bytes, positions) for each that the cut does not save, ``pieces`` of the backward (most bytes,
    bytes of the one that the text lets go of then, positions).
    """

    def unsaved_bytes_in(self, held):
        """Bytes of outputs that the cut does not save, in these positions."""
        return sum(size for size, positions in self.unsaved if not held.isdisjoint(positions))

    def unsaved_bytes_but(self, held):
        """The same of outputs in all other positions."""
        return sum(size for size, positions in self.unsaved if held.isdisjoint(positions))

    def between_bytes_with(self, held):
        """Bytes between forward and backward where the script holds the outputs in these positions; None for all."""
        return self.saved_bytes - (0 if held is None else self.unsaved_bytes_but(frozenset(held)))

    def backward_bytes_with(self, held):
        """The most bytes of the backward where the script holds the outputs in these positions and no others.

        They stay when the text lets go of them; others, but numbers, were let go of before the backward began. None is
        for all.
        """
        if held is None:
            return self.backward_bytes
        held = frozenset(held)
        stays, found = self.unsaved_bytes_in(held), 0
        for most, size, positions in self.pieces:
            found = max(found, most + stays)
            stays += 0 if held.isdisjoint(positions) else size
        return found


class GivenOutputs:
    """What a compiled forward gave the script, but numbers; this object holds none of it."""

    def __init__(self, outputs=(), at_end=None):
        """``at_end()`` is called whenever the script lets go of one, before its memory is free."""
        ends = at_end and (lambda _: at_end())
        large = ((i, value) for i, value in enumerate(outputs) if is_large(value))
        self._values = [(i, value.nbytes, weakref.ref(value, ends)) for i, value in large]
        node, _ = torch_private.ends_of_compiled(outputs)
        self._shift = node and torch_private.changed_inputs_of(node)

    def held(self):
        """Positions, as the graph counts its outputs, of those that the script still holds; None where not known."""
        held = [i for i, _, value in self._values if value() is not None]
        if self._shift is None:
            return None if held else ()
        return tuple(i + self._shift for i in held)

    def freed_bytes(self):
        """Bytes of those that it let go of."""
        return sum(size for _, size, value in self._values if value() is None)


def is_large(value):
    """True for a tensor of more than a number."""
    return isinstance(value, torch.Tensor) and value.numel() > 1
