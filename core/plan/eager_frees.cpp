#include "core/plan/eager_frees.h"

#include <utility>

namespace remat {

std::vector<Step> withEagerFrees(const Graph &graph, const std::vector<OpId> &sequence,
                                 const std::vector<std::int64_t> &formulas)
{
    std::vector<Step> steps, held;
    std::int64_t running = -1;
    const auto endFunction = [&] {
        steps.insert(steps.end(), held.begin(), held.end());
        held.clear();
    };
    for (const Step &step : withEarliestFrees(graph, sequence)) {
        if (step.kind == StepKind::Compute) {
            const std::int64_t function = formulas[step.op.index()];
            if (function != std::exchange(running, function)) endFunction();
        }
        (step.kind == StepKind::Free && running >= 0 ? held : steps).push_back(step);
    }
    endFunction();
    return steps;
}

} // namespace remat
