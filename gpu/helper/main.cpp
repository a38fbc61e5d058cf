// SPDX-License-Identifier: Apache-2.0
// remat-run: runs one trace through LibTorch, walled off from everything else. Started by the other programs, with a
// socket as standard input and output: one request comes, progress and one outcome go.
#include "gpu/gpu_choice.h"
#include "gpu/helper/device_job.h"
#include "gpu/helper/module_loader.h"
#include "gpu/memory_need.h"
#include "gpu/run_messages.h"
#include "gpu/sandbox.h"
#include "gpu/torch_install.h"

#include "core/base/child_process.h"
#include "core/base/version.h"

#include <cstdio>
#include <cstdlib>
#include <link.h>
#include <set>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

using namespace remat;

namespace {

/// The model without chunks runs beside that with chunks.
MemoryNeed needOf(const RunRequest &request)
{
    MemoryNeed need = request.need;
    need.dynamicBytes += request.wholeNeed.total();
    return need;
}

constexpr std::size_t kMostRequestBytes = std::size_t(4) << 30;

/// What LibTorch still reads once it is loaded: its own folder and those of the libraries it came with, and what the
/// kernel says about the machine.
std::vector<std::filesystem::path> readablePaths(const RunRequest &request)
{
    std::vector<std::filesystem::path> paths{
        "/usr",       "/lib", "/lib64",    "/etc/ld.so.cache", "/proc/self",   "/proc/cpuinfo", "/proc/meminfo",
        "/proc/stat", "/sys", "/dev/null", "/dev/urandom",     "/proc/sys/vm", "/proc/mounts",  "/proc/filesystems"};
    std::set<std::filesystem::path> folders;
    dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *data) {
            const std::filesystem::path library = info->dlpi_name;
            if (library.is_absolute())
                static_cast<std::set<std::filesystem::path> *>(data)->insert(library.parent_path());
            return 0;
        },
        &folders);
    for (const std::filesystem::path &folder : folders) {
        paths.push_back(folder);
        // The wheel's CUDA libraries lie beside it: site-packages/torch/lib and site-packages/nvidia.
        if (folder.filename() == "lib" && folder.parent_path().filename() == "torch")
            paths.push_back(folder.parent_path().parent_path() / "nvidia");
    }
    if (!request.model.path.empty()) paths.push_back(request.model.path);
    return paths;
}

/// Without LibTorch, so that its absence hides nothing.
RunReply findings(const RunRequest &request)
{
    const Expected<CudaModule *> cuda = loadCudaModule();
    const Expected<std::string> walls = enterSandbox({readablePaths(request), request.device == RunDevice::Cuda});
    if (!walls) return walls.error().message;
    return lookAtDevice(request, cuda);
}

RunReply reply(const RunRequest &request, RunPage &page)
{
    if (std::string none = takeGpu(request.gpu); !none.empty()) return none;
    if (request.job == RunJob::Device) return findings(request);
    const Expected<TorchModule *> module = loadModule();
    if (!module && request.job == RunJob::Info) {
        RuntimeInfo info;
        info.sentence = module.error().message;
        info.torchMissing = torchIsMissing();
        return info;
    }
    if (!module) return module.error().message;
    const bool mayUseGpu = request.job == RunJob::Info || request.device == RunDevice::Cuda;
    if (request.job != RunJob::Info) limitMemory(memoryLimit(needOf(request), request.device, freeHostBytes()));
    // The libraries are in memory and no thread runs yet: from here on nothing can be reached.
    const Expected<std::string> walls = enterSandbox({readablePaths(request), mayUseGpu});
    if (!walls) return walls.error().message;
    if (request.job == RunJob::Info) {
        RuntimeInfo info = (*module)->info();
        info.protection = *walls;
        return info;
    }
    return (*module)->run(request, page, [](const std::string &stage, double fraction) {
        writeFrame(STDOUT_FILENO, pack(RunReply(RunProgress{stage, fraction})));
    });
}

constexpr const char *kHelp =
    "remat-run runs one traced graph through LibTorch in a sandbox, for remat and remat-studio, which start it.\n"
    "\n"
    "Usage: remat-run --serve       one request from standard input, progress and outcome to standard output\n"
    "       remat-run --version\n"
    "       remat-run --help\n";

} // namespace

int main(int argumentCount, char **arguments)
{
    const std::string_view argument = argumentCount == 2 ? arguments[1] : "";
    if (argument == "--version") {
        std::printf("remat-run %s\n", programVersion().c_str());
        return 0;
    }
    if (argument != "--serve") {
        const bool asked = argument == "--help" || argument == "-h";
        std::fputs(kHelp, asked ? stdout : stderr);
        return asked ? 0 : 2;
    }
    dieWithParent();
    setenv("CUDA_CACHE_DISABLE", "1", 1); // nothing can be written anyway
    void *shared = mmap(nullptr, sizeof(RunPage), PROT_READ | PROT_WRITE, MAP_SHARED, kRunPageDescriptor, 0);
    RunPage unseen;
    RunPage &page = shared == MAP_FAILED ? unseen : *static_cast<RunPage *>(shared);

    const std::optional<std::string> bytes = readFrame(STDIN_FILENO, kMostRequestBytes);
    if (!bytes) return 2;
    std::optional<RunRequest> request = unpackRequest(*bytes);
    const RunReply outcome = request ? reply(*request, page)
                                     : RunReply("remat-run is of another build than this program. Build both again.");
    const bool sent = writeFrame(STDOUT_FILENO, pack(outcome));
    // Past every destructor: nothing is left to do, and LibTorch's take long.
    _exit(sent ? 0 : 2);
}
