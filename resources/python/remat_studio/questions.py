# SPDX-License-Identifier: Apache-2.0
"""What a capture asked of values (is this mask all ones?), to be asked again: other values may lead the same way."""

import dataclasses

import torch

from .torch_private import pytree


@dataclasses.dataclass(eq=False)
class Recipe:
    """A value that is known, and how it follows from the arguments: by a call of an operator, if from others at all."""

    value: torch.Tensor | None
    name: str | None = None  # of the argument that it is
    call: "Asked | None" = None  # that gives it
    place: int = 0  # among the results of the call
    version: int = 0  # of the value when this was made: it is written to in place where it is another one now

    def __post_init__(self):
        self.version = self.value._version

    def follows(self):
        """Whether values of other arguments would follow as these did."""
        return self.value._version == self.version and (self.call is None or self.call.follows)


class Asked:
    """A call of an operator on known values; for a question ``answer`` is the number that it gave to Python."""

    def __init__(self, func, arguments, answer=None):
        """``arguments`` are (args, kwargs) with recipes in the places of tensors."""
        self.func, self.arguments, self.answer = func, arguments, answer
        recipes = (leaf for leaf in pytree.tree_leaves(arguments) if isinstance(leaf, Recipe))
        self.follows = not func._schema.is_mutable and all(recipe.follows() for recipe in recipes)

    def again(self, given, known):
        """What it gives for other arguments, by their names; ``known`` has the results of calls so far."""
        if self not in known:
            args, kwargs = pytree.tree_map_only(Recipe, lambda recipe: _value(recipe, given, known), self.arguments)
            known[self] = self.func(*args, **kwargs)
        return known[self]


class WayTaken:
    """The way of a capture, which some arguments decided by their values."""

    def __init__(self, values, names, questions):
        """``values`` has what decided, by place among the tensors of the call, which ``names`` names.

        ``questions`` are all that were asked; None where more than the answers is in the graph.
        """
        self._values, self._names = values, names
        self._questions = questions if questions and all(asked.follows for asked in questions) else None
        _forget_values(questions or ())

    def other(self, tensors):
        """The place of a tensor whose values may lead another way; None where all lead this one."""
        differs = next((at for at, value in self._values.items() if not torch.equal(tensors[at], value)), None)
        if differs is None or self._questions is None:
            return differs
        given, known = {name: tensor.detach() for name, tensor in zip(self._names, tensors, strict=True)}, {}
        with torch.no_grad():
            same = all(asked.again(given, known) == asked.answer for asked in self._questions)
        return None if same else differs


def _forget_values(questions):
    """Let go of what is computed anew; masks may be large."""
    waiting = list(questions)
    while waiting:
        for recipe in pytree.tree_leaves(waiting.pop().arguments):
            if isinstance(recipe, Recipe) and recipe.value is not None and (recipe.call or recipe.name is not None):
                recipe.value = None
                waiting += [recipe.call] if recipe.call else []


def _value(recipe, given, known):
    if recipe.name is not None:
        return copied(given[recipe.name])
    if recipe.call is not None:
        return pytree.tree_leaves(recipe.call.again(given, known))[recipe.place]
    return recipe.value


def copied(tensor):
    """A copy on the CPU that lies in a storage as the tensor does, since operators make views by strides and offset."""
    last = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    length = tensor.storage_offset() + last + 1 if tensor.numel() else 0
    storage = torch.empty(length, dtype=tensor.dtype)  # what nobody writes to takes no memory
    made = storage.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset() if length else 0)
    once = tuple(slice(None if stride else 1) for stride in tensor.stride())  # of what is repeated
    made[once].copy_(tensor[once])
    return made
