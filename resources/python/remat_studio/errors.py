"""What cannot be traced, said in one sentence that names the model's own line and the way out."""

import torch

from .frames import place, place_of
from .scopes import FRAMES


class TraceError(Exception):
    """A sentence for the user: where, what, and what to do."""


# Parts of exception names or messages, and what they mean for the model. The first match wins.
_KNOWN_CAUSES = (
    (
        ("GuardOnDataDependentSymNode", "DataDependentOutputException", "data-dependent expression"),
        "the model decides in Python on a value that is only known when it runs; "
        "use torch.where (or decide before the forward) instead of if, while, bool() or a slice by value",
    ),
    (
        ("DynamicOutputShapeException", "dynamic shape operator"),
        "the shape of the result depends on values; keep a fixed shape, for example with torch.where or masked_fill",
    ),
    (
        ("leaf Variable that requires grad",),
        "a parameter, or an input that requires a gradient, is changed in place; "
        "compute a new tensor instead (out of place), or change it outside the forward",
    ),
    (
        ("Trying to backward through the graph a second time", "autograd.grad", "requires_grad_"),
        "the forward runs its own backward pass; trace the forward and the loss only",
    ),
)

_PLACE_OF_VALUE_OPS = {
    "_local_scalar_dense": (
        "a tensor is turned into a Python number (.item(), int(), float()); keep it a tensor, "
        "or compute the number before the forward"
    ),
    "item": (
        "a tensor is turned into a Python number (.item(), int(), float()); keep it a tensor, "
        "or compute the number before the forward"
    ),
}

_SHAPE_OF_VALUES = (
    "the shape of the result depends on values (a boolean mask as index, nonzero, unique, repeat_interleave); "
    "keep a fixed shape, for example with torch.where or masked_fill"
)


def explain(error):
    """Turn any exception raised while tracing into a TraceError with one sentence."""
    if isinstance(error, TraceError):
        return error
    chain = _chain(error)
    text = "\n".join(f"{type(e).__name__}: {e}" for e in chain)
    where = place_of(chain)
    prefix = f"{where}: " if where else ""
    for marks, meaning in _KNOWN_CAUSES:
        if any(mark in text for mark in marks):
            return TraceError(f"{prefix}{meaning}.")
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return TraceError(f"{prefix}there is not enough memory to build the model; make it smaller or build it on the meta device.")
    first_line = str(error).strip().split("\n")[0].rstrip(".") or "no message"
    return TraceError(
        f"{prefix}the model cannot be traced: {type(error).__name__}: {first_line}; "
        "check that the model runs on its arguments, and replace what PyTorch cannot export."
    )


def refuse_data_dependence(node):
    """The error for a graph node whose value or shape depends on the data."""
    where = place(node.meta.get(FRAMES))
    name = getattr(node.target, "_opname", str(node.target))
    meaning = _PLACE_OF_VALUE_OPS.get(name, _SHAPE_OF_VALUES)
    return TraceError(f"{where or 'in the forward'}: {meaning}.")


def _chain(error):
    """The exception with all that it came from, outermost first."""
    chain = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain
