# SPDX-License-Identifier: Apache-2.0
"""What was said of missed budgets: a later process takes its code from PyTorch's caches, and plans nothing."""

import hashlib

import torch

from . import cache, ranks


class Ledger:
    """Sentences in a folder, one file for each graph of Dynamo's."""

    def __init__(self, folder):
        self._folder = folder

    def page(self, module, example_inputs, beside):
        """The file for a graph and its inputs, planned with ``beside``, which Inductor may change when it compiles."""
        values = (value for value in example_inputs if isinstance(value, torch.Tensor))
        inputs = [(str(value.dtype), str(value.device), list(map(str, value.shape))) for value in values]
        return self._folder / f"{hashlib.sha256(f'{beside}{inputs}{module.graph}'.encode()).hexdigest()[:32]}.json"

    def write(self, page, sentence):
        """Keep what was said, or None where the budget is held."""
        if ranks.is_first():
            cache.write_json(page, sentence)

    def read(self, page):
        """What was said; None where nothing was."""
        return cache.read_json(page)
