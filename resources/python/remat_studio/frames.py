"""Finds the model author's own lines in stack traces, and shortens what is kept of them."""

import os
import re
import site
import sysconfig
import traceback

import torch

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
_STDLIB = sysconfig.get_paths()["stdlib"] + os.sep
_SITE_PACKAGES = tuple(
    sorted(
        {path + os.sep for path in [*site.getsitepackages(), os.path.dirname(os.path.dirname(_TORCH))]},
        key=len,
        reverse=True,
    )
)
_FRAME = re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>.+)$')

MAX_FRAMES = 3


def is_user_file(path):
    """True for files of the model and of model libraries; False for PyTorch, Python and this package."""
    if path.startswith("<"):
        return False
    path = os.path.abspath(path)
    if path.startswith((_PACKAGE, _TORCH)):
        return False
    return path.startswith(_SITE_PACKAGES) or not path.startswith(_STDLIB)


def short_path(path, source_root=None):
    """A path without the part that only this machine has: below site-packages or below ``source_root``."""
    roots = (*_SITE_PACKAGES, os.path.join(os.path.abspath(source_root), "")) if source_root else _SITE_PACKAGES
    for root in roots:
        if path.startswith(root):
            return path[len(root) :].replace(os.sep, "/")
    return path


def parse(stack_trace):
    """The (file, line, function, code) frames of a stack trace as torch.fx writes it, outermost first."""
    frames = []
    for text in (stack_trace or "").split("\n"):
        match = _FRAME.match(text)
        if match:
            frames.append((match["file"], int(match["line"]), match["function"].split(", code:")[0], ""))
        elif frames and text.strip() and not frames[-1][3]:
            frames[-1] = (*frames[-1][:3], text.strip())
    return frames


def shorten(stack_trace, source_root=None):
    """Keep the innermost frames that lie in the model's own code."""
    kept = [frame for frame in parse(stack_trace) if is_user_file(frame[0])][-MAX_FRAMES:]
    return "\n".join(
        f'  File "{short_path(file, source_root)}", line {line}, in {function}\n    {code}'
        for file, line, function, code in kept
    )


def innermost_user_line(stack_trace):
    """``file:line: code`` of the innermost frame in the model's own code, or None."""
    kept = [frame for frame in parse(stack_trace) if is_user_file(frame[0])]
    if not kept:
        return None
    file, line, _, code = kept[-1]
    return _place(file, line, code)


def innermost_user_frame(errors):
    """The same for a chain of exceptions, outermost first: the place where the deepest one came from."""
    for error in reversed(errors):
        frames = [f for f in traceback.extract_tb(error.__traceback__) if is_user_file(f.filename)]
        if frames:
            return _place(frames[-1].filename, frames[-1].lineno, frames[-1].line or "")
    return None


def _place(file, line, code):
    shown = os.path.relpath(file) if not os.path.relpath(file).startswith("..") else file
    return f"{shown}:{line}: {code}" if code else f"{shown}:{line}"
