// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/failure.h"

#include <c10/util/Exception.h>
#include <fmt/core.h>

namespace remat {

std::string firstLine(const std::exception &error)
{
    const auto *own = dynamic_cast<const c10::Error *>(&error);
    std::string text = own ? own->what_without_backtrace() : error.what();
    if (const std::size_t end = text.find('\n'); end != std::string::npos) text.resize(end);
    return text;
}

std::string operatorFailure(const Node &node, c10::Device device, const std::exception &error)
{
    const std::string where = fmt::format("Op {} ({})", node.name, node.opName);
    if (dynamic_cast<const c10::OutOfMemoryError *>(&error))
        return fmt::format("{} ran out of memory on {}. Choose a smaller budget or a smaller batch.", where,
                           device.str());
    if (dynamic_cast<const c10::NotImplementedError *>(&error)) {
        if (node.opName.find("attention") != std::string::npos)
            return fmt::format("{} has no kernel for {}. Trace the model with plain attention (transformers: "
                               "attn_implementation=\"eager\"), or with --device {}.",
                               where, device.str(), device.is_cuda() ? "cuda" : "cpu");
        return fmt::format("{} has no kernel for {}. Trace the model with --device {}.", where, device.str(),
                           device.is_cuda() ? "cuda" : "cpu");
    }
    const std::string reason = firstLine(error);
    if (reason.find("DefaultCPUAllocator") != std::string::npos)
        return where + " asked for more memory than there is, or than this run may take by what the trace says of it. "
                       "Trace the model again, or with a smaller batch.";
    return fmt::format("{} failed on {}: {}", where, device.str(), reason);
}

} // namespace remat
