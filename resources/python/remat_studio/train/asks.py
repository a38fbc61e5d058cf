# SPDX-License-Identifier: Apache-2.0
"""Where a process may ask for gradients of gradients, by the text of what it imported."""

import functools
import linecache
import pathlib
import re
import sys

from .. import frames

_ASKS = re.compile(rb"create_graph|autograd\.functional|autograd import functional")
_LIBRARIES = {"sympy"}  # PyTorch imports it, and it prints programs that ask


def place():
    """``file:line`` of a line that may ask, of the script or of a module that is imported by now; None without one."""
    return _place(len(sys.modules), len(linecache.cache))


@functools.lru_cache(1)
def _place(_modules, _cells):
    own = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    cells = [file for file in linecache.cache if file.startswith("<ipython")]
    for file in dict.fromkeys([*own, *cells]):
        if file and (file in cells or _is_looked_at(file)) and (line := _line(file)):
            return f"{file}:{line}"
    return None


def _is_looked_at(file):
    return file.endswith(".py") and frames.is_user_file(file) and frames.library_of(file) not in _LIBRARIES


@functools.cache
def _line(file):
    """The number of its first line that asks, or None."""
    try:
        text = pathlib.Path(file).read_bytes()
    except OSError:  # a cell of a notebook
        text = "".join(linecache.getlines(file)).encode()
    found = _ASKS.search(text)
    return found and text.count(b"\n", 0, found.start()) + 1
