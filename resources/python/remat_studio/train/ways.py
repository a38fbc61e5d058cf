# SPDX-License-Identifier: Apache-2.0
"""A graph of a step that is compiled in two ways, for batches whose masks mask nothing and for all others."""

from .. import torch_private

MASKED = "masked"  # what the other way is called


class Ways:
    """The compiled functions of a graph, each made when the first batch for it comes."""

    def __init__(self, masks, compile_way):
        """``compile_way(module, word, inputs)`` gives a function for a graph of Dynamo's; ``word`` names the other way."""
        self._masks = masks
        self._compile = compile_way
        self._made = {}

    def make(self, is_plain, inputs):
        """The function for batches like this one."""
        if is_plain not in self._made:
            module = self._masks.left_out() if is_plain else self._masks.module
            self._made[is_plain] = self._compile(module, None if is_plain else MASKED, inputs)
        return self._made[is_plain]

    def __call__(self, *inputs):
        is_plain = self._masks.mask_nothing(inputs)
        if is_plain not in self._made:
            with torch_private.compile_lock():
                self.make(is_plain, inputs)
        return self._made[is_plain](*inputs)


def compiled(masks, inputs, compile_way, all_now):
    """The function for a graph whose Masks these are; ``all_now`` has both ways compiled at once."""
    is_plain = masks.mask_nothing(inputs)
    if masks.are_constant:
        return compile_way(masks.left_out() if is_plain else masks.module, None, inputs)
    ways = Ways(masks, compile_way)
    for each in (True, False) if all_now else (is_plain,):
        ways.make(each, inputs)
    return ways
