// SPDX-License-Identifier: Apache-2.0
// Code of modules whose forward the backward pass runs again, in eager mode.
#pragma once

namespace remat::python {

/// Python: `out_of_place(module)`, which has modules such as ReLU(inplace=True) make a new tensor, as a trace has it;
/// `as_given(args, kwargs)`, which a later change of a list leaves alone; and the context `RunningAgain(module)`, in
/// which what the forward wrote to buffers stays as it is. The file has imported torch, pytree, TorchDispatchMode.
extern const char *const kRunningAgain;

} // namespace remat::python
