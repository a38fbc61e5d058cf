# SPDX-License-Identifier: Apache-2.0
"""Where the loss comes from: a given function, the model's own, or a stand-in."""

import torch

from .errors import TraceError
from .torch_private import pytree


class Loss:
    """Turns a model's output into one scalar, and remembers in words how."""

    def __init__(self, function=None):
        self.function = function
        self.sentence = ""
        self.is_inside_model = False
        self.is_stand_in = False
        self.other_bytes = 0  # bytes of what the model gives beside its own loss

    def __call__(self, output):
        if self.function is not None:
            self.sentence = f"The loss is {_name(self.function)} of the model's output."
            return _checked(self.function(output), "the loss function")
        own = own_loss(output)
        if own is not None:
            self.sentence = "The loss is the one that the model returns."
            self.is_inside_model = True
            self.other_bytes = sum(tensor.nbytes for tensor in beside_loss(output))
            return _checked(own, "the model's own loss")
        if isinstance(output, torch.Tensor) and output.dim() == 0 and output.is_floating_point():
            self.sentence = "The loss is the scalar that the model returns."
            self.is_inside_model = True
            return _checked(output, "the model's output")
        self.is_stand_in = True
        self.sentence = (
            "No loss function was given and the model returns none, "
            "so the loss is the mean of squares of its floating-point outputs."
        )
        return _checked(mean_of_squares(output), "the mean of squares of the model's outputs")


def own_loss(output):
    """The loss that an output brings along; None without one."""
    own = getattr(output, "loss", None)
    if own is None and isinstance(output, dict):
        own = output.get("loss")
    return own if isinstance(own, torch.Tensor) else None


def mean_of_squares(output):
    """Of all floating-point tensors of an output: stands in for a loss that is not known."""
    tensors = [t for t in tensors_in(output) if t.is_floating_point()]
    if not tensors:
        raise TraceError(
            "The model returns no floating-point tensor to make a loss of; "
            "give a loss function as third value of the factory."
        )
    total = tensors[0].square().mean()
    for tensor in tensors[1:]:
        total = total + tensor.square().mean()
    return total


def beside_loss(output):
    """The tensors that a model gives beside a single number."""
    return [tensor for tensor in tensors_in(output) if tensor.numel() > 1]


def tensors_in(output):
    """All tensors in an output, also in dataclasses and in objects that PyTorch's trees do not know (caches)."""
    if hasattr(output, "to_tuple"):
        output = output.to_tuple()
    elif hasattr(output, "__dataclass_fields__"):
        output = [getattr(output, name) for name in output.__dataclass_fields__]
    return [leaf for leaf in pytree.tree_leaves(output) if isinstance(leaf, torch.Tensor)]


def _checked(loss, what):
    """The loss if it is one differentiable number."""
    what = what[0].upper() + what[1:]
    if not isinstance(loss, torch.Tensor):
        raise TraceError(f"{what} is not a tensor but {type(loss).__name__}; it must be one scalar tensor.")
    if loss.numel() != 1:
        shape = tuple(loss.shape)
        raise TraceError(f"{what} has shape {shape}, but a loss must be a single number; reduce it with .mean().")
    if not loss.is_floating_point():
        raise TraceError(f"{what} is {loss.dtype}, but a loss must be floating-point; compute it so, without rounding.")
    if not loss.requires_grad:
        raise TraceError(
            f"{what} does not depend on any parameter that requires a gradient; "
            "check for detach(), torch.no_grad() or frozen parameters."
        )
    return loss.reshape(()) if loss.dim() else loss


def _name(function):
    return getattr(function, "__qualname__", type(function).__name__).replace("<lambda>", "a lambda")
