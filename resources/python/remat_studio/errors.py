# SPDX-License-Identifier: Apache-2.0
"""What cannot be traced, said in one sentence that names the model's own line and the way out."""

import re
import textwrap

import torch

from .frames import library_of, place_of


class TraceError(Exception):
    """A sentence for the user: where, what, and what to do."""


_TO_A_NUMBER = re.compile(r"\.item\(|\.tolist\(|\bfloat\(|\bint\(")

_IN_PARTS = 'or train with torch.compile(step, backend="remat"), which leaves this to eager mode and plans the rest'
_NUMBER = (
    "a tensor is turned into a Python number, which is only known when the model runs; "
    f"keep it a tensor, or compute the number before the forward, {_IN_PARTS}"
)
_BRANCH = (
    "the model decides in Python on a value that is only known when it runs; "
    f"use torch.where, or decide before the forward, instead of if, while or bool(), {_IN_PARTS}"
)

OUT_OF_MEMORY = (
    "there is not enough memory for the model; make it smaller, or build it on the meta device "
    "(with torch.device('meta'): ...), where it needs none"
)

# Raised in the backward pass, where no line of the model is known.
_MASKED_ASSIGNMENT = (
    "the backward of an assignment through a mask (x[mask] = y) depends on how many values the mask picks; "
    "use torch.where there (in speech models of transformers: set mask_time_prob=0 and mask_feature_prob=0)"
)

_LINE_OF_CODE = re.compile(r'File "[^"]*", line \d+, in [^\n]*\n *([^\n]*)')
_LONGEST = 200  # characters of a message that stands in a sentence

# The operator whose result has no shape before it runs.
_OPERATOR = re.compile(r"DynamicOutputShapeException: (aten\.\w+)")

# Parts of the names and messages of exceptions, and what they mean for the model. The first match wins.
_KNOWN_CAUSES = (
    (
        ("DynamicOutputShapeException: aten._unique", "DynamicOutputShapeException: aten.unique"),
        "how many values torch.unique finds depends on the values; compute it before the forward and give it as an "
        "argument",
    ),
    (
        ("DynamicOutputShapeException",),
        "the shape of the result depends on values; keep a fixed shape, for example with torch.where or masked_fill, "
        f"{_IN_PARTS}",
    ),
    (
        ("modified by an inplace operation", "leaf Variable that requires grad", "view of a leaf Variable"),
        "a tensor that the backward pass needs is changed in place; compute a new tensor instead",
    ),
    (
        ("a non-functional tensor with a functional tensor", "entirely functional graph"),
        "a hook or a function of the backward pass changes a tensor of the model in place; change it in the forward, "
        f"{_IN_PARTS.replace('leaves this to eager mode and plans the rest', 'can take it')}",
    ),
    (
        ("mirrored meta", "through the graph a second time"),
        "the forward runs a backward pass of its own; trace the forward and the loss only",
    ),
    (
        ("use_reentrant",),
        "the model checkpoints its activations itself, in the older of two ways; say use_reentrant=False there "
        "(gradient_checkpointing_enable({'use_reentrant': False})), or turn that off "
        "(gradient_checkpointing_disable())",
    ),
    (
        ("FlexAttention does not support backward on CPU",),
        "flex_attention has no backward on a CPU in this PyTorch; call scaled_dot_product_attention with an attn_mask "
        "of the same rule",
    ),
    (
        ("on its own. Instead, please use it with a corresponding",),
        "the model makes tensors of a class of its own (as_subclass), which a trace has not; use plain tensors, or "
        'train with torch.compile(step, backend="remat"), which can take them',
    ),
    (
        (f"{torch.Generator.__module__}.{torch.Generator.__qualname__}",),
        "the model draws numbers from a generator of its own, whose state no plan can repeat; leave out generator=, "
        f"which draws from PyTorch's, {_IN_PARTS}",
    ),
    (
        ("shape_env must not be None",),
        "the model makes nested tensors; pad them (torch.nested.to_padded_tensor) and use a mask, or keep all rows in "
        "one tensor",
    ),
    (
        ("SparseCooTensor", "SparseCsrTensor"),
        "the gradient goes through a sparse matrix; make it dense with .to_dense(), or multiply by indices "
        f"(index_add_, scatter_add_), {_IN_PARTS}",
    ),
    (
        (".numpy() is not supported",),
        "a tensor leaves PyTorch with numpy(); use PyTorch's operations on it, or compute it before the forward",
    ),
)


# Lines of libraries that nobody can change, by what stands in them or their file, and the option that avoids them.
_LIBRARY_OPTIONS = (
    (
        ("layerdrop", "skip_the_layer", "dropout_probability"),
        "set layerdrop=0 (or encoder_layerdrop and decoder_layerdrop)",
    ),
    (
        ("torch_geometric/utils/loop.py", "add_self_loops"),
        "give the layers add_self_loops=False and edges that hold the loops",
    ),
    (
        ("problem_type", "label_index"),
        "set problem_type in the model's configuration (regression, single_label_classification or "
        "multi_label_classification)",
    ),
)


def explain(error):
    """Turn any exception raised while tracing into a TraceError with one sentence."""
    if isinstance(error, TraceError):
        return error
    errors = chain(error)
    where = place_of(errors)
    if not where:
        return TraceError(f"{_meaning(errors, '')}.")
    meaning = _meaning(errors, where)
    library = library_of(where)
    if library:
        way_out = f", {_IN_PARTS}" if _IN_PARTS in meaning else ""
        meaning = f"{meaning.split(';')[0]}; {_around(where, library)}{way_out}"
    return TraceError(f"{where}: {meaning}.")


def one_line(error):
    """Kind and first line of a message, without its full stop, with PyTorch's wrapper types under their public name.

    Dynamo adds the user's lines, each with its place above it, and those are all that an assertion of its own has.
    """
    said, _, code = str(error).partition("from user code:")
    lines = said.strip().splitlines() or [f"at `{line}`" for line in _LINE_OF_CODE.findall(code)[-1:]] or ["no message"]
    message = lines[0].replace("FunctionalTensor", "Tensor").replace("FakeTensor", "Tensor").rstrip(".")
    return f"{type(error).__name__}: {textwrap.shorten(message, _LONGEST, placeholder=' …')}"


def is_out_of_memory(error):
    """True for the exceptions of Python, of GPUs and of PyTorch's allocator on the CPU."""
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or "can't allocate memory" in str(error)


def _meaning(errors, where):
    text = "\n".join(f"{type(e).__name__}: {e}" for e in errors)
    if "DataDependentOutputException" in text:
        return _NUMBER if _TO_A_NUMBER.search(where) else _BRANCH
    if "DynamicOutputShapeException" in text and not where:
        return _MASKED_ASSIGNMENT
    for marks, meaning in _KNOWN_CAUSES:
        if any(mark in text for mark in marks):
            operator = _OPERATOR.search(text)
            return meaning.replace("the result", f"the result of {operator[1]}") if operator else meaning
    if is_out_of_memory(errors[0]):
        return OUT_OF_MEMORY
    return (
        f"the model cannot be traced ({one_line(errors[0])}); "
        "check that it runs on these arguments, and replace what PyTorch cannot trace"
    )


def _around(where, library):
    """What to do about a line that is not the user's own."""
    option = next((option for marks, option in _LIBRARY_OPTIONS if any(mark in where for mark in marks)), None)
    return option or f"this is a line of {library}: look for an option of the model that avoids it"


def chain(error):
    """The exception with all that it came from, outermost first."""
    errors = []
    while error is not None and error not in errors:
        errors.append(error)
        error = error.__cause__ or error.__context__
    return errors
