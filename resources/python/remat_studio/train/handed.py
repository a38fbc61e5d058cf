# SPDX-License-Identifier: Apache-2.0
"""What one graph of a step hands to the next, which only a plan reads once more in the backward.

A plan takes it as there, since the graph before made it. Eager mode lets go of it with the script: it holds nothing of
the output of a generator, say, before whose discriminator no weight is trained.
"""

import weakref

import torch

from .held_outputs import is_large


class Handed:
    """Positions of what eager mode's backward of a graph does not read, of what the forward takes and gives."""

    def __init__(self, graph):
        """``graph`` is the StepGraph of what eager mode holds."""
        read = {storage for op in graph.ops if not op.is_forward for storage in op.reads}

        def unread(nodes):
            storages = enumerate(map(graph.storage_of.get, nodes))
            return frozenset(place for place, storage in storages if storage and storage not in read)

        self._inputs, self._outputs = unread(graph.primals), unread(graph.forward_outputs)
        self._count = len(graph.forward_outputs)

    def taken(self, given):
        """Those that another graph or the script made, by their ids: each with a weak reference, a place, and bytes."""
        made = (value for place, value in enumerate(given) if place in self._inputs and getattr(value, "grad_fn", None))
        return {id(value): (weakref.ref(value), value.data_ptr(), value.nbytes) for value in made if _lies(value)}

    def kept(self, taken, result):
        """Those of ``taken`` that a plan keeps for its backward; from here on each ends for the script by itself."""
        found = []
        for index, value in enumerate(result[self._count :], self._count):
            if id(value) in taken:
                found.append(taken[id(value)])
                result[index] = value.detach()
        return found

    def given(self, result):
        """Where those lie that it gives."""
        values = (value for place, value in enumerate(result[: self._count]) if place in self._outputs)
        return {value.data_ptr() for value in values if _lies(value)}


def _lies(value):
    """Whether a value is more than a number, in one place of memory."""
    return is_large(value) and value.layout is torch.strided


def bytes_let_go(kept, given):
    """Bytes of what plans alone hold, of what graphs before gave in these places: the script let go of it."""
    return sum(size for value, place, size in kept if value() is None and place in given)


def as_eager_holds(around, let_go):
    """Uses around graphs as without plans: what each graph kept of ``let_go`` bytes ends before all backwards."""
    found = [*around]
    for place, size in enumerate(let_go):
        seen = sum(use.gradient_bytes for use in found[place + 1 :])  # less, where its plan was done with it at its peak
        late = max(min(size + seen, size), 0)
        found[place] = found[place].with_gradients(late)
        found[-1] = found[-1].with_gradients(-late)
    return found
