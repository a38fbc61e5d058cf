// SPDX-License-Identifier: Apache-2.0
// What all members of a portfolio share: the best plan so far, who made it, and whether to go on.
#pragma once

#include "solvers/interface/solver.h"
#include "solvers/portfolio/line.h"
#include "solvers/portfolio/work.h"

#include <string>
#include <vector>

namespace remat::portfolio {

/// What one member made of the best plan.
struct Gain {
    std::string member;
    double beforeUs = -1; ///< whole plan; negative when there was none that fits
    double afterUs = -1;
};

/// Called by one thread. Every better plan that fits goes to `context.progress` at once.
class Board
{
public:
    /// Keeps references to both.
    Board(const SolveRequest &request, const SolveContext &context);

    const SolveRequest &request() const { return m_request; }
    const SolveContext &context() const { return m_context; }
    double keepAllUs() const { return m_keepAllUs; }
    /// Extra time at which nothing is left to gain.
    double enoughUs() const { return m_enoughUs; }
    /// The same for plans in the order of a line.
    double enoughUs(const Line &line) const;
    /// Takes over a bound of a line's order when it is higher.
    void raiseBound(Line &line, const TimeBound &bound);

    /// Names what is done next; gains are booked on it.
    void begin(const std::string &member);
    /// What a line has just found: kept there, and here too, when it is better. True when it is better than anything.
    bool offer(Line &line, const search::Found &found);
    /// A plan that no line made.
    bool offer(const Plan &plan);

    bool fits() const { return m_best.fits; }
    /// Nothing left to gain, or no time to, by the clock or counted.
    bool done() const
    {
        return stopped() || timeToImproveIsUp() || m_work.leftUs() <= 0 || (fits() && m_best.extraUs <= bestEnoughUs());
    }
    bool stopped() const { return m_context.shouldStop(); }
    /// From then on nothing better is looked for; what is left of the time limit is for a proof of what there is.
    void improveUntil(const Deadline &end) { m_improving = end; }
    bool timeToImproveIsUp() const { return m_improving.passed(); }
    /// What members have done is charged here; they do no more than is left.
    WorkClock &work() { return m_work; }
    /// A sentence for the message of the outcome.
    void note(const std::string &sentence) { m_notes += " " + sentence; }
    /// A member ended because its time was up, not its work.
    void cutShort() { m_cutShort = true; }
    /// Added time over the least there can be in the given order, as a share of it.
    double gap() const;
    /// The same, in the order of the best plan.
    double ownGap() const;
    search::StopCheck stopCheck() const
    {
        return [this] { return stopped() || timeToImproveIsUp(); };
    }

    /// The best plan; none when nothing fits.
    std::optional<Plan> plan() const;
    SolveOutcome outcome() const;

private:
    void takeBoundOf(const Line &line);
    bool take(search::Found found, std::vector<OpId> sequence);
    double bestEnoughUs() const { return m_ownEnoughUs.value_or(m_enoughUs); }
    double enoughUs(double boundTimeUs) const;
    std::string story() const;
    std::string whyNone() const;
    void tell(bool better) const;

    const SolveRequest &m_request;
    const SolveContext &m_context;
    double m_keepAllUs = 0, m_enoughUs = 0;
    double m_boundTimeUs = 0;         ///< proven for the given order
    std::optional<TimeBound> m_bound; ///< when it was proven here
    WorkClock m_work;
    Deadline m_improving;
    bool m_cutShort = false;
    std::string m_notes;
    std::string m_member;
    search::Found m_best; ///< without its set: that is of one line only
    std::vector<OpId> m_sequence;
    std::optional<TimeBound> m_ownBound; ///< bound for the order of the best plan, where it is another one
    std::optional<double> m_ownEnoughUs; ///< set when the best plan is in another order
    std::vector<Gain> m_gains;
};

} // namespace remat::portfolio
