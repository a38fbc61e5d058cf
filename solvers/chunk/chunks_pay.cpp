// SPDX-License-Identifier: Apache-2.0
#include "solvers/chunk/chunks_pay.h"

#include "solvers/chunk/plan_in_chunks.h"

#include <algorithm>
#include <array>

namespace remat {

namespace {

/// Floors that are tried, as parts of the budget. In more pieces kernels are small, so those come last.
constexpr std::array kFloorsTried{1, 2, 4, 8};
constexpr double kQuickShare = 0.1, kQuickSeconds = 0.5;

} // namespace

bool chunksPay(const Planner &planner, const Model &model, const ChunkSetting &setting, const SolveRequest &request,
               const SolveContext &context)
{
    if (request.budgetBytes < workingSetBound(*request.graph, *request.costs).bytes) return true;
    if (!model.program || !request.pins.empty()) return false;
    const StopCheck stop = context.stopCheck(kQuickShare, kQuickSeconds);
    const TimeBound whole = bestTimeBound(*request.graph, *request.costs, request.budgetBytes, stop);
    if (whole.extraUs <= 0) return false;
    Chunking last;
    for (const std::int64_t part : kFloorsTried) {
        const Chunking chunking = chunkingForFloor(model, request.budgetBytes / part, setting, stop);
        if (context.shouldStop()) return false;
        if (chunking.regions.empty() || chunking == last) continue;
        last = chunking;
        const auto chunked = inSetting(model, chunking, setting);
        if (!chunked || chunked->floor.bytes > request.budgetBytes || chunked->keepAllTimeUs >= whole.timeUs) continue;
        SolveContext quick = context;
        quick.deadline = Deadline(std::min(kQuickSeconds, context.deadline.secondsLeft()));
        quick.progress = {};
        const auto planned = planChunking(planner, model, chunking, setting, request, quick);
        if (planned && planned->outcome.plan && planned->outcome.plan->predicted.timeUs < whole.timeUs) return true;
    }
    return false;
}

} // namespace remat
