// SPDX-License-Identifier: Apache-2.0
// Finds the LibTorch module and loads it.
#pragma once

#include "gpu/torch_module.h"

namespace remat {

/// `$REMAT_TORCH_MODULE`, or the module beside this program or in the `lib` beside its folder. Fails with a sentence
/// that says what is missing and how to get it.
Expected<TorchModule *> loadModule();

} // namespace remat
