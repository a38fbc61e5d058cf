"""Sentences for the person who trains: each once, and of several ranks from rank 0 only."""

import warnings

from . import ranks

_told = set()


def tell(sentence, owner=None):
    """Warn with a sentence, once for each ``owner``; without one, once in the process."""
    key = (id(owner), sentence)
    if key in _told or not ranks.is_first():
        return
    _told.add(key)
    warnings.warn(sentence, stacklevel=3)
