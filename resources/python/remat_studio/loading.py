# SPDX-License-Identifier: Apache-2.0
"""Finds the user's factory: a function in a module or a file that makes the model and its arguments."""

import importlib
import importlib.util
import os
import sys

import torch

from .errors import OUT_OF_MEMORY, TraceError, is_out_of_memory, one_line
from .frames import place_of


def load_factory(target):
    """The function named by ``MODULE_OR_FILE:FACTORY``."""
    place, separator, name = target.rpartition(":")
    if not separator or not place or not name:
        raise TraceError(f"'{target}' names no factory; write FILE.py:FUNCTION or MODULE:FUNCTION.")
    module = _load_file(place) if place.endswith(".py") or os.sep in place else _load_module(place)
    factory = getattr(module, name, None)
    if factory is None:
        raise TraceError(f"{place} has no function '{name}'; {_offer(module)}")
    if not callable(factory):
        raise TraceError(
            f"'{name}' in {place} is {type(factory).__name__} and not a function; it must return (model, args)."
        )
    return factory


def call_factory(factory, name):
    """What the factory returns, as (model, args, loss_fn)."""
    try:
        made = factory()
    except TraceError:
        raise
    except Exception as error:
        where = place_of([error])
        reason = f"the factory {name} failed: {one_line(error)}; make it run on its own first"
        raise TraceError(
            f"{f'{where}: ' if where else ''}{OUT_OF_MEMORY if is_out_of_memory(error) else reason}."
        ) from error
    if not isinstance(made, tuple | list) or len(made) not in (2, 3):
        shown = f"{len(made)} values" if isinstance(made, tuple | list) else type(made).__name__
        raise TraceError(
            f"The factory {name} returned {shown}; it must return (model, args) or (model, args, loss_fn)."
        )
    model, args, *rest = made
    if not isinstance(model, torch.nn.Module):
        raise TraceError(f"The factory {name} returned {type(model).__name__} as model; it must be a torch.nn.Module.")
    loss_fn = rest[0] if rest else None
    if loss_fn is not None and not callable(loss_fn):
        raise TraceError(
            f"The factory {name} returned {type(loss_fn).__name__} as loss; it must be a function of the output."
        )
    return model, args, loss_fn


def _load_file(path):
    if not os.path.isfile(path):
        raise TraceError(f"There is no file {path}; check the path before the colon.")
    name = os.path.splitext(os.path.basename(path))[0]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, module)
    return _guarded(lambda: spec.loader.exec_module(module), path) or module


def _load_module(name):
    sys.path.insert(0, os.getcwd())
    if importlib.util.find_spec(name.split(".")[0]) is None:
        raise TraceError(f"There is no Python module '{name}' here; check the name, or give a file ending in .py.")
    return _guarded(lambda: importlib.import_module(name), name)


def _guarded(load, what):
    """Run code of the user's and tell in a sentence when it fails."""
    try:
        return load()
    except SyntaxError as error:
        raise TraceError(f"{error.filename}:{error.lineno}: {error.msg}; correct it first.") from error
    except Exception as error:
        where = place_of([error])
        raise TraceError(
            f"{f'{where}: ' if where else ''}{what} cannot be loaded: {one_line(error)}; make it import first."
        ) from error


def _offer(module):
    names = [n for n, v in vars(module).items() if callable(v) and getattr(v, "__module__", None) == module.__name__]
    return f"it has {', '.join(names[:8])}." if names else "it defines none."
