# SPDX-License-Identifier: Apache-2.0
"""The peak of a step with Inductor's kernels before one is compiled: its own text runs on tensors without data."""

import dataclasses

import torch

from .. import torch_private
from . import dry_run, lowerings
from .held_outputs import OutputsOfCut

_CUDA_GRANULE = 512  # bytes that PyTorch's allocator on GPUs rounds to


@dataclasses.dataclass(frozen=True)
class Peak(OutputsOfCut):
    """What a step holds beside parameters, buffers and inputs, in bytes; and its work."""

    forward_bytes: int
    backward_bytes: int
    saved_bytes: int  # held from the forward to the backward, outputs included
    gradient_bytes: int  # held at the end of the backward, without outputs
    flops: int  # work of matrix products, convolutions and attention
    moved_bytes: int  # what all kernels read and write
    relaid_bytes: int  # saved copies of inputs, parameters mostly, in the layout that convolutions run in
    kept_bytes: int = 0  # held from the forward to the backward, without outputs that nobody saves
    kept_outputs_bytes: int = 0  # of a region: what of kept_bytes are its outputs
    kept_inputs_bytes: int = 0  # of a region: what of kept_bytes was given by another one
    unsaved: tuple = ()
    pieces: tuple = ()

    @property
    def step_bytes(self):
        """The peak of the whole step."""
        return max(self.forward_bytes, self.backward_bytes)


def inductor_peak(forward, backward, user_outputs, static=None, is_retained=False):
    """The exact peak of two halves as a partitioner returns them; ``user_outputs`` of the forward are not saved.

    Sizes that are left open are the largest that ``mark_dynamic`` allows, or those that the step is compiled with.
    Nothing runs but operators that are no fused kernels, once each, to measure their workspaces. ``static`` is for a
    region of a step: the positions of inputs that stay anyway, as parameters do. Then the others count, and gradients
    are those of static inputs, with a loss and its gradient. Where values decide which of two branches runs, each number
    is that of the branch in which it is larger. ``is_retained`` is for a backward that another one follows: what was
    saved for it stays, and then the gradients of the first one. Raises ``dry_run.BrokenText``.
    """
    found, has_branches = _peak_in(True, forward, backward, user_outputs, static, is_retained)
    if not has_branches:
        return found
    other, _ = _peak_in(False, forward, backward, user_outputs, static, is_retained)
    larger = max(found, other, key=lambda each: each.backward_bytes)
    sizes = map(max, _numbers_of(found), _numbers_of(other))
    return Peak(*sizes, unsaved=larger.unsaved, pieces=larger.pieces)


def _peak_in(branch, forward, backward, user_outputs, static, is_retained):
    """The Peak where all conditions turn out like this, and whether there are any."""
    values = _values(forward)
    with torch_private.compile_lock(), torch.no_grad(), torch_private.unguarded(values):
        front = lowerings.lowered_forward(forward, values)
        mode = torch_private.fake_mode()
        is_cuda = any(isinstance(value, torch.Tensor) and value.is_cuda for value in values)
        meter = dry_run.Meter(_CUDA_GRANULE if is_cuda else 1)
        with torch_private.without_modes():
            stays = [static is None or i in static for i in range(len(values))]
            given = [_fresh(value, mode) if stay else None for value, stay in zip(values, stays, strict=True)]
            with mode, meter:
                for i in (i for i, stay in enumerate(stays) if not stay):
                    given[i] = _fresh(values[i], mode)
                outputs = list(dry_run.function_of(front, mode, branch)(given))
            forward_bytes, saved_bytes = meter.peak, meter.held
            saved = outputs[user_outputs:]
            del outputs[user_outputs:]
            relaid = _relaid_bytes(forward.graph.output_node().args[0][user_outputs:], saved)
            kept_bytes = meter.held_of(saved)
            kept_outputs_bytes = meter.held_of(outputs) - (saved_bytes - kept_bytes)
            given_back = _given_back(forward, user_outputs, static or ())
            kept_inputs_bytes = meter.held_of([saved[i] for i in given_back])
            # The backward takes open sizes first, and the forward gives them last.
            saved.sort(key=lambda value: isinstance(value, torch.Tensor))
        wanted = _values(backward)
        back = lowerings.lowered(
            backward,
            [_restrided(value, saved[i]) if i < len(saved) else value for i, value in enumerate(wanted)],
            is_backward=True,
            donated=[] if is_retained else torch_private.donated_saved(forward, backward, user_outputs),
        )
        with torch_private.without_modes(), mode, meter:
            tangents = [_fresh(value, mode) for value in wanted[len(saved) :]]
            given = saved + tangents
            saved.clear()
            before = meter.held_of(outputs + tangents)
            # Autograd holds gradients until the backward is over, also zeros for those that never came.
            meter.watch([None if _is_number(value) else value for value in outputs])
            outputs = [value if _is_number(value) else None for value in outputs]
            unsaved = [(part.freed_bytes, part.positions) for part in meter.begin_part()]
            run = dry_run.function_of(back, mode, branch)
            earlier = run([*given]) if is_retained else None  # the gradients that are added to
            gradients = run(given)
            del earlier
            pieces = [*map(dataclasses.astuple, meter.parts)]
            let_go = sum(size for size, _ in unsaved) + sum(size for _, size, _ in pieces)
            gradient_bytes = meter.held + let_go - before
            if static is not None:
                numbers = [value for value in tangents if _is_number(value)]  # the script's, to the end of the step
                gradient_bytes = meter.held_of([*(gradients[i] for i in static), *outputs, *numbers])
        moved = front.moved_bytes + back.moved_bytes
        work = meter.flops, moved, relaid, kept_bytes
        shared = (0, 0) if static is None else (kept_outputs_bytes, kept_inputs_bytes)
        by_output = tuple(unsaved), tuple(pieces)
        peak = Peak(forward_bytes, 0, saved_bytes, gradient_bytes, *work, *shared, *by_output)
        peak = dataclasses.replace(peak, backward_bytes=peak.backward_bytes_with(frozenset(range(user_outputs))))
        del gradients, outputs, tangents
        return peak, dry_run.has_branches(front) or dry_run.has_branches(back)


def _numbers_of(peak):
    return [value for value in dataclasses.astuple(peak) if isinstance(value, int)]


def _values(half):
    return [node.meta["val"] for node in half.graph.find_nodes(op="placeholder")]


def _relaid_bytes(nodes, saved):
    pairs = [(node.meta["val"], made) for node, made in zip(nodes, saved, strict=True) if node.op == "placeholder"]
    pairs = [(value.stride(), made) for value, made in pairs if isinstance(made, torch.Tensor)]
    return sum(made.untyped_storage().nbytes() for wanted, made in pairs if _numbers(wanted) != made.stride())


def _given_back(forward, user_outputs, static):
    """Which of what a forward saves are inputs, but for static ones."""
    inputs = {node: i for i, node in enumerate(forward.graph.find_nodes(op="placeholder"))}
    saved = forward.graph.output_node().args[0][user_outputs:]
    return [i for i, node in enumerate(saved) if node in inputs and inputs[node] not in static]


def _fresh(value, mode):
    """A tensor without data of this shape, apart from those that are being traced; numbers as they are."""
    if not isinstance(value, torch.Tensor):
        return torch_private.size_of(value)
    with mode:
        return torch.empty_strided(_numbers(value.shape), _numbers(value.stride()), dtype=value.dtype, device=value.device)


def _numbers(sizes):
    return tuple(map(torch_private.size_of, sizes))


def _is_number(value):
    return isinstance(value, torch.Tensor) and value.numel() == 1


def _restrided(value, made):
    """The backward's placeholder with the strides that the forward really gives."""
    if not isinstance(made, torch.Tensor) or _numbers(value.stride()) == made.stride():
        return value
    with value.fake_mode:
        return value.as_strided(value.shape, made.stride())
