# SPDX-License-Identifier: Apache-2.0
"""Models and arguments that no trace can be made of, told before it is tried, with the way out."""

import torch
from torch.nn.parameter import UninitializedTensorMixin

from .errors import TraceError
from .torch_private import pytree


def check_model(model):
    """Raise TraceError with a sentence where the model's modules or tensors are of a kind that is not traced."""
    for name, module in model.named_modules():
        wrapper = _sharded_by(module)
        if wrapper:
            what = f"The module {name}" if name else "The model"
            raise TraceError(
                f"{what} is sharded by {wrapper}; trace the model before it is sharded: "
                "the plan is for one process, and every process uses the same."
            )
    check_shapes(model)
    for what, tensor in _tensors(model):
        _check(tensor, what)


def check_shapes(model):
    """Raise TraceError where a tensor of the model has no shape yet."""
    for what, tensor in _tensors(model):
        if isinstance(tensor, UninitializedTensorMixin):
            raise TraceError(
                f"{what} has no shape yet (a lazy module); run the model once on its arguments first."
            )


def _tensors(model):
    for kind, named in (("parameter", model.named_parameters()), ("buffer", model.named_buffers())):
        yield from ((f"The {kind} {name}", tensor) for name, tensor in named)


def check_arguments(args):
    """The same for what the model is called with."""
    for path, leaf in pytree.tree_flatten_with_path(args)[0]:
        if isinstance(leaf, torch.Tensor):
            _check(leaf, f"The argument {pytree.keystr(path).strip('[]').strip(chr(39))}")


def _check(tensor, what):
    if tensor.is_nested:
        raise TraceError(
            f"{what} is a nested tensor; pad it with torch.nested.to_padded_tensor and give the model a mask."
        )
    if tensor.layout is not torch.strided:
        raise TraceError(
            f"{what} is sparse ({tensor.layout}); make it dense with .to_dense(), "
            "or multiply by indices (index_add_, scatter_add_) in the model."
        )
    if type(tensor).__name__ == "DTensor":
        raise TraceError(
            f"{what} is spread over processes (a DTensor); "
            "trace the model before parallelize_module or distribute_tensor."
        )


def _sharded_by(module):
    """What PyTorch calls the wrapper, by the names of its classes: importing them starts torch.distributed."""
    names = {kind.__name__ for kind in type(module).__mro__ if kind.__module__.startswith("torch.distributed.fsdp")}
    if "FSDPModule" in names:
        return "fully_shard (FSDP2)"
    return "FullyShardedDataParallel" if "FullyShardedDataParallel" in names else None
