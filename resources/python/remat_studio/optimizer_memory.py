# SPDX-License-Identifier: Apache-2.0
"""What an optimizer holds: its states, and what its step needs for a moment. Found on meta tensors, without numbers."""

import dataclasses

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from .torch_private import TorchDispatchMode, pytree
from .train.errors import PlanError

_ROUNDING = 512  # bytes, as PyTorch's allocator on GPUs does
_KNOWN = {
    "adamw": torch.optim.AdamW,
    "adam": torch.optim.Adam,
    "sgd": lambda parameters: torch.optim.SGD(parameters, 1e-3),
    "momentum": lambda parameters: torch.optim.SGD(parameters, 1e-3, momentum=0.9),
}


@dataclasses.dataclass(frozen=True)
class Needs:
    """Bytes, each tensor rounded up."""

    parameters_bytes: int  # bytes of all parameters, frozen ones too
    gradients_bytes: int  # gradients of those that are trained
    state_bytes: int
    update_bytes: int


def needs_of(model, optimizer):
    """What the parameters of a model and an optimizer for them take; ``optimizer`` as in ``remat_studio.fits``."""
    parameters = list(model.parameters())
    trained = [torch.empty_like(p, device="meta").requires_grad_() for p in parameters if p.requires_grad]
    state, update = _measured(_maker(optimizer), trained) if optimizer is not None and trained else (0, 0)
    return Needs(_bytes(parameters), _bytes(trained), state, update)


def _maker(optimizer):
    if isinstance(optimizer, torch.optim.Optimizer):
        return lambda parameters: type(optimizer)(parameters, **optimizer.defaults)
    if isinstance(optimizer, str) and optimizer in _KNOWN:
        return _KNOWN[optimizer]
    if callable(optimizer):
        return optimizer
    raise PlanError(f"The optimizer {optimizer!r} is none of {', '.join(_KNOWN)}; give a function that makes it.")


def _measured(make, parameters):
    """Bytes of the states, and the most that the second step makes beside them; the first one makes the states."""
    for parameter in parameters:
        parameter.grad = torch.empty_like(parameter)
    optimizer = make(parameters)
    for group in optimizer.param_groups:
        if group.get("foreach", False) is None and not group.get("fused"):
            group["foreach"] = True  # what a GPU takes unless it is told otherwise
    try:
        optimizer.step()
        with _Held() as held:
            optimizer.step()
    except (RuntimeError, NotImplementedError) as error:
        raise PlanError(
            f"The optimizer {type(optimizer).__name__} cannot step without numbers ({str(error).splitlines()[0]}); "
            "give optimizer=None, and add its states by hand."
        ) from None
    states = (value for state in optimizer.state.values() for value in pytree.tree_leaves(state))
    return _bytes(
        value for value in states if isinstance(value, torch.Tensor) and value.device.type == "meta"
    ), held.peak


def _bytes(tensors):
    storages = {tensor.untyped_storage()._cdata: tensor.untyped_storage().nbytes() for tensor in tensors}
    return sum(_rounded(size) for size in storages.values())


def _rounded(size):
    return -(-size // _ROUNDING) * _ROUNDING


class _Held(TorchDispatchMode):
    """Counts the storages that are made while it is on, as long as somebody holds them."""

    def __init__(self):
        super().__init__()
        self.peak = 0
        self._made = {}

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        before = {_key(tensor) for tensor in pytree.tree_leaves((args, kwargs)) if isinstance(tensor, torch.Tensor)}
        result = function(*args, **(kwargs or {}))
        for tensor in pytree.tree_leaves(result):
            if isinstance(tensor, torch.Tensor) and tensor.device.type == "meta" and _key(tensor) not in before:
                storage = tensor.untyped_storage()
                self._made[_key(tensor)] = StorageWeakRef(storage), _rounded(storage.nbytes())
        self._made = {key: made for key, made in self._made.items() if not made[0].expired()}
        self.peak = max(self.peak, sum(size for _, size in self._made.values()))
        return result


def _key(tensor):
    return tensor.untyped_storage()._cdata
