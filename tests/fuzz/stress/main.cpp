// SPDX-License-Identifier: Apache-2.0
// remat-stress: planners, checker and bounds against odd graphs.
#include "tests/fuzz/child.h"
#include "tests/fuzz/stress/stress.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <map>
#include <new>

using namespace remat::fuzz;

namespace {

// A case takes at most some seconds; the rest is for a busy machine.
constexpr double kSecondsForOne = 120;
constexpr int kProcessorSecondsForOne = 60;
constexpr std::int64_t kCasesOfAChild = 200;

struct Shared {
    std::int64_t next;
    StressFigures figures;
};

struct Flags {
    std::uint64_t seed = 1;
    std::int64_t plans = 500, from = 0, only = -1;
    double seconds = 1e9;
};

double secondsNow()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int runOnly(const Flags &flags)
{
    std::printf("%s\n", caseText(flags.seed, flags.only).c_str());
    std::fflush(stdout);
    StressFigures figures;
    stress(flags.seed, flags.only, figures);
    std::printf("%s\n", figures.plans > 0 ? "a plan" : figures.infeasible > 0 ? "no plan" : "refused");
    return 0;
}

int run(const Flags &flags)
{
    if (flags.only >= 0) return runOnly(flags);
    const SharedBytes bytes(sizeof(Shared));
    auto *shared = new (bytes.data()) Shared{flags.from, {}};
    std::map<std::string, std::pair<std::int64_t, int>> failures; // the first case that says it, and how many do
    const double begin = secondsNow();
    while (shared->figures.plans < flags.plans && secondsNow() - begin < flags.seconds) {
        const Ending ending = inChild(
            [&] {
                for (std::int64_t i = 0; i < kCasesOfAChild && shared->figures.plans < flags.plans; ++i) {
                    if (secondsNow() - begin > flags.seconds) return;
                    limitProcessorTime(kProcessorSecondsForOne);
                    stress(flags.seed, shared->next, shared->figures);
                    ++shared->next;
                }
                limitProcessorTime(0);
            },
            kSecondsForOne * static_cast<double>(kCasesOfAChild));
        if (ending.good) continue;
        auto &[first, count] = failures.try_emplace(ending.sign, shared->next, 0).first->second;
        if (++count == 1) std::fprintf(stderr, "case %lld: %s\n", static_cast<long long>(first), ending.sign.c_str());
        ++shared->next;
    }
    const StressFigures &f = shared->figures;
    const auto number = [](const char *what, std::int64_t n) {
        std::printf("%-52s %8lld\n", what, static_cast<long long>(n));
    };
    number("cases", f.cases);
    number("plans, each through checker, bounds, file and exports", f.plans);
    number("  with decisions made by hand", f.pinned);
    number("  with planned parameters", f.parameters);
    number("  on another device than the reference", f.devices);
    number("no plan, with a sentence", f.infeasible);
    number("planner does not apply, with a sentence", f.refused);
    number("solved twice, the same", f.again);
    number("held against brute force", f.exact);
    number("held against the bounds that take a while", f.bounds);
    number("failures", static_cast<std::int64_t>(failures.size()));
    std::printf("%.0f seconds\n", secondsNow() - begin);
    for (const auto &[sign, where] : failures)
        std::printf("%s\n  %d times; again with: remat-stress --seed %llu --only %lld\n", sign.c_str(), where.second,
                    static_cast<unsigned long long>(flags.seed), static_cast<long long>(where.first));
    return failures.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    CLI::App app("Random odd graphs x planners x budgets x decisions x devices, against the checker and the bounds.");
    Flags flags;
    app.add_option("--plans", flags.plans, "to be made and judged")->capture_default_str();
    app.add_option("--seconds", flags.seconds, "at most");
    app.add_option("--seed", flags.seed, "the same seed gives the same cases")->capture_default_str();
    app.add_option("--from", flags.from, "number of the first case")->capture_default_str();
    app.add_option("--only", flags.only, "shows and runs one case, in this process");
    CLI11_PARSE(app, argc, argv);
    return run(flags);
}
