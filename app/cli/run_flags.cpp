// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_flags.h"

#include "app/cli/interrupt.h"
#include "app/cli/number_option.h"
#include "app/cli/progress_bar.h"
#include "core/base/time_left.h"
#include "gpu/gpu_choice.h"

#include <chrono>
#include <fmt/core.h>

namespace remat::cli {

void RunFlags::add(CLI::App &command)
{
    command.add_option("--device", device, "where to run; cuda:1 is the second of several GPUs")
        ->check(CLI::Validator(
            [](const std::string &said) {
                return said == "cpu" || said == "simulated" || gpuNumber(said)
                           ? std::string()
                           : fmt::format("There is no device {}. Use cpu, simulated, cuda, or cuda:1 for the second of "
                                         "several GPUs.",
                                         said);
            },
            "{cpu,simulated,cuda}"))
        ->capture_default_str();
    addWhole(command, "--threads", threads, 1, 1024, "threads of CPU kernels; default LibTorch's own");
    addNumber(command, "--time-limit", timeLimit, 1, 1e9,
              "seconds until the run is ended; its memory has a limit, too: what the plan needs, and some slack");
    addSeed(command, "--seed", seed, "for made-up inputs and for dropout");
}

RunContext RunFlags::context(ProgressBar &bar) const
{
    RunContext context;
    context.stop = &stopOnInterrupt();
    context.gpu = gpuNumber(device).value_or(0);
    context.threads = threads;
    context.seed = seed;
    context.timeLimitSeconds = timeLimit;
    const auto start = std::chrono::steady_clock::now();
    context.progress = [&bar, start](const std::string &activity, double fraction) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        bar.show(activity, fraction, timeLeft(passed.count(), fraction));
    };
    return context;
}

} // namespace remat::cli
