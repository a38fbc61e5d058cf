// SPDX-License-Identifier: Apache-2.0
// Getting LibTorch for somebody who asks for it: `remat torch --install`, and the button in the window.
#pragma once

#include "core/base/expected.h"
#include "core/base/stop_token.h"

#include <functional>
#include <string>
#include <vector>

namespace remat {

enum class TorchKind { Cpu, Cuda };

/// What is run, and what it costs.
struct TorchInstall {
    std::string program;
    std::vector<std::string> arguments; ///< without the program's own name
    std::string folder;                 ///< ownTorchEnvironment()
    std::string version;
    std::string size; ///< size of the download: `0.6 GB`
};

/// Whether getting LibTorch is what helps: this program can run graphs with it, there is none that may be taken, and
/// nobody has named a folder of their own. Looks at the disk.
bool torchIsMissing();

/// What a machine like this one needs: CUDA's libraries only where there is a GPU.
TorchKind torchKindWanted();

/// Fails in a build that no LibTorch fits.
Expected<TorchInstall> torchInstall(TorchKind kind);

/// Runs it. `said` is called with every line that the installer prints, on the calling thread. Blocks for minutes; ends
/// it with all its children when the stop token is set ("Stopped."). Fails with what the installer complained of.
Expected<void> installTorch(const TorchInstall &install, const StopToken *stop,
                            const std::function<void(const std::string &)> &said);

} // namespace remat
