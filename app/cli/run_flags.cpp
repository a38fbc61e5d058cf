#include "app/cli/run_flags.h"

#include "app/cli/interrupt.h"
#include "app/cli/progress_bar.h"

namespace remat::cli {

void RunFlags::add(CLI::App &command)
{
    command.add_option("--device", device, "where to run")
        ->check(CLI::IsMember({"cpu", "cuda"}))
        ->capture_default_str();
    command.add_option("--threads", threads, "threads of CPU kernels; default LibTorch's own")
        ->check(CLI::Range(1, 1024));
    command
        .add_option("--time-limit", timeLimit,
                    "seconds after which the run is ended; its memory is limited too, to what the plan needs and slack")
        ->check(CLI::Range(1.0, 1e9))
        ->capture_default_str();
    command.add_option("--seed", seed, "of made-up inputs and of dropout")->capture_default_str();
}

RunContext RunFlags::context(ProgressBar &bar) const
{
    RunContext context;
    context.stop = &stopOnInterrupt();
    context.threads = threads;
    context.seed = seed;
    context.timeLimitSeconds = timeLimit;
    context.progress = [&bar](const std::string &stage, double fraction) { bar.show(stage, fraction, ""); };
    return context;
}

} // namespace remat::cli
