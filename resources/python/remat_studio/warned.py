# SPDX-License-Identifier: Apache-2.0
"""Warnings that stand at the user's own line: one of this package tells nothing."""

import sys
import warnings

from . import frames


def warn(sentence):
    """Warn at the nearest frame outside of PyTorch, Python and this package, or else at the outermost one."""
    frame = sys._getframe(1)
    while frame.f_back is not None and not frames.is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    place = frame.f_globals
    module, registry = place.get("__name__", "<unknown>"), place.setdefault("__warningregistry__", {})
    warnings.warn_explicit(sentence, UserWarning, frame.f_code.co_filename, frame.f_lineno, module, registry)
