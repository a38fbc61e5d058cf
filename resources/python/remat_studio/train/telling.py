# SPDX-License-Identifier: Apache-2.0
"""Sentences for the person who trains: each once, and of several ranks from rank 0 only."""

import warnings
import weakref

from . import ranks

_told_of_all = set()
_told = weakref.WeakKeyDictionary()  # owner -> sentences


def tell(sentence, owner=None):
    """Warn with a sentence, once for each ``owner``; without one, once in the process."""
    told = _told_of_all if owner is None else _told.setdefault(owner, set())
    if sentence in told or not ranks.is_first():
        return
    told.add(sentence)
    warnings.warn(sentence, stacklevel=3)
