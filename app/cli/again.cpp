// SPDX-License-Identifier: Apache-2.0
#include "app/cli/again.h"

#include "app/cli/here.h"
#include "app/cli/solve_flags.h"

#include "core/base/memory_units.h"
#include "core/base/text.h"
#include "core/costs/update_costs.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat::cli {

namespace {

constexpr double kSeconds = 60;
constexpr const char *kAuto = "auto";

/// Gives the model what this machine remembers of the model.
Expected<void> useRemembered(ModelWithCosts &subject, const std::string &deviceTitle)
{
    const auto profile = profileRemembered(subject.asRead(), deviceTitle);
    if (!profile)
        return fail("Not all ops of the model were ever measured on {}: `remat profile` does that.",
                    printable(deviceTitle));
    const auto device = namedDevice({});
    if (!device) return tl::unexpected(device.error());
    auto costs = profileCosts(subject.asRead().graph, *profile, *device);
    if (!costs) return tl::unexpected(costs.error());
    if (subject.updates.given()) *costs = costsWithMore(subject.asRead().graph, *costs, subject.graph(), *device);
    subject.costs = std::move(*costs);
    auto keepAll = simulate(subject.graph(), subject.costs, keepAllPlan(subject.graph()).steps);
    if (!keepAll) return tl::unexpected(keepAll.error());
    subject.keepAll = std::move(*keepAll);
    return {};
}

/// The planner that made the plan, with its options; `auto` for a plan that none of ours made.
Expected<ChosenPlanner> plannerOf(const Plan &plan)
{
    SolveFlags flags;
    for (const auto &[key, value] : plan.origin.options)
        flags.set.push_back(fmt::format("{}={}", key, value));
    if (auto own = flags.choose(plan.origin.solver)) return own;
    flags.set.clear();
    if (plan.parametersPlanned) flags.set = {"parameters=on"};
    return flags.choose(kAuto);
}

} // namespace

std::int64_t bytesOver(const ValidationRecord &record, const Plan &plan)
{
    return plan.budgetBytes > 0 ? std::max<std::int64_t>(0, record.measuredPeakBytes - plan.budgetBytes) : 0;
}

Expected<Plan> planAgain(ModelWithCosts &subject, const Plan &plan, const ValidationRecord &record, std::int64_t margin)
{
    if (auto used = useRemembered(subject, record.deviceTitle); !used) return tl::unexpected(used.error());
    const auto chosen = plannerOf(plan);
    if (!chosen) return tl::unexpected(chosen.error());
    SolveRequest request;
    request.graph = &subject.graph();
    request.costs = &subject.costs;
    if (subject.model->program) request.program = &*subject.model->program;
    request.options = chosen->options;
    request.budgetBytes = plan.budgetBytes - margin;
    SolveContext context = SolveFlags().context();
    context.deadline = Deadline(kSeconds);
    auto outcome = solve(*chosen->planner, request, context);
    if (!outcome) return tl::unexpected(outcome.error());
    if (!outcome->plan)
        return fail("With what was measured no plan keeps {}: {}", formatMemory(plan.budgetBytes), outcome->message);
    outcome->plan->budgetBytes = plan.budgetBytes;
    return std::move(*outcome->plan);
}

} // namespace remat::cli
