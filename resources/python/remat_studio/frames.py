# SPDX-License-Identifier: Apache-2.0
"""Finds the model author's own lines on the call stack and in exceptions."""

import functools
import linecache
import os
import re
import site
import sys
import sysconfig
import traceback

import torch

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
_STDLIB = sysconfig.get_paths()["stdlib"] + os.sep
_SITE_PACKAGES = tuple({path + os.sep for path in [*site.getsitepackages(), os.path.dirname(os.path.dirname(_TORCH))]})

MAX_FRAMES = 24  # a call of a call of …: deeper models repeat themselves


@functools.cache
def is_user_file(path):
    """True for files of the model and of model libraries; False for PyTorch, Python and this package."""
    if path.startswith("<"):
        return False
    path = os.path.abspath(path)
    if path.startswith((_PACKAGE, _TORCH)):
        return False
    return path.startswith(_SITE_PACKAGES) or not path.startswith(_STDLIB)


def current(root_code):
    """The innermost frames of the model's own code on this thread's stack, outermost first.

    Only what lies above the call of ``root_code`` counts: outside of it there is no model code, and the list is empty.
    """
    kept = []
    frame = sys._getframe(1)
    while frame is not None and frame.f_code is not root_code:
        if len(kept) < MAX_FRAMES and is_user_file(frame.f_code.co_filename):
            kept.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        frame = frame.f_back
    return kept[::-1] if frame is not None else []


def as_text(frames, source_root=None):
    """Frames as Python prints them, without the part of the paths that only this machine has."""
    return "\n".join(
        f'  File "{_short_path(file, source_root)}", line {line}, in {function}\n    {_code(file, line)}'
        for file, line, function in frames
    )


def place(frames):
    """``file:line: `code` `` of the innermost frame, or None."""
    if not frames:
        return None
    file, line, _ = frames[-1]
    relative = os.path.relpath(file)
    shown = file if relative.startswith("..") else relative
    code = re.sub(r"\s+#.*", "", _code(file, line))
    return f"{shown}:{line}: `{code}`" if code else f"{shown}:{line}"


def place_of(errors):
    """The same for a chain of exceptions, outermost first: where the deepest one came from."""
    for error in reversed(errors):
        frames = [f for f in traceback.extract_tb(error.__traceback__) if is_user_file(f.filename)]
        if frames:
            return place([(f.filename, f.lineno, f.name) for f in frames])
    return None


def library_of(place):
    """The installed package that a place of ``place()`` lies in, or None for the user's own files."""
    path = os.path.abspath(place.partition(":")[0])
    root = next((root for root in _SITE_PACKAGES if path.startswith(root)), None)
    return path[len(root) :].split(os.sep)[0].removesuffix(".py") if root else None


def _short_path(path, source_root):
    roots = _SITE_PACKAGES if source_root is None else (*_SITE_PACKAGES, os.path.join(os.path.abspath(source_root), ""))
    for root in sorted(roots, key=len, reverse=True):
        if path.startswith(root):
            return path[len(root) :].replace(os.sep, "/")
    return path


def _code(file, line):
    return linecache.getline(file, line).strip()
