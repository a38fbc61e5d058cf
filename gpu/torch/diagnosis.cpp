// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/diagnosis.h"

#include "gpu/torch/compare.h"

#include <algorithm>

namespace remat {
namespace {

constexpr const char *kStage = "Looking for the step that differs";

ProgressSpan span()
{
    return {kStage, 0.9, 1.0};
}

/// As the steps are numbered in the plan: those that do not compute are empty.
Expected<std::vector<StepSums>> stepByStep(Session &session, const Graph &graph, const std::vector<Step> &steps,
                                           const RunSetting &setting)
{
    SumsRecorder recorder(session.interpreter, graph, steps.size());
    const auto run = replay(session.interpreter, *session.meter, graph, steps, setting, span(),
                            [&](OpId op) { recorder.computed(op); });
    if (!run) return tl::unexpected(run.error());
    std::vector<StepSums> result(steps.size());
    auto next = recorder.sums().begin();
    for (std::size_t step = 0; step < steps.size(); ++step)
        if (steps[step].kind == StepKind::Compute) result[step] = *next++;
    return result;
}

Expected<std::vector<StepSums>> onMachine(Machine &machine, const RunSetting &setting)
{
    std::vector<StepSums> result;
    if (auto poisoned = machine.poison(true); !poisoned) return tl::unexpected(poisoned.error());
    const auto run = machine.run(setting, span(), &result);
    if (!run) return tl::unexpected(run.error());
    return result;
}

/// What is made by an op that never settles says nothing, nor does what is made of it.
void forget(const Graph &graph, const std::vector<OpId> &restless, std::vector<StepSums> &sums)
{
    const std::vector<char> reached = reachedFrom(graph, restless);
    for (StepSums &step : sums) {
        if (!step.op) continue;
        const Op &op = graph.op(step.op);
        for (std::size_t i = 0; i < step.read.size(); ++i)
            if (reached[op.inputs[i].index()] != 0) step.read[i] = 0;
        for (std::size_t i = 0; i < step.made.size(); ++i)
            if (reached[writtenBy(op)[i].index()] != 0) step.made[i] = 0;
    }
}

} // namespace

Expected<Findings> findFault(Session &session, const Graph &graph, Machine *machine, const std::vector<Step> &reference,
                             const std::vector<Step> &plan, const RunSetting &setting)
{
    auto first = stepByStep(session, graph, reference, setting);
    if (!first) return tl::unexpected(first.error());
    const auto second = stepByStep(session, graph, reference, setting);
    if (!second) return tl::unexpected(second.error());
    Findings findings;
    findings.restless = restlessOps(graph, *first, *second);
    auto run = machine ? onMachine(*machine, setting) : stepByStep(session, graph, plan, setting);
    if (!run) return tl::unexpected(run.error());
    forget(graph, findings.restless, *first);
    if (const auto found = firstDifference(graph, *first, *run)) findings.sentence = found->sentence;
    return findings;
}

} // namespace remat
