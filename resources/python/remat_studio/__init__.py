"""Remat Studio's Python side: turns a PyTorch training step into a graph that the planner reads.

``remat_studio.trace(model, args, loss_fn=None, path="model.pt2")`` from Python, or
``python -m remat_studio.trace FILE:FACTORY -o model.pt2`` from a shell.
"""

import importlib

__version__ = "0.1.0"

_PUBLIC_MODULES = ("trace",)
_PUBLIC_NAMES = {"TraceError": "errors"}

__all__ = ["TraceError", "trace"]


def __getattr__(name):
    """Load public names on first use, so that ``python -m remat_studio.trace`` runs its module only once."""
    if name in _PUBLIC_MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _PUBLIC_NAMES:
        return getattr(importlib.import_module(f"{__name__}.{_PUBLIC_NAMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
