#include "gpu/torch/devices.h"
#include "gpu/torch/failure.h"
#include "gpu/torch/runs.h"
#include "gpu/torch_module.h"

#include <chrono>
#include <mutex>

namespace remat {
namespace {

class Module final : public TorchModule
{
public:
    Module() : m_info(probeDevices()) {}

    RuntimeInfo info() override { return m_info; }

    Expected<Profile> profileModel(const Model &model, RunDevice device, int repeats,
                                   const RunContext &context) override
    {
        return guarded<Profile>(context, [&] { return runProfile(model, device, repeats, m_info, context); });
    }

    Expected<ValidationRecord> validatePlan(const Model &model, const CostTable &costs, const Plan &plan,
                                            RunDevice device, const RunContext &context) override
    {
        return guarded<ValidationRecord>(context,
                                         [&] { return runValidation(model, costs, plan, device, m_info, context); });
    }

private:
    /// One job at a time, since memory is counted for the whole process; and no exception of LibTorch gets out.
    template <class T, class Job>
    Expected<T> guarded(const RunContext &context, const Job &job)
    {
        std::unique_lock lock(m_busy, std::defer_lock);
        while (!lock.try_lock_for(std::chrono::milliseconds(50)))
            if (context.stop && context.stop->stopRequested()) return fail("Stopped.");
        try {
            return job();
        } catch (const std::bad_alloc &) {
            return fail("Memory ran out. Trace the model with a smaller batch, or run it on a larger machine.");
        } catch (const std::exception &error) {
            return fail("LibTorch refused: " + firstLine(error));
        }
    }

    RuntimeInfo m_info;
    std::timed_mutex m_busy;
};

} // namespace
} // namespace remat

extern "C" __attribute__((visibility("default"))) const char *rematTorchModuleLayout()
{
    static const std::string kLayout = remat::torchModuleLayout();
    return kLayout.c_str();
}

extern "C" __attribute__((visibility("default"))) remat::TorchModule *rematTorchModule()
{
    static remat::Module module;
    return &module;
}
