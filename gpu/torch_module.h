// SPDX-License-Identifier: Apache-2.0
// What the LibTorch module gives remat-run, which loads it. Both are built from this header; no type of LibTorch
// crosses it.
#pragma once

#include "gpu/run_messages.h"

namespace remat {

/// The module's one object. One call at a time.
class TorchModule
{
public:
    TorchModule() = default;
    TorchModule(const TorchModule &) = delete;
    TorchModule &operator=(const TorchModule &) = delete;
    virtual ~TorchModule() = default;

    /// Version, and the GPU if there is one.
    virtual RuntimeInfo info() = 0;
    /// Does the job of the request, and tells `page` which node runs. The outcome, or the sentence why there is none.
    using Progress = std::function<void(const std::string &stage, double fraction)>;
    virtual RunReply run(const RunRequest &request, RunPage &page, const Progress &progress) = 0;
};

/// A fingerprint of everything that crosses the border, so that a module of another build is refused with a sentence
/// instead of reading our structs wrongly.
inline std::string torchModuleLayout()
{
    std::string layout = "remat-torch/1";
    for (const std::size_t size : {sizeof(Model),        sizeof(Graph),
                                   sizeof(Op),           sizeof(Storage),
                                   sizeof(Program),      sizeof(Value),
                                   sizeof(Node),         sizeof(NamedArgument),
                                   sizeof(ProgramInput), sizeof(ProgramOutput),
                                   sizeof(CostTable),    sizeof(Plan),
                                   sizeof(Step),         sizeof(ValidationRecord),
                                   sizeof(Profile),      sizeof(OpMeasurement),
                                   sizeof(RuntimeInfo),  sizeof(RunRequest),
                                   sizeof(RunReply),     sizeof(RunPage)})
        layout.append(1, '.').append(std::to_string(size));
    return layout;
}

/// The two names that the loader looks up in the module.
constexpr const char *kTorchModuleLayoutSymbol = "rematTorchModuleLayout";
constexpr const char *kTorchModuleSymbol = "rematTorchModule";
using TorchModuleLayoutFunction = const char *(*)();
using TorchModuleFunction = TorchModule *(*)();

} // namespace remat
