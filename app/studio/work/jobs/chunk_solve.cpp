// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/chunk_solve.h"

#include "core/graph/optimizer.h"
#include "solvers/chunk/plan_in_chunks.h"

#include <QCoreApplication>

namespace remat::studio {

namespace {

struct ChunkSolveText {
    Q_DECLARE_TR_FUNCTIONS(ChunkSolve)
};

} // namespace

QString whyNotInChunks(const CostedModel &model, const Pins &pins)
{
    if (!model.open->unchunked().asRead().program)
        return ChunkSolveText::tr("This graph has no operators, so nothing says how it can be cut into chunks. Open "
                                  "the trace (.pt2) it was made from.");
    if (model.choice.profile)
        return ChunkSolveText::tr("Times are measured, and nothing was measured in chunks. Choose the costs of a "
                                  "device, or solve without chunks.");
    if (!pins.empty())
        return ChunkSolveText::tr("Decisions by hand are about ops, which chunks make others of. Drop them, or solve "
                                  "without chunks.");
    return {};
}

ChunkSetting chunkSetting(const CostedModel &model, std::vector<std::string> whole)
{
    ChunkSetting setting = settingOf(model.choice.device, model.open->updates);
    setting.whole = std::move(whole);
    return setting;
}

Expected<std::shared_ptr<const CostedModel>> costedInChunks(const CostedModel &model, const Chunking &chunking)
{
    Expected<std::shared_ptr<const OpenModel>> open = model.open->whole ? model.open->whole : model.open;
    if (!chunking.regions.empty()) open = openInChunks(*open, chunking, model.choice.device);
    if (!open) return tl::unexpected(open.error());
    return costModel(std::move(*open), model.choice);
}

ChunkSolve solveInChunks(const CostedModel &model, const Planner &planner, const std::vector<std::string> &whole,
                         SolveRequest request, const SolveContext &context)
{
    request.start = nullptr;
    auto planned =
        planInChunks(planner, model.open->unchunked().asRead(), chunkSetting(model, whole), request, context);
    if (!planned) return {tl::unexpected(planned.error()), nullptr};
    if (auto &plan = planned->outcome.plan) {
        plan->predicted.keepAllPeakBytes = model.keepAllPeakBytes;
        plan->predicted.keepAllTimeUs = model.keepAllTimeUs;
    }
    const Chunking &chunking = planned->chunked.chunking;
    if (!planned->outcome.plan || chunking == model.open->from.chunking) return {std::move(planned->outcome), nullptr};
    auto of = costedInChunks(model, chunking);
    if (!of) return {tl::unexpected(of.error()), nullptr};
    return {std::move(planned->outcome), std::move(*of)};
}

} // namespace remat::studio
