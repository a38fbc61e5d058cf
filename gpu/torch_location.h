// SPDX-License-Identifier: Apache-2.0
// Where LibTorch is on this machine. It is found at run time, so that one package serves everybody's: nothing of the
// machine that built is in the programs.
#pragma once

#include "core/base/expected.h"

#include <filesystem>
#include <string>
#include <vector>

namespace remat {

/// A folder that may hold LibTorch as the PyPI wheel ships it: `lib/libtorch_cpu.so`, and `version.py` beside `lib`.
struct TorchPlace {
    std::filesystem::path folder;
    std::string from;    ///< how we came to look there, such as `$VIRTUAL_ENV`
    bool chosen = false; ///< named by the person for this purpose: nothing else is taken instead
    std::string version; ///< `2.11.0+cu130`; empty when it could not be told
    std::string refusal; ///< why it is not taken, as part of a sentence; empty when it may be
};

/// `2.11.0`: the version that the LibTorch module is built against; empty in a build without it.
std::string builtTorchVersion();

/// Where LibTorch goes that the program itself got: `$XDG_DATA_HOME/remat-studio/torch`, a virtual environment.
std::filesystem::path ownTorchEnvironment();

/// The LibTorch installations of this machine, in the order they are preferred, each judged. Only folders that exist,
/// and always the one that $REMAT_TORCH_DIR names. Looks at the disk anew each time; any thread.
///
/// The current folder's .venv is not among them: whoever opens a model in a downloaded folder must not run its
/// libraries.
std::vector<TorchPlace> torchPlaces();

/// The first of `places` that may be taken, or the sentence that says what was found, why it will not do, and how to
/// get LibTorch.
Expected<TorchPlace> chooseTorch(const std::vector<TorchPlace> &places);

/// Finds LibTorch and loads `libc10.so` and `libtorch_cpu.so`. The module, which is linked to libraries of these names
/// and has no folder in it, gets these when it is loaded after. Blocks for as long as the disk takes.
Expected<TorchPlace> loadTorch();

} // namespace remat
