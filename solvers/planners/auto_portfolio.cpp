#include "solvers/portfolio/portfolio.h"
#include "solvers/search/to_plan.h"

namespace remat::planner {

namespace {

struct AutoOptions {
    int effort = 100, rounds = 30, seeds = 2;
    bool reorder = true, useTime = true, windows = false, hiremate = true;
};

const OptionTable<AutoOptions> &autoOptions()
{
    using Options = AutoOptions;
    static const OptionTable<Options> table = {
        numberOption(
            &Options::effort, "effort", "Changes tried", 1, 100'000, "per op",
            "How many changes the first search tries for each op of the graph; later ones follow from it. More "
            "is better and slower; the time limit cuts it short."),
        numberOption(&Options::rounds, "rounds", "Rounds", 0, 100'000, "",
                     "How many further searches start from the best plan; they end earlier when nothing is gained any "
                     "more.",
                     true),
        numberOption(&Options::seeds, "seeds", "Seeds", 1, 64, "",
                     "How many searches run side by side, on as many threads as there are; the best one wins.", true),
        flagOption(
            &Options::reorder, "reorder", "Reorder",
            "Tries other orders of first computations too, which may need less memory, and keeps what is better. "
            "Bounds for the given order say nothing of plans in another.",
            true),
        flagOption(&Options::useTime, "use-time", "Use the time",
                   "Goes on until the time limit is used up while plan and bound are more than 1 % apart, with sharper "
                   "bounds and further searches in turn. Off: ends when nothing was gained for long.",
                   true),
        flagOption(&Options::windows, "windows", "Exact windows",
                   "At the end solves the fullest slots of the best plan exactly, a few at a time, with all else as it "
                   "is. Mostly this proves that they cannot be better by themselves.",
                   true),
        flagOption(&Options::hiremate, "hiremate", "Use HiRemate",
                   "Runs the hierarchical planner too, with a part of the time, where searching stays away from the "
                   "bound.",
                   true),
    };
    return table;
}

class Auto final : public Planner
{
public:
    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {
            "auto",
            "Automatic",
            "portfolio",
            "The one to take when in doubt. Shows a checked plan at once and improves it with everything there is "
            "until "
            "the time is up, the proven bound is met or nothing is gained any more: greedy drops, annealing, the "
            "hierarchical planner. Says which of them gained what.",
            "an algorithm portfolio; Gomes and Selman, Artificial Intelligence 2001",
            autoOptions().records(),
            true};
        return info;
    }

    std::optional<Plan> firstPlan(const SolveRequest &request, const SolveContext &context) const override
    {
        return remat::search::greedyFirstPlan(request, context);
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        const FlatGraph flat = flatten(*request.graph, *request.costs);
        if (const Expected<void> sizes = remat::search::checkSizes(flat); !sizes) return tl::unexpected(sizes.error());
        const AutoOptions options = autoOptions().read(request.options);
        portfolio::Settings settings;
        settings.effort.movesPerOp = options.effort;
        settings.effort.rounds = options.rounds;
        settings.effort.seeds = options.seeds;
        settings.reorder = options.reorder && !request.givenOrder;
        settings.useTime = options.useTime;
        settings.windows = options.windows;
        settings.hiremate = options.hiremate;
        return portfolio::run(request, context, settings);
    }
};

} // namespace

const Planner &auto_portfolio()
{
    static const Auto planner;
    return planner;
}

} // namespace remat::planner
