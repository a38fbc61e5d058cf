// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch_install.h"

#include "core/base/child_process.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "gpu/torch_location.h"

#include <cstdlib>
#include <unistd.h>

namespace remat {
namespace {

constexpr int kPollMs = 100;
constexpr double kGraceSeconds = 5;
constexpr std::size_t kMostErrorBytes = 65'536;

/// Hands on the whole lines of `text` and leaves the rest in it.
void takeLines(std::string &text, const std::function<void(const std::string &)> &said)
{
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
        said(printable(text.substr(0, end)));
        text.erase(0, end + 1);
    }
}

} // namespace

bool torchIsMissing()
{
    const char *named = std::getenv("REMAT_TORCH_DIR");
    return !builtTorchVersion().empty() && !(named && *named) && !chooseTorch(torchPlaces());
}

TorchKind torchKindWanted()
{
    return access("/dev/nvidiactl", F_OK) == 0 ? TorchKind::Cuda : TorchKind::Cpu;
}

Expected<TorchInstall> torchInstall(TorchKind kind)
{
    TorchInstall install;
    install.version = builtTorchVersion();
    if (install.version.empty())
        return fail("This program was built without LibTorch and cannot run graphs with any. Build it again where "
                    "LibTorch is.");
    const bool cuda = kind == TorchKind::Cuda;
    install.folder = ownTorchEnvironment().string();
    install.size = cuda ? "3 GB" : "0.6 GB";
    install.program = "/bin/sh";
    install.arguments = {(resourceDir() / "get-torch").string(), install.folder, install.version,
                         cuda ? "cuda" : "cpu"};
    return install;
}

Expected<void> installTorch(const TorchInstall &install, const StopToken *stop,
                            const std::function<void(const std::string &)> &said)
{
    ChildProgram program;
    program.path = install.program;
    program.arguments = install.arguments;
    program.mostErrorBytes = kMostErrorBytes;
    Expected<ChildProcess> child = ChildProcess::start(program);
    if (!child) return tl::unexpected(child.error());
    std::string text;
    for (bool speaks = true; speaks;) {
        speaks = child->receive(kPollMs);
        text += child->takeBytes();
        takeLines(text, said);
        if (stop && stop->stopRequested()) return fail("Stopped.");
    }
    const ChildEnd end = child->end(kGraceSeconds);
    if (end.exitCode == 0) return {};
    const std::string why = child->lastError(); // the installer's own, after what pip has said
    return fail("LibTorch could not be got. " + (why.empty() ? "Is there a network?" : why));
}

} // namespace remat
