# SPDX-License-Identifier: Apache-2.0
"""Where a script may ask for gradients of gradients, by its text."""

import functools
import linecache
import re
import sys

from .. import frames

_ASKS = re.compile(r"create_graph|autograd\.functional|autograd import functional")


def place():
    """``file:line`` of a line that may ask, or None.

    Looked at are the script, its own modules, and what is on the call stack. Of packages that are installed the latter
    only: optimizers that nobody takes ask, too.
    """
    for file in dict.fromkeys(_files()):
        line = _line(file)
        if line:
            return f"{file}:{line}"
    return None


def _files():
    frame = sys._getframe(1)
    while frame is not None:
        yield from _readable(frame.f_code.co_filename)
        frame = frame.f_back
    own = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    for file in [*own, *linecache.cache]:  # which has the cells of a notebook
        if file and frames.library_of(file) is None:
            yield from _readable(file)


def _readable(file):
    is_cell = file.startswith("<ipython")
    return [file] if is_cell or (file.endswith(".py") and frames.is_user_file(file)) else []


@functools.cache
def _line(file):
    lines = linecache.getlines(file)
    return next((number for number, text in enumerate(lines, 1) if _ASKS.search(text)), None)
