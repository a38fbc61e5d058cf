// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/anneal.h"

#include "solvers/search/moves.h"
#include "solvers/search/search_story.h"

#include <algorithm>
#include <cmath>

namespace remat::search {

namespace {

constexpr int kPricePeriod = 200;    ///< moves between two looks at the price
constexpr int kStopPeriod = 64;      ///< moves between two looks at the stop
constexpr double kLargeShare = 1e-3; ///< share of the peak: a storage that is large
constexpr int kReturns = 6;          ///< times the second half goes back to the best plan when it has strayed
constexpr double kStrayed = 1.02;

/// Median time of ops that make large storages: the size of a typical decision.
double typicalUs(const State &state)
{
    const FlatGraph &flat = state.flat();
    const double large = kLargeShare * static_cast<double>(state.memory().peak());
    std::vector<double> times;
    for (int s = 0; s < flat.storages(); ++s)
        if (flat.producer[s] >= 0 && static_cast<double>(flat.bytes[s]) >= large)
            times.push_back(flat.timeUs[flat.producer[s]]);
    if (times.empty()) return 1;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return std::max(*middle, 1e-9);
}

/// The price at which lifting the budget by a hundredth for a tenth of the slots pays for one typical op.
double guessedPrice(const State &state, double opUs)
{
    const double bytes = 0.01 * static_cast<double>(state.budgetBytes());
    return opUs / std::max(1.0, bytes * 0.1 * state.flat().ops);
}

class Annealing
{
public:
    Annealing(State &state, const AnnealSettings &settings, const StopCheck &stop,
              const std::function<void(double)> &better)
        : m_state(state),
          m_settings(settings),
          m_stop(stop),
          m_better(better),
          m_random(settings.seed),
          m_moves(state, m_random)
    {
    }

    Found run()
    {
        const double opUs = typicalUs(m_state);
        m_price = m_settings.priceUs > 0 ? m_settings.priceUs : guessedPrice(m_state, opUs);
        m_lowestPrice = m_price * 1e-6;
        m_highestPrice = m_price * 1e6;
        m_state.commit();
        m_best = m_state.recomputes();
        m_bestUs = m_state.extraUs();
        m_bestOverflow = m_state.overflow();
        if (m_settings.story) m_settings.story->beginAnneal(m_state, m_settings.hot * opUs, m_settings.moves);
        const double cooling = std::log(m_settings.cold / m_settings.hot);
        int within = 0;
        std::int64_t move = 0;
        for (; move < m_settings.moves; ++move) {
            if (move % kStopPeriod == 0 && (m_stop() || reachedEnough())) break;
            if (move % kPricePeriod == 0 && move > 0) {
                adaptPrice(within);
                within = 0;
            }
            if (move % std::max<std::int64_t>(1, m_settings.moves / (std::int64_t(2) * kReturns)) == 0 &&
                move > m_settings.moves / 2)
                returnToBest();
            const double done = static_cast<double>(move) / static_cast<double>(m_settings.moves);
            m_done = move + 1;
            step(m_settings.hot * opUs * std::exp(cooling * done));
            within += m_state.fits() ? 1 : 0;
        }
        m_state.assign(m_best);
        prune(m_state, m_stop);
        Found found = foundIn(m_state);
        found.moves = move;
        return found;
    }

private:
    bool reachedEnough() const { return m_bestOverflow == 0 && m_bestUs <= m_settings.enoughUs; }

    void step(double temperature)
    {
        m_moves.setPrice(m_price);
        const double before = m_moves.energy();
        m_moves.make();
        const double worse = m_moves.energy() - before;
        const double chance = worse > 0 ? std::exp(-worse / temperature) : 1;
        const bool taken = worse <= 0 || m_random.uniform() < chance;
        const std::vector<Key> toggled = m_settings.story ? m_state.journal() : std::vector<Key>();
        const bool changed = !m_state.journal().empty();
        if (taken) {
            m_state.commit();
            if (changed) remember();
        } else {
            m_state.rollback(0);
        }
        if (m_settings.story)
            m_settings.story->moved(m_state, {m_done, m_settings.moves, temperature, worse, chance, taken,
                                              m_bestOverflow == 0 ? m_bestUs : -1, toggled});
    }

    void remember()
    {
        const std::int64_t overflow = m_state.overflow();
        if (overflow > m_bestOverflow || (overflow == m_bestOverflow && m_state.extraUs() >= m_bestUs - 1e-9)) return;
        m_best = m_state.recomputes();
        m_bestUs = extraTimeUs(m_state.flat(), m_best);
        m_bestOverflow = overflow;
        if (overflow == 0 && m_better) m_better(m_bestUs);
    }

    void adaptPrice(int within)
    {
        if (within * 10 < kPricePeriod)
            m_price = std::min(m_price * 1.08, m_highestPrice);
        else if (within * 100 > kPricePeriod * 35)
            m_price = std::max(m_price * 0.95, m_lowestPrice);
    }

    void returnToBest()
    {
        if (m_bestOverflow > 0) return;
        if (m_state.fits() && m_state.extraUs() <= kStrayed * m_bestUs) return;
        m_state.assign(m_best);
    }

    State &m_state;
    const AnnealSettings &m_settings;
    const StopCheck &m_stop;
    const std::function<void(double)> &m_better;
    Random m_random;
    Moves m_moves;
    double m_price = 0, m_lowestPrice = 0, m_highestPrice = 0;
    std::vector<Recompute> m_best;
    double m_bestUs = 0;
    std::int64_t m_done = 0; ///< moves, the one that is made included
    std::int64_t m_bestOverflow = 0;
};

} // namespace

Found anneal(State &state, const AnnealSettings &settings, const StopCheck &stop,
             const std::function<void(double extraUs)> &better)
{
    return Annealing(state, settings, stop, better).run();
}

} // namespace remat::search
