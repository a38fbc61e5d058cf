#include "solvers/moccasin/moccasin.h"

namespace remat::planner {

namespace {

using remat::moccasin::IntervalOptions;

const OptionTable<IntervalOptions> &moccasinOptions()
{
    using Options = IntervalOptions;
    static const OptionTable<Options> table = {
        numberOption(&Options::copies, "copies", "Copies", 1, 20, "",
                     "How often an op may be computed, its first time included."),
        numberOption(&Options::exactOps, "exact-ops", "Exact up to", 0, 250, "ops",
                     "Graphs of up to this many ops are solved by branch and cut, larger ones by search."),
        numberOption(&Options::thousandMoves, "moves", "Moves", 0, 1'000'000, "thousand",
                     "How many changes each seed of the search tries while it cools down for the first time."),
        numberOption(&Options::seeds, "seeds", "Seeds", 1, 64, "",
                     "How many searches run side by side; the best one wins.", true),
    };
    return table;
}

class Moccasin final : public Planner
{
public:
    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {
            "moccasin",
            "Moccasin",
            "retention intervals",
            "Lets every tensor be held in a few intervals only, so that each op is computed at most twice, or as often "
            "as said. Exact on small graphs: first what fits, then the fastest of it, by branch and cut. On large ones "
            "the same plans are searched by annealing, in seconds for a thousand ops.",
            "Bartan, Li, Teague, Lott, Dilkina: Moccasin: Efficient Tensor Rematerialization for Neural Networks, ICML "
            "2023",
            moccasinOptions().records(),
            true};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        return remat::moccasin::planIntervals(request, context, moccasinOptions().read(request.options));
    }
};

} // namespace

const Planner &moccasin()
{
    static const Moccasin planner;
    return planner;
}

} // namespace remat::planner
