#include "gpu/helper/device_job.h"

#include "gpu/engine/simulated_accelerator.h"

#include <algorithm>
#include <memory>

namespace remat {
namespace {

constexpr std::int64_t kMostLinkBytes = std::int64_t(64) << 20;

Expected<std::unique_ptr<Accelerator>> acceleratorFor(const RunRequest &request, const Expected<CudaModule *> &cuda)
{
    if (request.device == RunDevice::Cuda) {
        if (!cuda) return tl::unexpected(cuda.error());
        return (*cuda)->accelerator({});
    }
    SimulatedSettings settings;
    if (request.device == RunDevice::Simulated) {
        settings.linkBytesPerSecond = request.costs.linkBytesPerSecond;
        settings.linkLatencyUs = request.costs.linkLatencyUs;
    }
    return std::make_unique<SimulatedAccelerator>(settings);
}

} // namespace

DeviceFindings lookAtDevice(const RunRequest &request, const Expected<CudaModule *> &cuda)
{
    DeviceFindings findings;
    if (cuda) {
        // The driver is asked only where it is wanted: it opens the GPU.
        if (request.device == RunDevice::Cuda) findings.cuda = (*cuda)->find();
        findings.module = "built, loads";
        if (!findings.cuda.compiledFor.empty()) findings.module += ", for " + findings.cuda.compiledFor;
    } else {
        findings.module = cuda.error().message;
    }
    const auto accelerator = acceleratorFor(request, cuda);
    if (!accelerator) {
        findings.sentence = accelerator.error().message;
        return findings;
    }
    findings.checks = checkDevice(**accelerator);
    const bool sound = std::all_of(findings.checks.begin(), findings.checks.end(),
                                   [](const DeviceCheck &check) { return check.passed; });
    if (!sound) return findings;
    auto link = measureLink(**accelerator, kMostLinkBytes);
    if (link)
        findings.link = std::move(*link);
    else
        findings.checks.push_back({"The link is measured", false, link.error().message});
    return findings;
}

} // namespace remat
