# SPDX-License-Identifier: Apache-2.0
"""Remat Studio's Python side: turns a PyTorch training step into a graph that the planner reads, and trains with plans.

``remat_studio.trace(model, args, loss_fn=None, path="model.pt2")`` from Python, or
``python -m remat_studio.trace FILE:FACTORY -o model.pt2`` from a shell, writes a graph for the window.
``torch.compile(step, backend="remat", options={"budget": "60%"})`` trains under a budget.
"""

import importlib
import warnings

__version__ = "0.1.0"

_PUBLIC_MODULES = ("trace",)
_TRAINING = ("Plan", "PlanError", "certify", "compile_blocks", "install", "plan", "planned", "read_plan", "records")
_UNPLANNED = ("compile_blocks", "install", "planned", "records")  # what scripts that run on without plans call
_PUBLIC_NAMES = {
    "SweepError": "sweeps",
    "TraceError": "errors",
    "fits": "fitting",
    "largest_batch": "fitting",
    "sweep": "sweeps",
    **dict.fromkeys(_TRAINING, "train"),
}

__all__ = [
    "Plan",
    "PlanError",
    "SweepError",
    "TraceError",
    "certify",
    "compile_blocks",
    "fits",
    "install",
    "largest_batch",
    "plan",
    "planned",
    "read_plan",
    "records",
    "sweep",
    "trace",
]


def __getattr__(name):
    """Load public names on first use, so that ``python -m remat_studio.trace`` runs its module only once."""
    if name in _PUBLIC_MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _UNPLANNED and _outside:
        return getattr(importlib.import_module(f"{__name__}.unplanned"), name)
    if name in _PUBLIC_NAMES:
        return getattr(importlib.import_module(f"{__name__}.{_PUBLIC_NAMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _begin():
    """Look at PyTorch's version, and make the backend known to torch.compile."""
    from .registration import register
    from .supported import outside

    sentence = outside()
    if sentence:
        warnings.warn(f"{sentence} Until then nothing is planned, and training runs as without it.", stacklevel=3)
    register("unplanned" if sentence else "train.backend")
    return sentence


_outside = _begin()
