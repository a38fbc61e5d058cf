// SPDX-License-Identifier: Apache-2.0
#include "core/plan/sequence_evaluator.h"
#include "solvers/chain/plan_chain.h"
#include "solvers/offload/chain_plans.h"
#include "solvers/offload/multistage.h"

namespace remat::planner {

namespace {

using chain::StageChain;
using offload::Candidates;

/// As `write` and `read`: what the link takes.
constexpr double kFromLink = -1;

struct MultistageOptions {
    chain::StageOptions cut;
    int snapshots = -1;
    offload::HostCopies copies{kFromLink, kFromLink};
};

const OptionTable<MultistageOptions> &multistageOptions()
{
    using offload::HostCopies;
    static const OptionTable<HostCopies> copies = {
        numberOption(&HostCopies::writeSteps, "write", "Cost of writing", kFromLink, 1000, "",
                     "What a copy to host memory costs, in forward steps of one stage; -1 takes the link's time for a "
                     "mean input and the mean time of a stage."),
        numberOption(&HostCopies::readSteps, "read", "Cost of reading", kFromLink, 1000, "",
                     "What a copy back from host memory costs, likewise."),
    };
    static const OptionTable<MultistageOptions> table = {
        chain::stageOptions().in(&MultistageOptions::cut),
        numberOption(&MultistageOptions::snapshots, "snapshots", "Snapshots", -1, 400, "",
                     "How many inputs of stages are held on the device at once; -1 takes the most that fit."),
        copies.in(&MultistageOptions::copies),
    };
    return table;
}

/// What is not given is the time of a copy of a mean input over the mean time of a stage.
offload::HostCopies copiesOf(const chain::ChainModel &model, const CostTable &costs, offload::HostCopies copies)
{
    double bytes = 0, us = 0;
    for (int s = 0; s < model.size(); ++s) {
        bytes += static_cast<double>(model.inputBytes[0][s]);
        us += model.stages[s].advanceUs;
    }
    const double copyUs = model.size() * costs.linkLatencyUs + 1e6 * bytes / costs.linkBytesPerSecond;
    const double fromLink = us > 0 ? copyUs / us : 0;
    for (double *steps : {&copies.writeSteps, &copies.readSteps})
        if (*steps < 0) *steps = fromLink;
    return copies;
}

/// The most snapshots whose plan fits.
Expected<void> offerMost(const FlatGraph &flat, const StageChain &line, const MultistageOptions &options,
                         Candidates &candidates, const SolveContext &context)
{
    const int stages = line.model.size();
    const offload::HostCopies copies = copiesOf(line.model, *flat.costs, options.copies);
    const int most = options.snapshots >= 0 ? std::min(options.snapshots, stages) : stages;
    const int least = options.snapshots >= 0 ? most : 0;
    offload::PagedSchedule last;
    for (int snapshots = most; snapshots >= least && !context.shouldStop(); --snapshots) {
        offload::PagedSchedule paged = offload::MultistageTable(stages, snapshots, copies).schedule(line.model);
        if (paged == last) continue;
        if (const auto offered = offload::offerSchedule(flat, line, paged, candidates, context); !offered)
            return offered;
        if (candidates.lastFits()) break;
        last = std::move(paged);
    }
    return {};
}

Expected<SolveOutcome> planMultistageRevolve(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> usable = chain::needBackward(flat, "Multistage Revolve"); !usable)
        return tl::unexpected(usable.error());
    const StopCheck stop = [&] { return context.shouldStop(); };
    const MultistageOptions options = multistageOptions().read(request.options);
    const Expected<std::vector<std::vector<int>>> labels = chain::stageLabels(flat, options.cut, stop);
    if (!labels) return tl::unexpected(labels.error());
    const std::int64_t keepAllPeakBytes =
        SequenceEvaluator(*request.graph, *request.costs)(toSequence(flat, {})).peakBytes;
    Candidates candidates(flat, request, context, {.onlyThose = true});
    for (const std::vector<int> &stages : *labels) {
        if (stop()) break;
        const StageChain line = chain::makeStageChain(flat, stages, keepAllPeakBytes, chain::plainSource(stop), stop);
        if (const auto offered = offerMost(flat, line, options, candidates, context); !offered)
            return tl::unexpected(offered.error());
    }
    return candidates.outcome("number of snapshots", "Take pofo, which keeps more than inputs, or raise the budget.");
}

} // namespace

const Planner &multistage_revolve()
{
    static const Planner planner = {
        .info =
            {
                .name = "multistage-revolve",
                .title = "Multistage Revolve",
                .kind = "checkpointing, offloading",
                .text = "Binomial checkpointing on two levels: as Revolve it holds inputs of stages only, taken as "
                        "equal, and some of them wait in host memory, which has room for any number; a copy costs time "
                        "either way. Optimal for uniform chains whose computation waits for each copy; here copies run "
                        "beside it, and only those are made that the budget asks for. Takes the largest number of "
                        "snapshots on the device whose plan fits.",
                .source = "Aupy, Herrmann, Hovland, Robert: Optimal multistage algorithm for adjoint computation, SIAM "
                          "SISC 2016, after Stumm, Walther: MultiStage approaches for optimal offline checkpointing, "
                          "SIAM SISC 2009",
                .options = multistageOptions().records(),
                .offloads = true,
            },
        .plan = planMultistageRevolve,
    };
    return planner;
}

} // namespace remat::planner
