// SPDX-License-Identifier: Apache-2.0
#include "solvers/interface/solver.h"
#include "solvers/online/outcome.h"
#include "solvers/online/policies.h"
#include "solvers/online/scores.h"

namespace remat::planner {

namespace {

using online::ScoreKind;

struct DtrOptions {
    ScoreKind score = ScoreKind::Dtr;
    online::RunOptions run;
};

const OptionTable<DtrOptions> &dtrOptions()
{
    static const OptionTable<DtrOptions> table = {
        choiceOption(&DtrOptions::score, "score", "Score",
                     {{"dtr", ScoreKind::Dtr},
                      {"dtr-eq", ScoreKind::DtrEq},
                      {"local", ScoreKind::Local},
                      {"msps", ScoreKind::Msps},
                      {"lru", ScoreKind::Lru},
                      {"size", ScoreKind::Size},
                      {"random", ScoreKind::Random}},
                     "What is evicted first. dtr: what takes least time to bring back, together with its evicted "
                     "neighbours, for its bytes and the time since it was read. dtr-eq: the same, with neighbours "
                     "estimated by classes. local: without neighbours. msps: with ancestors only, whenever it was "
                     "read. lru: what was read longest ago. size: the largest. random: any."),
        online::runOptions().in(&DtrOptions::run),
    };
    return table;
}

Expected<SolveOutcome> planDtr(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    const DtrOptions options = dtrOptions().read(request.options);
    bool told = context.story != nullptr; // the run under the budget that was asked for tells, no other
    return online::withNeighbours(request, context, options.run.neighbours, [&](std::int64_t budgetBytes) {
        online::CountingPolicy policy(budgetBytes);
        online::Runtime runtime(flat, policy, options.run.thrashLimit);
        const auto score = online::makeScore(options.score, runtime, context.seed);
        policy.setScore(*score);
        std::optional<online::EvictionStory> story;
        if (told) {
            story.emplace(*context.story, runtime);
            policy.setStory(&*story);
        }
        told = false;
        const online::RunEnd end = runtime.run([&] { return context.shouldStop(); });
        if (story && end == online::RunEnd::Done) story->finish();
        return online::toOutcome("DTR", request, runtime, end, options.run.earliestFrees);
    });
}

} // namespace

const Planner &dtr()
{
    static const Planner planner = {
        .info =
            {
                .name = "dtr",
                .title = "DTR",
                .kind = "online",
                .text = "Runs the training step as an eager framework would, and whenever memory runs out evicts what "
                        "scores lowest; what is read again is computed again. Knows nothing of what is still to come, "
                        "so it is quick, far from the best. Where it fails although less memory is enough, the run "
                        "with less is taken.",
                .source = "Kirisame et al.: Dynamic Tensor Rematerialization, ICLR 2021",
                .options = dtrOptions().records(),
                .tells = true,
            },
        .plan = planDtr,
    };
    return planner;
}

} // namespace remat::planner
