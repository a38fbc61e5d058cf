"""What cannot be traced, said in one sentence that names the model's own line and the way out."""

import re

import torch

from .frames import place_of


class TraceError(Exception):
    """A sentence for the user: where, what, and what to do."""


_TO_A_NUMBER = re.compile(r"\.item\(|\.tolist\(|\bfloat\(|\bint\(")

_NUMBER = (
    "a tensor is turned into a Python number, which is only known when the model runs; "
    "keep it a tensor, or compute the number before the forward"
)
_BRANCH = (
    "the model decides in Python on a value that is only known when it runs; "
    "use torch.where, or decide before the forward, instead of if, while or bool()"
)

# Parts of the names and messages of exceptions, and what they mean for the model. The first match wins.
_KNOWN_CAUSES = (
    (
        ("DynamicOutputShapeException",),
        "the shape of the result depends on values; keep a fixed shape, for example with torch.where or masked_fill",
    ),
    (
        ("modified by an inplace operation", "leaf Variable that requires grad", "view of a leaf Variable"),
        "a tensor that the backward pass needs is changed in place; compute a new tensor instead",
    ),
    (
        ("mirrored meta", "through the graph a second time"),
        "the forward runs a backward pass of its own; trace the forward and the loss only",
    ),
    (
        ("use_reentrant",),
        "the model checkpoints its activations itself; turn that off (gradient_checkpointing_disable()), "
        "since what to compute again is for the plan to decide",
    ),
    (
        (".numpy() is not supported",),
        "a tensor leaves PyTorch with numpy(); use PyTorch's operations on it, or compute it before the forward",
    ),
)


def explain(error):
    """Turn any exception raised while tracing into a TraceError with one sentence."""
    if isinstance(error, TraceError):
        return error
    chain = _chain(error)
    where = place_of(chain)
    return TraceError(f"{where}: {_meaning(chain, where or '')}." if where else f"{_meaning(chain, '')}.")


def one_line(error):
    """Kind and first line of a message, without its full stop, with PyTorch's wrapper types under their public name."""
    lines = str(error).strip().splitlines() or ["no message"]
    message = lines[0].replace("FunctionalTensor", "Tensor").replace("FakeTensor", "Tensor").rstrip(".")
    return f"{type(error).__name__}: {message[:200]}"


def _meaning(chain, where):
    text = "\n".join(f"{type(e).__name__}: {e}" for e in chain)
    if "DataDependentOutputException" in text:
        return _NUMBER if _TO_A_NUMBER.search(where) else _BRANCH
    for marks, meaning in _KNOWN_CAUSES:
        if any(mark in text for mark in marks):
            return meaning
    if isinstance(chain[0], MemoryError | torch.OutOfMemoryError):
        return "there is not enough memory for the model; make it smaller, or build it on the meta device"
    return (
        f"the model cannot be traced ({one_line(chain[0])}); "
        "check that it runs on these arguments, and replace what PyTorch cannot trace"
    )


def _chain(error):
    """The exception with all that it came from, outermost first."""
    chain = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain
