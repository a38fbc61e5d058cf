#include "solvers/chain/plan_chain.h"

#include "core/base/units.h"
#include "solvers/chain/cut_points.h"

#include <algorithm>
#include <cmath>

namespace remat::chain {

std::vector<OptionRecord> stageOptions(int standardStages)
{
    return {
        choiceOption(
            "points", "Border points", {"best", "articulation", "linearised"},
            "Where a stage may end: at ops that everything passes (articulation), anywhere in graph order, few "
            "bytes crossing, what skips over stages being part of the input of each (linearised), or whichever "
            "of the two gives the faster plan (best)."),
        integerOption("stages", "Stages", standardStages, 2, 400, "",
                      "At most this many stages; more is finer and takes longer.", true),
    };
}

OptionRecord slotsOption()
{
    return integerOption(
        "slots", "Memory slots", 500, 10, 10000, "",
        "Into how many equal parts the dynamic program divides memory; more is finer and takes longer.", true);
}

Expected<void> needBackward(const FlatGraph &flat, const std::string &title)
{
    if (flat.forwardOps < flat.ops) return {};
    return fail(title + " needs a graph with a forward and a backward part; this one has no backward ops.");
}

namespace {

/// Of `points`, at most `limit`, evenly spaced.
std::vector<int> thinned(const std::vector<int> &points, std::size_t limit)
{
    if (points.size() <= limit) return points;
    std::vector<int> chosen;
    chosen.reserve(limit);
    for (std::size_t i = 1; i <= limit; ++i)
        chosen.push_back(points[i * points.size() / (limit + 1)]);
    return chosen;
}

/// The storage that skips over the most forward ops; none when there is none.
int longestSkip(const FlatGraph &flat)
{
    const std::vector<char> tiny = tinyStorages(flat);
    int longest = -1, length = 0;
    for (int s = 0; s < flat.storages(); ++s) {
        if (flat.producer[s] < 0 || tiny[s]) continue;
        for (const int reader : flat.readers[s]) {
            if (reader >= flat.forwardOps || reader - flat.producer[s] <= length) continue;
            length = reader - flat.producer[s];
            longest = s;
        }
    }
    return longest;
}

std::string notAChain(const FlatGraph &flat)
{
    const int skip = longestSkip(flat);
    std::string why =
        "Not a chain after merging: no op of the forward part is passed by everything, so one stage is left";
    if (skip >= 0)
        why += "; " + flat.graph->storages[skip].name + ", for one, is read again after most of what follows it";
    return why + ". Set points to linearised, or take hiremate.";
}

} // namespace

Expected<std::vector<std::vector<int>>> stageLabels(const FlatGraph &flat, const OptionSet &options)
{
    const std::string &points = options.choice("points");
    const int stages = options.integer("stages");
    std::vector<std::vector<int>> labels;
    if (points != "linearised") {
        const std::vector<int> all = articulationPoints(flat);
        if (!all.empty())
            labels.push_back(stagesOf(flat, thinned(all, static_cast<std::size_t>(stages) - 1)));
        else if (points == "articulation")
            return fail(notAChain(flat));
    }
    if (points != "articulation") {
        const int least = (flat.forwardOps + stages - 1) / stages;
        labels.push_back(hiremate::partitionLabels(flat, {least, 2 * least}));
    }
    return labels;
}

void offerFromTable(const FlatGraph &flat, const StageChain &chain, const ChainTable &table,
                    hiremate::Incumbent &incumbent, const std::function<bool()> &stop)
{
    double keepAllUs = 0;
    for (const double us : flat.timeUs)
        keepAllUs += us;
    ChainSchedule last;
    for (int memory = table.slots(); memory >= 0 && !stop(); --memory) {
        const double extraUs = table.extraUs(memory);
        if (!std::isfinite(extraUs)) return;
        if (incumbent.found() && keepAllUs + extraUs >= incumbent.bestTimeUs() - 1e-9 * keepAllUs) return;
        ChainSchedule schedule = table.schedule(memory);
        if (schedule == last) continue;
        incumbent.offer(translate(flat, choiceOf(flat, chain, schedule)));
        last = std::move(schedule);
    }
}

std::int64_t tableBytes(const ChainModel &model, std::int64_t budgetBytes)
{
    std::int64_t held = 0, peak = 0;
    for (int s = 0; s < model.size(); ++s) {
        const Stage &stage = model.stages[s];
        held += stage.options.front().keptBytes + (s + 1 < model.size() ? model.inputBytes[s][s + 1] : 0);
        peak = std::max({peak, stage.options.front().forwardPeakBytes + stage.constantBytes,
                         stage.options.front().backwardPeakBytes});
    }
    return std::min(held + peak, budgetBytes + budgetBytes / 2);
}

SolveOutcome outcomeOf(const hiremate::Incumbent &incumbent, const SolveRequest &request, const SolveContext &context,
                       const std::string &family)
{
    SolveOutcome outcome;
    const bool cut = context.shouldStop();
    if (incumbent.found()) {
        Plan plan;
        plan.steps = withEarliestFrees(*request.graph, incumbent.best());
        outcome.plan = std::move(plan);
        outcome.status = cut ? SolveStatus::Stopped : SolveStatus::Feasible;
        return outcome;
    }
    outcome.status = cut ? SolveStatus::Stopped : SolveStatus::Infeasible;
    outcome.smallestPeakBytes = incumbent.smallestPeakBytes();
    const std::string budget = formatBytes(request.budgetBytes, Rounding::Down);
    const std::string peak = formatBytes(outcome.smallestPeakBytes, Rounding::Up);
    outcome.message =
        cut ? "The solve ended before a plan within " + budget + " was found; the smallest peak so far is " + peak + "."
            : "No " + family + " fits " + budget + "; the smallest peak reached is " + peak +
                  ". Take hiremate, or raise the budget.";
    return outcome;
}

Expected<SolveOutcome> planByTable(const SolveRequest &request, const SolveContext &context,
                                   const TablePlanning &planning)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> usable = needBackward(flat, planning.title); !usable)
        return tl::unexpected(usable.error());
    const Expected<std::vector<std::vector<int>>> labels = stageLabels(flat, request.options);
    if (!labels) return tl::unexpected(labels.error());

    hiremate::Incumbent incumbent(flat, context, request.budgetBytes);
    const std::function<bool()> stop = [&] { return context.shouldStop(); };
    const std::int64_t keepAllPeakBytes = incumbent.offer(std::vector<Recompute>{}).peakBytes;
    for (std::size_t way = 0; way < labels->size() && keepAllPeakBytes > request.budgetBytes && !stop(); ++way) {
        incumbent.setStage("Stages");
        const StageChain chain = makeStageChain(flat, (*labels)[way], keepAllPeakBytes, planning.options);
        if (planning.found) planning.found(chain);
        incumbent.setStage("Dynamic program");
        const TableSettings settings{tableBytes(chain.model, request.budgetBytes), request.options.integer("slots"),
                                     planning.checkpoints};
        const ChainTable table(chain.model, settings, stop);
        incumbent.setStage("Plans");
        offerFromTable(flat, chain, table, incumbent, stop);
    }
    return outcomeOf(incumbent, request, context, planning.family);
}

} // namespace remat::chain
