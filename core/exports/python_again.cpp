// SPDX-License-Identifier: Apache-2.0
#include "core/exports/python_again.h"

namespace remat::python {

const char *const kRunningAgain = R"python(

def out_of_place(module):
    """Has modules such as ReLU(inplace=True) make a new tensor, as in the trace: what they read may be kept."""
    for each in module.modules():
        if getattr(each, "inplace", False) is True:
            each.inplace = False


def as_given(args, kwargs):
    """The arguments in containers of their own: a list may be longer when the module runs again."""
    return pytree.tree_map(lambda value: value, (args, kwargs))


def storages_of_buffers(module):
    """Where the storages of the module's buffers start."""
    return {buffer.untyped_storage().data_ptr() for buffer in module.buffers() if buffer.numel()}


def writes_to(storages, op, args):
    """Whether the call writes into one of the storages."""
    in_place = isinstance(op, torch._ops.OpOverload) and op._schema.name.endswith("_")
    return in_place and args[0].untyped_storage().data_ptr() in storages


class RunningAgain(TorchDispatchMode):
    """While the forward of a module runs again, its buffers stay as the first time has left them."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def __enter__(self):
        self.storages = storages_of_buffers(self.module)
        self.buffers = [(each, dict(each._buffers)) for each in self.module.modules()]
        return super().__enter__()

    def __exit__(self, *error):
        for each, buffers in self.buffers:
            each._buffers.update(buffers)
        return super().__exit__(*error)

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        if writes_to(self.storages, op, args):
            return args[0]
        if "batch_norm" in str(op):  # it writes to running averages, and does not say so
            args = [self.copied(value) for value in args]
        return op(*args, **(kwargs or {}))

    def copied(self, value):
        is_buffer = isinstance(value, torch.Tensor) and value.untyped_storage().data_ptr() in self.storages
        return value.clone() if is_buffer else value
)python";

} // namespace remat::python
