# SPDX-License-Identifier: Apache-2.0
"""Sentences for the person who trains: each once, and of several ranks from rank 0 only."""

import weakref

from ..warned import warn
from . import ranks

RUNS = " The step runs with that; strict=True refuses it."  # behind what misses a budget

_told_of_all = set()
_told = weakref.WeakKeyDictionary()  # owner -> sentences


def tell(sentence, owner=None, say=warn):
    """Warn with a sentence, once in the process; with an ``owner``, again for another one when that is gone."""
    told = _told_of_all if owner is None else _told.setdefault(owner, set())
    if any(sentence in each for each in (_told_of_all, *_told.values())) or not ranks.is_first():
        return
    told.add(sentence)
    say(sentence)
