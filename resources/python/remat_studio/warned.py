# SPDX-License-Identifier: Apache-2.0
"""Warnings that stand at the user's own line: one of this package tells nothing."""

import functools
import sys
import warnings

from . import frames


def warn(sentence):
    """Warn at the nearest frame outside of PyTorch, Python and this package, or else at the outermost one."""
    later()(sentence)


def later():
    """A function that warns at the user's line of now, also when no code of theirs runs any more."""
    frame = sys._getframe(1)
    while frame.f_back is not None and not frames.is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    place = frame.f_globals
    return functools.partial(
        warnings.warn_explicit,
        category=UserWarning,
        filename=frame.f_code.co_filename,
        lineno=frame.f_lineno,
        module=place.get("__name__", "<unknown>"),
        registry=place.setdefault("__warningregistry__", {}),
    )
