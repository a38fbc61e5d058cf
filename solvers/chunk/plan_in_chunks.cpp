// SPDX-License-Identifier: Apache-2.0
#include "solvers/chunk/plan_in_chunks.h"

#include "core/chunk/region.h"
#include "core/plan/simulator.h"
#include "solvers/chunk/by_name.h"
#include "solvers/chunk/grown_anew.h"
#include "solvers/chunk/narrower.h"
#include "solvers/chunk/pins_in_chunks.h"
#include "solvers/tools/parallel.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <set>

namespace remat {

namespace {

/// Chunkings for parts of the budget are looked for in this part of the time, and no fewer seconds.
constexpr double kSearchShare = 0.3, kSearchSeconds = 1;
/// Each chunking, and the graph as it is, gets this part of the time for a first look.
constexpr double kLookShare = 0.05;
/// Changes of the best take this part of the time at most; what is left is for its plan alone, and its rivals'.
constexpr double kChangesShare = 0.6;
/// For a bound that says whether a chunking is worth a look: this part of a look, and no fewer seconds.
constexpr double kBoundShare = 0.25, kBoundSeconds = 0.1;
/// A change of the best is worth a look where its bound is lower by this part of the added time.
constexpr double kPromise = 0.005;
/// A solve in less time says nothing.
constexpr double kLeastSeconds = 0.5;
constexpr double kForever = 1e12;
/// What keeping all of a micro-batch may take, over the budget.
constexpr double kShareOfPart = 3;

/// All plans of one search.
class ChunkedPlans
{
public:
    ChunkedPlans(const Planner &planner, const Model &model, const ChunkSetting &setting, const SolveRequest &request,
                 const SolveContext &context)
        : m_planner(planner), m_model(model), m_setting(setting), m_request(request), m_context(context)
    {
    }

    Expected<ChunkedOutcome> search()
    {
        const double total = m_context.deadline.secondsLeft(), look = std::max(kLeastSeconds, total * kLookShare);
        const double spare = total * (1 - kChangesShare);
        if (auto tried = tryOne({}, look); !tried) return tl::unexpected(tried.error());
        // What has a plan keeps its time, however short that is: chunkings are not even made then.
        const auto keepsItsTime = [&] {
            return m_best.outcome.plan && m_context.deadline.secondsLeft() < look + spare;
        };
        for (const Chunking &chunking : keepsItsTime() ? std::vector<Chunking>() : firstRound()) {
            if (keepsItsTime()) break;
            if (auto tried = tryOne(chunking, look); !tried) {
                if (m_request.pins.empty()) return tl::unexpected(tried.error());
                m_tries.push_back({chunking, "against a decision", 0}); // as far as that is known
            }
        }
        for (bool better = true; better && hasTime(spare);)
            better = improve(look, spare);
        if (auto finished = finish(); !finished) return tl::unexpected(finished.error());
        return takeBest();
    }

    /// Plans a chunking, or goes on from its plan so far, for so many seconds. With `mustPromise` only where its bound
    /// says that it may well be better than the best.
    Expected<void> tryOne(const Chunking &chunking, double seconds, bool mustPromise = false)
    {
        auto contender = contenderOf(chunking);
        if (!contender) return tl::unexpected(contender.error());
        Contender &own = **contender;
        const ChunkedModel &chunked = *own.chunked;
        if (const auto &best = m_best.outcome.plan; best && chunked.keepAllTimeUs >= best->predicted.timeUs) {
            // No plan of it is faster than its keep-all.
            leave(own, "too slow");
            return {};
        }
        if (mustPromise && !promises(own, seconds)) {
            leave(own, "no promise");
            return {};
        }
        auto pins = pinsOf(chunked);
        if (!pins) return tl::unexpected(pins.error());
        SolveRequest request = m_request;
        request.pins = std::move(*pins);
        request.start = own.plan;
        request.graph = &chunked.model->graph;
        request.costs = &chunked.costs;
        request.program = chunked.model->program ? &*chunked.model->program : nullptr;
        SolveContext context = m_context;
        if (m_context.deadline.secondsLeft() < kForever)
            context.deadline = Deadline(std::min(seconds, m_context.deadline.secondsLeft()));
        auto outcome = solve(m_planner, request, context);
        if (!outcome) return tl::unexpected(outcome.error());
        const double timeUs = outcome->plan ? outcome->plan->predicted.timeUs : 0;
        m_tries.push_back({chunking, statusName(outcome->status), timeUs});
        own.boundTimeUs = std::max(own.boundTimeUs, outcome->boundTimeUs);
        if (outcome->plan && (!own.plan || timeUs < own.plan->predicted.timeUs))
            own.plan = std::make_shared<const Plan>(*outcome->plan);
        if (isBetter(*outcome, chunked)) {
            m_best.outcome = std::move(*outcome);
            m_best.chunked = chunked;
        }
        return {};
    }

    ChunkedOutcome takeBest()
    {
        m_best.tries = std::move(m_tries);
        return std::move(m_best);
    }

private:
    /// A chunking that was planned, and may be planned on.
    struct Contender {
        std::shared_ptr<const ChunkedModel> chunked;
        double boundTimeUs = 0, quickBoundTimeUs = 0; ///< 0: not known
        std::shared_ptr<const Plan> plan;             ///< may be none yet
    };

    Expected<Contender *> contenderOf(const Chunking &chunking)
    {
        for (Contender &known : m_contenders)
            if (known.chunked->chunking == chunking) return &known;
        auto chunked = inSetting(m_model, chunking, m_setting);
        if (!chunked) return tl::unexpected(chunked.error());
        Contender made;
        made.chunked = std::make_shared<const ChunkedModel>(std::move(*chunked));
        return &m_contenders.emplace_back(std::move(made));
    }

    /// A chunking that is no longer looked at does not keep its graph, unless it is the one as it is.
    void leave(Contender &own, const char *why)
    {
        m_tries.push_back({own.chunked->chunking, why, 0});
        if (&own == &m_contenders.back() && m_contenders.size() > 1) m_contenders.pop_back();
    }

    /// Whether the bound of a chunking is lower than that of the best by more than is worth nothing. Both are found in
    /// the same way: what a solve has proven since then says nothing of the other.
    bool promises(Contender &own, double seconds)
    {
        if (!m_best.outcome.plan || m_context.deadline.secondsLeft() >= kForever) return true;
        const double bestUs = m_best.outcome.plan->predicted.timeUs;
        const auto best = contenderOf(m_best.chunked.chunking);
        const double whole = keepAllOfWhole();
        return quickBound(own, seconds) <
               std::min(bestUs, (best ? quickBound(**best, seconds) : bestUs) - kPromise * (bestUs - whole));
    }

    double quickBound(Contender &of, double seconds) const
    {
        if (of.quickBoundTimeUs <= 0) {
            SolveContext context = m_context;
            context.deadline = Deadline(std::max(kBoundSeconds, seconds * kBoundShare));
            of.quickBoundTimeUs =
                bestTimeBound(of.chunked->model->graph, of.chunked->costs, m_request.budgetBytes, context.stopCheck())
                    .timeUs;
        }
        return of.quickBoundTimeUs;
    }

    double keepAllOfWhole() const { return m_contenders.front().chunked->keepAllTimeUs; }

    /// The time that is left. A third each goes to the chunking that could be fastest by its bound, and to the fastest
    /// that cuts other ops, or none; then what has a plan, or came nearest to one, gets the rest.
    Expected<void> finish()
    {
        const double share = m_context.deadline.secondsLeft() / 3;
        for (const Chunking &rival : rivalsOfBest()) {
            if (!mayGetBetter()) return {};
            if (auto tried = tryOne(rival, share); !tried) return tried;
        }
        if (!mayGetBetter()) return {};
        const Chunking best = m_best.chunked.chunking;
        return tryOne(best, m_context.deadline.secondsLeft());
    }

    bool mayGetBetter() const
    {
        return m_context.deadline.secondsLeft() < kForever && hasTime(0) &&
               m_best.outcome.status != SolveStatus::Optimal && !isBelowFloor(m_best.chunked);
    }

    std::vector<Chunking> rivalsOfBest() const
    {
        const Chunking &best = m_best.chunked.chunking;
        if (best.regions.empty() || !m_best.outcome.plan || m_context.deadline.secondsLeft() >= kForever) return {};
        const Contender *lowest = nullptr, *other = nullptr;
        for (const Contender &one : m_contenders) {
            if (one.boundTimeUs <= 0 || one.chunked->chunking == best) continue;
            if (one.boundTimeUs < (lowest ? lowest->boundTimeUs : m_best.outcome.boundTimeUs)) lowest = &one;
            const bool isFaster = one.plan && (!other || one.plan->predicted.timeUs < other->plan->predicted.timeUs);
            if (isFaster && one.boundTimeUs < m_best.outcome.plan->predicted.timeUs &&
                cutsOthers(one.chunked->chunking, best))
                other = &one;
        }
        std::vector<Chunking> rivals;
        if (lowest) rivals.push_back(lowest->chunked->chunking);
        if (other && other != lowest) rivals.push_back(other->chunked->chunking);
        return rivals;
    }

    static bool cutsOthers(const Chunking &a, const Chunking &b)
    {
        const auto nodesOf = [](const Chunking &chunking) {
            std::set<std::string> nodes;
            for (const ChunkRegion &region : chunking.regions)
                for (const auto &entry : region.nodes)
                    nodes.insert(entry.first);
            return nodes;
        };
        return nodesOf(a) != nodesOf(b);
    }

    /// The decisions by hand, which are about the graph as it is.
    Expected<Pins> pinsOf(const ChunkedModel &chunked) const
    {
        if (m_request.pins.empty() || chunked.chunking.regions.empty()) return m_request.pins;
        const auto whole = inSetting(m_model, {}, m_setting);
        if (!whole) return tl::unexpected(whole.error());
        return pinsInChunks(m_request.pins, whole->model->graph, chunked.chunking, chunked.model->graph);
    }

    /// Chunkings that bring working sets to the budget and parts of it, each once.
    std::vector<Chunking> firstRound() const
    {
        std::vector<Chunking> candidates;
        const StopCheck stop = m_context.stopCheck(kSearchShare, kSearchSeconds);
        const auto add = [&](Chunking chunking) {
            if (!chunking.regions.empty() &&
                std::find(candidates.begin(), candidates.end(), chunking) == candidates.end())
                candidates.push_back(std::move(chunking));
        };
        constexpr std::array kParts{1, 2, 4, 8};
        std::array<Chunking, kParts.size()> forParts;
        parallelFor(m_context.threads, kParts.size(), [&](std::size_t i) {
            forParts[i] = chunkingForFloor(m_model, m_request.budgetBytes / kParts[i], m_setting, stop);
        });
        for (Chunking &chunking : forParts)
            add(std::move(chunking));
        add(microBatchesForBudget());
        return candidates;
    }

    bool isBelowFloor(const ChunkedModel &chunked) const { return m_request.budgetBytes < chunked.floor.bytes; }

    /// More than `spare` seconds are left.
    bool hasTime(double spare) const
    {
        const double left = m_context.deadline.secondsLeft();
        return !m_context.shouldStop() && left >= std::max(kLeastSeconds, spare);
    }

    /// Without a plan of either, the one that came down nearest to the budget; of those that no plan can fit, the one
    /// that needs least.
    bool isBetter(const SolveOutcome &outcome, const ChunkedModel &chunked) const
    {
        if (m_tries.size() == 1) return true;
        const std::optional<Plan> &best = m_best.outcome.plan;
        if (!outcome.plan && !best) return distance(outcome, chunked) < distance(m_best.outcome, m_best.chunked);
        if (!outcome.plan || !best) return outcome.plan.has_value();
        return outcome.plan->predicted.timeUs < best->predicted.timeUs;
    }

    /// How far a solve without a plan stayed from one: whether none can be, and the bytes that it came to.
    std::pair<bool, std::int64_t> distance(const SolveOutcome &outcome, const ChunkedModel &chunked) const
    {
        if (isBelowFloor(chunked)) return {true, chunked.floor.bytes};
        const bool known = outcome.smallestPeakBytes > 0;
        return {false, known ? outcome.smallestPeakBytes : std::numeric_limits<std::int64_t>::max()};
    }

    /// The whole step in so few micro-batches that keeping all of one takes about three times the budget. Fewer would
    /// leave too much to a plan, and more make kernels small; changes of the best find out. None where the budget is
    /// not that small, and where an op forbids it.
    Chunking microBatchesForBudget() const
    {
        const auto whole = inSetting(m_model, {}, m_setting);
        if (!whole || m_request.budgetBytes <= 0) return {};
        const auto kept = simulate(whole->model->graph, whole->costs, keepAllPlan(whole->model->graph).steps);
        if (!kept) return {};
        int k = 1;
        while (k < m_setting.mostChunks &&
               k * kShareOfPart * static_cast<double>(m_request.budgetBytes) < static_cast<double>(kept->peakBytes))
            k *= 2;
        if (k == 1) return {};
        auto chunking = chunkingByName("batch=" + std::to_string(k), m_model, m_setting);
        return chunking ? std::move(*chunking) : Chunking();
    }

    bool wasTried(const Chunking &chunking) const
    {
        return std::any_of(m_tries.begin(), m_tries.end(),
                           [&](const ChunkTry &one) { return one.chunking == chunking; });
    }

    /// Changes of the best chunking, one kind of region at a time; true when one of them is better.
    bool improve(double seconds, double spare)
    {
        const Chunking start = m_best.chunked.chunking;
        const double before = m_best.outcome.plan ? m_best.outcome.plan->predicted.timeUs : 0;
        for (const Chunking &next : neighbours(start)) {
            if (!hasTime(spare)) return false;
            if (wasTried(next)) continue;
            // A change that the table does not allow is none.
            if (!tryOne(next, seconds, true)) m_tries.push_back({next, "impossible", 0});
            if (m_best.outcome.plan && (before == 0 || m_best.outcome.plan->predicted.timeUs < before)) return true;
        }
        return false;
    }

    /// All regions with the same number of pieces changed alike: to twice, to half, whole, and by parts of it; then
    /// along other dims, wider, and narrower ones.
    std::vector<Chunking> neighbours(const Chunking &chunking) const
    {
        std::vector<int> numbers;
        for (const ChunkRegion &region : chunking.regions)
            if (std::find(numbers.begin(), numbers.end(), region.k) == numbers.end()) numbers.push_back(region.k);
        std::vector<Chunking> result;
        for (const int k : numbers) {
            for (const int next : {morePieces(k, m_setting), k / 2, 0, k + k / 2, k + k / 4, k - k / 4}) {
                if (next == 1 || next == k || next > m_setting.mostChunks) continue;
                Chunking changed;
                for (ChunkRegion region : chunking.regions) {
                    if (region.k == k) region.k = next;
                    if (m_setting.wideSums) setUsualSums(region, *m_model.program);
                    if (region.k != 0) changed.regions.push_back(std::move(region));
                }
                result.push_back(std::move(changed));
            }
        }
        for (Chunking &changed : grownAnew(m_model, chunking, m_setting))
            result.push_back(std::move(changed));
        if (m_best.chunked.model)
            for (Chunking &changed : narrowerOf(m_model, m_best.chunked, m_setting))
                result.push_back(std::move(changed));
        return result;
    }

    const Planner &m_planner;
    const Model &m_model;
    const ChunkSetting &m_setting;
    const SolveRequest &m_request;
    const SolveContext &m_context;
    ChunkedOutcome m_best;
    std::vector<ChunkTry> m_tries;
    std::deque<Contender> m_contenders; ///< the graph as it is first
};

} // namespace

Expected<ChunkedOutcome> planInChunks(const Planner &planner, const Model &model, const ChunkSetting &setting,
                                      const SolveRequest &request, const SolveContext &context)
{
    return ChunkedPlans(planner, model, setting, request, context).search();
}

Expected<ChunkedOutcome> planChunking(const Planner &planner, const Model &model, const Chunking &chunking,
                                      const ChunkSetting &setting, const SolveRequest &request,
                                      const SolveContext &context)
{
    ChunkedPlans plans(planner, model, setting, request, context);
    if (auto tried = plans.tryOne(chunking, context.deadline.secondsLeft()); !tried)
        return tl::unexpected(tried.error());
    return plans.takeBest();
}

} // namespace remat
