// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/offmate.h"

#include "core/plan/sequence_evaluator.h"
#include "solvers/search/search.h"
#include "solvers/tools/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace remat::offload {

namespace {

/// Shares of the budget that stay free for copies on their way.
constexpr double kReserves[] = {0, 0.02, 0.05, 0.1, 0.2, 0.35};
/// What a further absence of a storage counts beside its first.
constexpr double kAgainWorths[] = {0.5, 1, 0.1};
/// Levels that a part tries from its own.
constexpr int kLevelSteps[] = {-1, 1, -3, 3};
/// Share of the tries, for single recomputations in the end.
constexpr double kSingleShare = 0.4;
constexpr double kLeastGain = 1e-9;

/// What is decided in the large.
struct Mixture {
    std::vector<int> level;   ///< per part
    std::vector<char> leaves; ///< per part: its results may leave
    int reserve = 0, again = 0;
    auto operator<=>(const Mixture &) const = default;
};

class Combination
{
public:
    Combination(const FlatGraph &flat, const SolveRequest &request, const SolveContext &context,
                const OffmateSettings &settings, Candidates &candidates)
        : m_flat(flat),
          m_request(request),
          m_context(context),
          m_settings(settings),
          m_candidates(candidates),
          m_parts(std::clamp(settings.parts, 1, std::max(flat.forwardOps, 1)))
    {
    }

    Expected<void> run(const std::vector<std::vector<Recompute>> &first)
    {
        makeLevels(first);
        for (const auto step : {&Combination::tryUniform, &Combination::improveParts, &Combination::improveSingly})
            if (!m_failure) (this->*step)();
        if (m_failure) return tl::unexpected(*m_failure);
        return {};
    }

private:
    int partOf(int op) const
    {
        const int forward = std::min(op, std::max(m_flat.forwardOps - 1, 0));
        return static_cast<int>(std::int64_t(forward) * m_parts / std::max(m_flat.forwardOps, 1));
    }

    bool over() const
    {
        const auto &best = m_candidates.best();
        return m_failure || m_context.shouldStop() || m_tries >= m_settings.tries ||
               (best && best->timeUs <= m_context.boundTimeUs * (1 + kLeastGain));
    }

    /// From nothing down to the smallest memory, each from the one before.
    void makeLevels(const std::vector<std::vector<Recompute>> &first)
    {
        const Graph &bare = *m_flat.graph;
        m_levels.push_back({});
        const double most =
            static_cast<double>(SequenceEvaluator(bare, *m_request.costs)(toSequence(m_flat, {})).peakBytes);
        const double least = std::max(1.0, static_cast<double>(workingSetBound(bare, *m_request.costs).bytes));
        for (int level = 1; level <= m_settings.levels && !m_context.shouldStop(); ++level) {
            tell("Levels", level, m_settings.levels);
            search::SearchSettings search;
            const double share = static_cast<double>(level) / m_settings.levels;
            search.budgetBytes = static_cast<std::int64_t>(most * std::pow(least / most, share));
            search.moves = std::int64_t(m_settings.movesPerOp) * m_flat.ops;
            search.reheats = 0;
            search.seed = m_context.seed;
            search.threads = m_context.threads;
            search::Found found = search::searchPlan(m_flat, m_levels.back(), search, m_context.stopCheck(0.2));
            if (found.set.empty()) continue;
            m_levels.push_back(std::move(found.set));
            if (!found.fits) break; // less than it can do
        }
        for (const std::vector<Recompute> &set : first)
            if (!set.empty()) m_levels.push_back(set);
        std::stable_sort(m_levels.begin(), m_levels.end(),
                         [&](const auto &a, const auto &b) { return extraTimeUs(m_flat, a) < extraTimeUs(m_flat, b); });
        m_levels.erase(std::unique(m_levels.begin(), m_levels.end()), m_levels.end());
    }

    std::vector<Recompute> setOf(const Mixture &mixture) const
    {
        std::vector<Recompute> set;
        for (int level = 0; level < static_cast<int>(m_levels.size()); ++level)
            for (const Recompute &each : m_levels[static_cast<std::size_t>(level)])
                if (mixture.level[static_cast<std::size_t>(partOf(each.op))] == level) set.push_back(each);
        tidyRecomputes(m_flat, set);
        return set;
    }

    SelectionRules rulesOf(const Mixture &mixture) const
    {
        SelectionRules rules{true, kAgainWorths[mixture.again], {}, m_request.stays};
        rules.mayLeave.assign(static_cast<std::size_t>(m_flat.storages()), 1);
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_flat.producer[s] >= 0)
                rules.mayLeave[static_cast<std::size_t>(s)] =
                    mixture.leaves[static_cast<std::size_t>(partOf(m_flat.producer[s]))];
        // Updates on the host need what they read there.
        for (const Op &op : m_request.graph->ops)
            for (const StorageId input : op.inputs)
                if (op.onHost) rules.mayLeave[input.index()] = 1;
        return rules;
    }

    double judge(const std::vector<Recompute> &set, const SelectionRules &rules, int reserve)
    {
        ++m_tries;
        const double share = kReserves[reserve];
        const Expected<double> timeUs = m_candidates.offer(
            set, rules, static_cast<std::int64_t>(share * static_cast<double>(m_settings.budgetBytes)));
        if (timeUs) return *timeUs;
        m_failure = timeUs.error();
        return std::numeric_limits<double>::infinity();
    }

    /// Takes the mixture over when it is better than the best one. What was judged before is not again.
    bool attempt(const Mixture &mixture)
    {
        if (over() || !m_seen.insert(mixture).second) return false;
        const double timeUs = judge(setOf(mixture), rulesOf(mixture), mixture.reserve);
        const bool better = timeUs < m_bestUs * (1 - kLeastGain);
        if (better) {
            m_bestUs = timeUs;
            m_best = mixture;
        }
        return better;
    }

    void tryUniform()
    {
        const auto parts = static_cast<std::size_t>(m_parts);
        const int levels = static_cast<int>(m_levels.size());
        for (const int reserve : {0, 2})
            for (int level = 0; level < levels; ++level)
                for (const char leaves : {char(1), char(0)}) {
                    tell("All parts alike", reserve * levels + level, 3 * levels);
                    attempt({std::vector<int>(parts, level), std::vector<char>(parts, leaves), reserve, 0});
                }
    }

    template <class T>
    bool change(T Mixture::*member, int count)
    {
        bool gained = false;
        for (const int by : {1, -1}) {
            Mixture other = m_best;
            other.*member += by;
            if (other.*member >= 0 && other.*member < count) gained = attempt(other) || gained;
        }
        return gained;
    }

    void improveParts()
    {
        const int all = m_settings.tries;
        const int levels = static_cast<int>(m_levels.size());
        bool gained = std::isfinite(m_bestUs);
        while (gained && !over() && m_tries < static_cast<int>((1 - kSingleShare) * all)) {
            tell("Parts in turn", m_tries, all);
            gained = change(&Mixture::reserve, static_cast<int>(std::size(kReserves)));
            gained = change(&Mixture::again, static_cast<int>(std::size(kAgainWorths))) || gained;
            for (std::size_t part = 0; part < static_cast<std::size_t>(m_parts); ++part) {
                for (const int step : kLevelSteps) {
                    Mixture other = m_best;
                    other.level[part] += step;
                    if (other.level[part] >= 0 && other.level[part] < levels) gained = attempt(other) || gained;
                }
                Mixture other = m_best;
                other.leaves[part] = other.leaves[part] ? 0 : 1;
                gained = attempt(other) || gained;
            }
        }
    }

    /// Recomputations that another level has, or nothing, or another slot in place of one: with those beside it, since
    /// one alone of a closure changes nothing for the better.
    std::vector<Recompute> varied(const std::vector<Recompute> &from, search::Random &random) const
    {
        std::vector<Recompute> set = from;
        const auto any = [&](std::size_t count) { return static_cast<std::size_t>(random.below(count)); };
        const std::vector<Recompute> &other = m_levels[any(m_levels.size())];
        const bool add = set.empty() || random.below(2) == 0;
        const std::vector<Recompute> &source = add ? other : set;
        if (source.empty()) {
            if (m_flat.ops < 2) return set;
            const int op = static_cast<int>(any(static_cast<std::size_t>(m_flat.ops - 1)));
            const int slot = op + 1 + static_cast<int>(any(static_cast<std::size_t>(m_flat.ops - op - 1)));
            if (!m_flat.once[op]) set.push_back({slot, op});
        } else {
            const std::size_t begin = any(source.size());
            const std::size_t count = 1 + any(std::min<std::size_t>(8, source.size() - begin));
            const std::vector<Recompute> some(source.begin() + static_cast<std::ptrdiff_t>(begin),
                                              source.begin() + static_cast<std::ptrdiff_t>(begin + count));
            if (add)
                set.insert(set.end(), some.begin(), some.end());
            else
                std::erase_if(set, [&](const Recompute &each) {
                    return std::find(some.begin(), some.end(), each) != some.end();
                });
        }
        tidyRecomputes(m_flat, set);
        return set;
    }

    void improveSingly()
    {
        if (!std::isfinite(m_bestUs)) return;
        std::vector<Recompute> set = setOf(m_best);
        SelectionRules rules = rulesOf(m_best);
        search::Random random(m_context.seed);
        while (!over()) {
            tell("Single recomputations", m_tries, m_settings.tries);
            std::vector<Recompute> other = varied(set, random);
            if (other == set) {
                ++m_tries;
                continue;
            }
            const double timeUs = judge(other, rules, m_best.reserve);
            if (timeUs >= m_bestUs) continue;
            m_bestUs = timeUs;
            set = std::move(other);
        }
    }

    void tell(const char *activity, int done, int of) const
    {
        if (!m_context.progress) return;
        SolveProgress told;
        told.activity = activity;
        told.fraction = of > 0 ? static_cast<double>(done) / of : -1;
        told.incumbentTimeUs = m_candidates.best() ? m_candidates.best()->timeUs : -1;
        m_context.progress(told);
    }

    const FlatGraph &m_flat;
    const SolveRequest &m_request;
    const SolveContext &m_context;
    const OffmateSettings &m_settings;
    Candidates &m_candidates;
    const int m_parts;
    std::vector<std::vector<Recompute>> m_levels; ///< by the time they add
    std::set<Mixture> m_seen;
    Mixture m_best;
    double m_bestUs = std::numeric_limits<double>::infinity();
    int m_tries = 0;
    std::optional<Error> m_failure;
};

} // namespace

Expected<void> offerCombinations(const FlatGraph &flat, const SolveRequest &request, const SolveContext &context,
                                 const OffmateSettings &settings, const std::vector<std::vector<Recompute>> &first,
                                 Candidates &candidates)
{
    return Combination(flat, request, context, settings, candidates).run(first);
}

} // namespace remat::offload
