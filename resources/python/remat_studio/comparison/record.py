# SPDX-License-Identifier: Apache-2.0
"""The outcome of a comparison as the archive keeps it: ``remat-comparison/1``."""

import torch

FORMAT = "remat-comparison/1"
DROPOUT = "dropout's generator"
SUM = "order of a sum"
LOOPS = "order of the sums in PyTorch's own loops"
LAYERS = "oneDNN's fused layers"
CHECKPOINTS = "what the model's own checkpoints write a second time"
FORMULAS = "another formula of autograd, which it takes while a graph is captured"
CASTS = "autocast's copies of weights, which each graph makes anew and eager mode once"
COMPILED = "the other way that code takes when it is compiled"

ROUNDINGS_OF_A_SUM = 64  # so many of its own roundings a sum may be off
_LARGEST = 1e30  # stands for what is no number: JSON has none for it


def not_compared(why, seed=0):
    """The record where nothing was run."""
    return _record("not compared", why, seed, [], None)


def compared(verdict, why, seed, tensors, first_op):
    """The record of a comparison; verdict is ``equal``, ``explained`` or ``different``."""
    return _record(verdict, why, seed, tensors, first_op)


def _record(verdict, why, seed, tensors, first_op):
    return {
        "format": FORMAT,
        "against": "eager",
        "torch": torch.__version__,
        "seed": seed,
        "verdict": verdict,
        "why": why,
        "next_step": "",  # a sentence where the step after one update has no finite numbers
        "tensors": tensors,
        "first_op": first_op,
    }


def rows(plain, graph, buffers_before):
    """Loss, gradients, and buffers that either changed: whether they are equal, and by how much they are not."""
    found = [_row(name, "loss", value, graph.outputs.get(name)) for name, value in plain.outputs.items()]
    names = dict.fromkeys([*plain.gradients, *graph.gradients])
    found += [_row(name, "gradient", plain.gradients.get(name), graph.gradients.get(name)) for name in names]
    for row in found:
        if row["kind"] == "gradient" and not row["equal"]:
            row["relative"] *= _share_of_module(row["name"], plain.gradients, graph.gradients)
    for name, before in buffers_before.items():
        values = plain.buffers[name], graph.buffers.get(name, before)
        if not all(same_bits(value, before) for value in values):
            found.append(_row(name, "buffer", *values))
    return found


def _row(name, kind, expected, value):
    equal = same_bits(value, expected)
    size = 0.0 if equal else relative(value, expected)
    return {"name": name, "kind": kind, "equal": equal, "relative": size, "explained_by": ""}


def _share_of_module(name, *runs):
    """One; or, for a gradient that is zero in exact numbers, its largest number over that of its module's gradients.

    A softmax takes out the bias of its keys, so that this bias' gradient is the roundings of a sum: tiny beside that of
    the weight in the same module, in each of the ``runs``.
    """
    shares = []
    for gradients in runs:
        module = name.rpartition(".")[0]
        largest = max(_largest(value) for each, value in gradients.items() if each.rpartition(".")[0] == module)
        own = gradients.get(name)
        if not module or own is None or _largest(own) > ROUNDINGS_OF_A_SUM * torch.finfo(own.dtype).eps * largest:
            return 1.0
        shares.append(_largest(own) / largest if largest else 1.0)
    return shares[0]


def _largest(value):
    return float(value.abs().max()) if value is not None and value.numel() else 0.0


def same_bits(value, expected):
    """Equal type, shape and numbers, where no number equals no number; -0 is 0. None is the gradient of zeros."""
    if value is None or expected is None:
        other = expected if value is None else value
        return other is None or not other.any()
    if value.shape != expected.shape or value.dtype != expected.dtype:
        return False
    return torch.equal(value, expected) or bool(((value == expected) | (value != value) & (expected != expected)).all())


def relative(value, expected):
    """The largest difference over the largest number expected."""
    if value is None or expected is None or value.shape != expected.shape:
        return 1.0
    kind = torch.complex128 if value.is_complex() or expected.is_complex() else torch.float64
    value, expected = value.detach().to(kind), expected.detach().to(kind)
    if not value.numel():
        return 0.0
    both = (value != value) & (expected != expected)
    difference = torch.where(both, 0.0, (value - expected).abs())
    largest = torch.where(expected != expected, 0.0, expected.abs()).max().clamp_min(1e-300)
    size = float(difference.max() / largest)
    return min(size, _LARGEST) if size == size else _LARGEST
