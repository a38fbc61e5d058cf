#include "solvers/portfolio/portfolio.h"
#include "solvers/search/to_plan.h"

namespace remat::planner {

namespace {

std::vector<OptionRecord> autoOptions()
{
    return {
        integerOption(
            "effort", "Effort", 100, 1, 100'000, "/op",
            "How many changes the first search tries for each op of the graph; later ones follow from it. More "
            "is better and slower; the time limit cuts it short."),
        integerOption("rounds", "Rounds", 30, 0, 100'000, "",
                      "How many further searches start from the best plan; they end earlier when nothing is gained any "
                      "more.",
                      true),
        integerOption("seeds", "Seeds", 2, 1, 64, "",
                      "How many searches run side by side, on as many threads as there are; the best one wins.", true),
        flagOption(
            "reorder", "Reorder", true,
            "Tries other orders of first computations too, which may need less memory, and keeps what is better. "
            "Bounds for the given order say nothing of plans in another.",
            true),
        flagOption(
            "windows", "Exact windows", false,
            "At the end solves the fullest stages of the best plan exactly, a few at a time, with all else as it "
            "is. Mostly this proves that they cannot be better by themselves.",
            true),
        flagOption("hiremate", "Use HiRemate", true,
                   "Runs the hierarchical planner too, with a part of the time, where searching stays away from the "
                   "bound.",
                   true),
    };
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
            "a portfolio of this program's planners; Gomes and Selman: Algorithm portfolios, Artificial Intelligence "
            "2001",
            autoOptions(),
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
        portfolio::Settings settings;
        settings.effort.movesPerOp = request.options.integer("effort");
        settings.effort.rounds = request.options.integer("rounds");
        settings.effort.seeds = request.options.integer("seeds");
        settings.reorder = request.options.flag("reorder");
        settings.windows = request.options.flag("windows");
        settings.hiremate = request.options.flag("hiremate");
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
