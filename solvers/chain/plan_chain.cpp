// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/plan_chain.h"

#include "core/base/memory_units.h"
#include "solvers/chain/table_story.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace remat::chain {

namespace {

/// Plans that are tried for their small peak when none fits.
constexpr int kSmallest = 10;

/// More stages than this are for cuts at articulation points: a line that may be cut anywhere has inputs that share
/// storages, and stages of a few ops each gain nothing there.
constexpr int kCoarse = 100;

} // namespace

OptionTable<StageOptions> stageOptions()
{
    using Options = StageOptions;
    return {
        choiceOption(
            &Options::points, "points", "Border points",
            {{"best", CutPoints::Best}, {"articulation", CutPoints::Articulation}, {"linearised", CutPoints::Anywhere}},
            "Where a stage may end: at ops that everything passes (articulation); anywhere in graph order where few "
            "bytes cross, what skips over stages being part of the input of each (linearised); or whichever "
            "of these gives the fastest plan (best)."),
        numberOption(&Options::stages, "stages", "Stages", 2, 400, "",
                     "At most this many stages. Coarser cuts are tried, too: half and a quarter of it, or, when it is "
                     "more than 100, "
                     "100, 50 and 25. More is finer and takes longer.",
                     true),
    };
}

OptionTable<TableOptions> tableOptions()
{
    return {
        stageOptions().in(&TableOptions::cut),
        numberOption(&TableOptions::memorySlots, "slots", "Memory slots", 10, 10000, "",
                     "Into how many equal parts the dynamic program divides memory; more is finer and takes longer.",
                     true),
    };
}

Expected<void> needBackward(const FlatGraph &flat, const std::string &title)
{
    if (flat.forwardOps < flat.ops) return {};
    return fail(title + " needs a graph with a forward and a backward part; this one has no backward ops.");
}

namespace {

/// Picks at most `limit` of `points`, evenly spaced.
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

} // namespace

tl::unexpected<Error> notAChain(const FlatGraph &flat, const std::string &points)
{
    const int skip = longestSkip(flat);
    std::string why =
        "Not a chain after merging: no op of the forward part is passed by everything, so one stage is left";
    if (skip >= 0)
        why +=
            fmt::format("; {}, for one, is read again after most of what follows it", flat.graph->storages[skip].name);
    return fail("{}. Set points to {}, or take hiremate.", why, points);
}

Expected<std::vector<std::vector<int>>> stageLabels(const FlatGraph &flat, const StageOptions &options,
                                                    const StopCheck &stop)
{
    const std::vector<int> articulation = articulationPoints(flat);
    if (options.points == CutPoints::Articulation && articulation.empty()) return notAChain(flat, "linearised");
    std::vector<std::vector<int>> labels;
    const auto add = [&](std::vector<int> cut) {
        if (std::find(labels.begin(), labels.end(), cut) == labels.end()) labels.push_back(std::move(cut));
    };
    std::vector<int> limits;
    if (options.stages > kCoarse) limits.push_back(options.stages);
    for (const int divisor : {1, 2, 4})
        limits.push_back(std::max(std::min(options.stages, kCoarse) / divisor, 2));
    for (const int most : limits) {
        if (stop()) throw TimeUp{};
        if (options.points != CutPoints::Anywhere && !articulation.empty())
            add(stagesOf(flat, thinned(articulation, static_cast<std::size_t>(most) - 1)));
        const int least = (flat.forwardOps + most - 1) / most;
        if (options.points == CutPoints::Anywhere || (options.points == CutPoints::Best && most <= kCoarse))
            add(hiremate::partitionLabels(flat, {least, 2 * least}));
    }
    return labels;
}

void offerFromTable(const FlatGraph &flat, const StageChain &chain, const ChainTable &table, Incumbent &incumbent,
                    const SolveContext &context)
{
    double keepAllUs = 0;
    for (const double us : flat.timeUs)
        keepAllUs += us;
    ChainSchedule last;
    for (int memory = table.memorySlots(); memory >= 0 && !context.shouldStop(); --memory) {
        const double extraUs = table.extraUs(memory);
        if (!std::isfinite(extraUs)) return;
        if (incumbent.found() && keepAllUs + extraUs >= incumbent.bestTimeUs() - 1e-9 * keepAllUs) return;
        ChainSchedule schedule = table.schedule(memory);
        if (schedule == last) continue;
        incumbent.offer(translate(flat, choiceOf(flat, chain, schedule), context));
        last = std::move(schedule);
    }
}

std::int64_t fullBytes(const ChainModel &model)
{
    std::int64_t held = 0, peak = 0;
    for (int s = 0; s < model.size(); ++s) {
        const Stage &stage = model.stages[s];
        held += stage.options.front().keptBytes + (s + 1 < model.size() ? model.inputBytes[s][s + 1] : 0);
        peak = std::max({peak, stage.options.front().forwardPeakBytes + stage.constantBytes,
                         stage.options.front().backwardPeakBytes});
    }
    return held + peak;
}

namespace {

/// Plans that the model gives the least memory for.
void offerSmallest(const FlatGraph &flat, const StageChain &chain, const ChainTable &table, Incumbent &incumbent,
                   const SolveContext &context)
{
    int memory = 0;
    while (memory <= table.memorySlots() && !std::isfinite(table.extraUs(memory)))
        ++memory;
    for (int more = 0; more < kSmallest && memory + more <= table.memorySlots() && !context.shouldStop(); ++more)
        incumbent.offer(translate(flat, choiceOf(flat, chain, table.schedule(memory + more)), context));
}

} // namespace

SolveOutcome outcomeOf(const Incumbent &incumbent, const SolveRequest &request, const SolveContext &context,
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
    const std::string budget = formatMemory(request.budgetBytes, outcome.smallestPeakBytes);
    const std::string peak = formatMemory(outcome.smallestPeakBytes);
    outcome.message =
        cut ? fmt::format("The solve ended before a plan within {} was found; the smallest peak so far is {}.", budget,
                          peak)
            : fmt::format("No {} fits {}; the smallest peak reached is {}. Take hiremate, or raise the budget.", family,
                          budget, peak);
    return outcome;
}

Expected<SolveOutcome> planByNumber(const SolveRequest &request, const SolveContext &context,
                                    const StageOptions &options, const NumberedFamily &family)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> usable = needBackward(flat, family.title); !usable) return tl::unexpected(usable.error());
    const StopCheck stop = [&] { return context.shouldStop(); };
    const Expected<std::vector<std::vector<int>>> labels = stageLabels(flat, options, stop);
    if (!labels) return tl::unexpected(labels.error());

    SequenceEvaluator evaluator(*request.graph, *request.costs);
    const std::int64_t keepAllPeakBytes = evaluator(toSequence(flat, {})).peakBytes;
    Incumbent incumbent(flat, context, request.budgetBytes);
    for (const std::vector<int> &stages : *labels) {
        const StageChain line = makeStageChain(flat, stages, keepAllPeakBytes, plainSource(stop), stop);
        const int most = family.wanted > 0 ? std::min(family.wanted, line.model.size()) : line.model.size();
        const int least = family.wanted > 0 ? most : 1;
        incumbent.setActivity("Plans");
        for (int number = most; number >= least && !context.shouldStop(); --number) {
            const ChainSchedule schedule = family.schedule(line.model, number);
            const SequenceCost cost = incumbent.offer(translate(flat, choiceOf(flat, line, schedule), context));
            if (cost.peakBytes <= request.budgetBytes) break;
        }
    }
    return outcomeOf(incumbent, request, context, family.family);
}

Expected<SolveOutcome> planByTable(const SolveRequest &request, const SolveContext &context,
                                   const TableOptions &options, const TablePlanning &planning)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> usable = needBackward(flat, planning.title); !usable)
        return tl::unexpected(usable.error());
    const StopCheck stop = [&] { return context.shouldStop(); };
    const Expected<std::vector<std::vector<int>>> labels = stageLabels(flat, options.cut, stop);
    if (!labels) return tl::unexpected(labels.error());

    Incumbent incumbent(flat, context, request.budgetBytes);
    const std::int64_t keepAllPeakBytes = incumbent.offer(std::vector<Recompute>{}).peakBytes;
    const auto planWay = [&](const std::vector<int> &stages, const OptionSource &source) {
        incumbent.setActivity("Stages");
        const StageChain chain = makeStageChain(flat, stages, keepAllPeakBytes, source, stop);
        for (const bool checkpoints : {false, true}) {
            if (checkpoints ? !planning.checkpoints : !planning.alone) continue;
            incumbent.setActivity("Dynamic program");
            const std::int64_t most = fullBytes(chain.model);
            const std::int64_t enough = std::min(most, request.budgetBytes + request.budgetBytes / 2);
            const bool told = planning.story && planning.story->frames.empty();
            {
                TableStory story(planning.story, flat, chain, request.budgetBytes);
                const ChainTable table(chain.model, {enough, options.memorySlots, checkpoints, told ? &story : nullptr},
                                       stop);
                incumbent.setActivity("Plans");
                offerFromTable(flat, chain, table, incumbent, context);
            }
            if (incumbent.found() || enough == most) continue;
            const ChainTable whole(chain.model, {most, options.memorySlots, checkpoints}, stop);
            offerSmallest(flat, chain, whole, incumbent, context);
        }
    };
    std::optional<TimeUp> tooLarge;
    const auto optimal = [&] {
        return incumbent.found() && incumbent.bestTimeUs() <= (1 + kOptimalShare) * context.boundTimeUs;
    };
    for (const bool finer : {false, true})
        for (std::size_t way = 0; way < labels->size() && keepAllPeakBytes > request.budgetBytes && !stop(); ++way) {
            if (finer && (!planning.finer || optimal())) break;
            try {
                planWay((*labels)[way], finer ? planning.finer(flat, incumbent, static_cast<int>(labels->size() - way))
                                              : planning.options(flat, incumbent));
            } catch (const TimeUp &reason) {
                tooLarge = reason;
            }
        }
    if (planning.story && !planning.story->frames.empty() && incumbent.found())
        TableStory::finish(*planning.story, flat, toRecomputes(flat, incumbent.best()), request.budgetBytes);
    if (tooLarge && !incumbent.found() && !stop()) throw TimeUp(*tooLarge);
    return outcomeOf(incumbent, request, context, planning.family);
}

} // namespace remat::chain
