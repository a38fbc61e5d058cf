// SPDX-License-Identifier: Apache-2.0
#include "gpu/helper/device_job.h"

#include "core/base/units.h"
#include "gpu/engine/make_accelerator.h"
#include "gpu/gpu_choice.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {
namespace {

constexpr std::int64_t kMostLinkBytes = std::int64_t(64) << 20;

/// Half of the shorter one hidden is far from one after the other.
DeviceCheck besideCompute(const CopyOverlap &overlap)
{
    constexpr double kLeastHidden = 0.5;
    DeviceCheck check{"Copies run beside compute", hiddenShare(overlap) >= kLeastHidden, {}};
    if (!check.passed)
        check.sentence = fmt::format(
            "Computing took {}, a copy {}, and both at once {}: plans that offload take longer than predicted.",
            formatTimeUs(overlap.computeUs), formatTimeUs(overlap.copyUs), formatTimeUs(overlap.bothUs));
    return check;
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
    const auto accelerator = makeAccelerator(request.device, request.costs, /*poison=*/true, 0);
    if (!accelerator) {
        const std::string asked =
            request.gpu > 0 ? fmt::format("A look at {} was asked for. ", gpuName(request.gpu)) : "";
        findings.sentence = asked + accelerator.error().message;
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
    const auto overlap = measureOverlap(**accelerator, kMostLinkBytes);
    if (overlap) findings.overlap = *overlap;
    // Threads of a busy machine say nothing of a GPU's copy engines: only there is it a matter of passing.
    if (!overlap)
        findings.checks.push_back({"Copies run beside compute", false, overlap.error().message});
    else if (request.device == RunDevice::Cuda)
        findings.checks.push_back(besideCompute(*overlap));
    return findings;
}

} // namespace remat
