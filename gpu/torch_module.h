// What the LibTorch module gives the loader. Both are built from this header; no type of LibTorch crosses it.
#pragma once

#include "gpu/runtime.h"

namespace remat {

/// The module's one object. Calls run one at a time; a second caller waits, and its stop token is heard while it does.
class TorchModule
{
public:
    TorchModule() = default;
    TorchModule(const TorchModule &) = delete;
    TorchModule &operator=(const TorchModule &) = delete;
    virtual ~TorchModule() = default;

    /// Versions and the GPU, if there is one. Cheap: asks the driver, not LibTorch.
    virtual RuntimeInfo info() = 0;
    virtual Expected<Profile> profileModel(const Model &model, RunDevice device, int repeats,
                                           const RunContext &context) = 0;
    virtual Expected<ValidationRecord> validatePlan(const Model &model, const CostTable &costs, const Plan &plan,
                                                    RunDevice device, const RunContext &context) = 0;
};

/// A fingerprint of everything that crosses the border, so that a module of another build is refused with a sentence
/// instead of reading our structs wrongly.
inline std::string torchModuleLayout()
{
    std::string layout = "remat-torch/1";
    for (const std::size_t size :
         {sizeof(Model), sizeof(Graph), sizeof(Op), sizeof(Storage), sizeof(Program), sizeof(Value), sizeof(Node),
          sizeof(NamedArgument), sizeof(ProgramInput), sizeof(ProgramOutput), sizeof(CostTable), sizeof(Plan),
          sizeof(Step), sizeof(ValidationRecord), sizeof(Profile), sizeof(OpMeasurement), sizeof(RuntimeInfo),
          sizeof(RunContext), sizeof(StopToken)})
        layout.append(1, '.').append(std::to_string(size));
    return layout;
}

/// The two names that the loader looks up in the module.
constexpr const char *kTorchModuleLayoutSymbol = "rematTorchModuleLayout";
constexpr const char *kTorchModuleSymbol = "rematTorchModule";
using TorchModuleLayoutFunction = const char *(*)();
using TorchModuleFunction = TorchModule *(*)();

} // namespace remat
