// SPDX-License-Identifier: Apache-2.0
#include "solvers/checkmate/program_story.h"

#include "core/base/number.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace remat::checkmate {

namespace {

constexpr std::size_t kMostVariables = 14;
constexpr double kNearWhole = 1e-6;

std::string timeOr(double us)
{
    return std::isfinite(us) ? us > 0 ? formatTimeUs(us) : "0" : "none yet";
}

/// A variable of the program that the relaxation leaves between 0 and 1.
struct Fractional {
    std::string name, of, slot;
    double value = 0;
    int op = -1, storage = -1;
};

constexpr const char *kBranching =
    "Branching: a variable that was neither 0 nor 1 is set to 0 in one program and to 1 in another, and both are "
    "solved, over and over. A program whose value is not below the best plan is left. ";

bool isFractional(double value)
{
    return value > kNearWhole && value < 1 - kNearWhole;
}

std::vector<Fractional> fractionals(const FlatGraph &flat, const SlotProgram &slots, const std::vector<double> &x)
{
    std::vector<Fractional> all;
    const auto slotName = [&](std::size_t t) {
        return t < flat.graph->ops.size() ? "before " + flat.graph->ops[t].name : std::string("at the end");
    };
    for (std::size_t t = 0; t < slots.R.size(); ++t)
        for (const std::vector<int> &pass : slots.R[t])
            for (std::size_t i = 0; i < pass.size(); ++i)
                if (pass[i] >= 0 && isFractional(x[static_cast<std::size_t>(pass[i])]))
                    all.push_back({"R", flat.graph->ops[i].name, slotName(t), x[static_cast<std::size_t>(pass[i])],
                                   static_cast<int>(i), -1});
    for (std::size_t t = 0; t < slots.S.size(); ++t)
        for (std::size_t s = 0; s < slots.S[t].size(); ++s)
            if (const int column = slots.S[t][s]; column >= 0 && isFractional(x[static_cast<std::size_t>(column)]))
                all.push_back({"S", flat.graph->storages[s].name, slotName(t), x[static_cast<std::size_t>(column)], -1,
                               static_cast<int>(s)});
    std::stable_sort(all.begin(), all.end(), [](const Fractional &a, const Fractional &b) {
        return std::abs(a.value - 0.5) < std::abs(b.value - 0.5);
    });
    return all;
}

} // namespace

void ProgramStory::add(StoryFrame frame, double bestUs, double boundUs)
{
    m_bestUs = bestUs;
    m_boundUs = std::max(m_boundUs, boundUs);
    const auto at = static_cast<double>(m_bound.points.size());
    if (std::isfinite(bestUs)) m_best.points.emplace_back(at, bestUs);
    m_bound.points.emplace_back(at, m_boundUs);
    frame.chart = StoryChart{"Added time",
                             "frame",
                             "added time",
                             StoryUnit::None,
                             StoryUnit::Microseconds,
                             {m_best, m_bound, m_relaxations}};
    tell(*m_story, std::move(frame));
}

void ProgramStory::start(double bestUs, double boundUs)
{
    if (!m_story) return;
    StoryFrame frame;
    frame.text = std::isfinite(bestUs)
                     ? fmt::format("A quick search gives a first plan: {} more than keep-all.", timeOr(bestUs))
                     : fmt::format("A quick search has found no plan within {}.", formatBytes(m_budgetBytes));
    frame.text += fmt::format(" The bound that is known before says that no plan takes less than {} more. What lies "
                              "between is to be proven or found.",
                              timeOr(boundUs));
    add(std::move(frame), bestUs, boundUs);
}

void ProgramStory::relaxed(const SlotProgram &slots, const ilp::Relaxation &relaxation, int cuts)
{
    if (!m_story || relaxation.x.empty()) return;
    const std::vector<Fractional> open = fractionals(m_flat, slots, relaxation.x);
    const double valueUs = relaxation.objective * slots.unitUs;
    m_relaxations.points.emplace_back(static_cast<double>(m_bound.points.size()), valueUs);
    StoryFrame frame;
    frame.text = cuts == 0
                     ? "The program, with ops that may be computed by halves: its best value is "
                     : formatCount(cuts) + " rows are added that whole solutions keep and this one broke. The value "
                                           "is now ";
    frame.text += fmt::format("{}, which no plan can be below. {}", timeOr(valueUs),
                              open.empty() ? std::string("Every R and S is whole: it is a plan already.")
                                           : formatCount(static_cast<std::int64_t>(open.size())) +
                                                 " of the R and S are neither 0 nor 1.");
    StoryTable table;
    table.columns = {"Variable", "Of", "Slot", "Value"};
    for (std::size_t i = 0; i < std::min(open.size(), kMostVariables); ++i) {
        table.rows.push_back({open[i].name, open[i].of, open[i].slot, fixedNumber(open[i].value, 3)});
        auto &names = open[i].op >= 0 ? frame.ops : frame.storages;
        if (std::find(names.begin(), names.end(), open[i].of) == names.end()) names.push_back(open[i].of);
    }
    frame.table = std::move(table);
    add(std::move(frame), m_bestUs, std::min(std::max(m_boundUs, relaxation.bound * slots.unitUs), m_bestUs));
}

void ProgramStory::fixes(int columns, int of)
{
    if (!m_story || columns == 0) return;
    StoryFrame frame;
    frame.text = fmt::format("{} of {} variables are settled: turned the other way, each of them alone would make a "
                             "plan slower than the one that is known.",
                             formatCount(columns), formatCount(of));
    add(std::move(frame), m_bestUs, m_boundUs);
}

void ProgramStory::branches(double incumbentUs, double bestUs, double boundUs)
{
    if (!m_story || (boundUs <= m_boundUs && bestUs >= m_bestUs)) return;
    StoryFrame frame;
    frame.text = fmt::format("{}The lowest value of those that remain is the new bound, which so may rise at once. "
                             "Best of the program {}, no plan below {}.",
                             kBranching, timeOr(incumbentUs), timeOr(boundUs));
    add(std::move(frame), bestUs, boundUs);
}

void ProgramStory::exhausted(double bestUs)
{
    if (!m_story || !std::isfinite(bestUs)) return;
    StoryFrame frame;
    frame.text = fmt::format(
        "{}Here all of them were left, so none has a better plan, and the bound rises {}the time of the best plan, {}.",
        kBranching, bestUs > m_boundUs ? fmt::format("at once from {} to ", timeOr(m_boundUs)) : "to ", timeOr(bestUs));
    add(std::move(frame), bestUs, bestUs);
}

void ProgramStory::found(double extraUs, std::int64_t peakBytes, double bestUs, double boundUs)
{
    if (!m_story) return;
    StoryFrame frame;
    frame.text = fmt::format("The program's solution, replayed: {} more than keep-all, peak {}, {}", timeOr(extraUs),
                             formatBytes(peakBytes, Rounding::Up),
                             peakBytes <= m_budgetBytes ? "within the budget."
                                                        : "over the budget: the program looked at memory too "
                                                          "coarsely there, and is made finer.");
    add(std::move(frame), bestUs, boundUs);
}

void ProgramStory::finish(double bestUs, double boundUs, bool proven)
{
    if (!m_story || m_story->frames.empty()) return;
    StoryFrame frame;
    frame.text =
        !std::isfinite(bestUs) ? "No plan was found."
        : proven ? fmt::format("Best plan and bound meet at {} more than keep-all: no plan in the graph's order is "
                               "faster. That is the proof.",
                               timeOr(bestUs))
                 : fmt::format("The solve ends with a plan of {} and a bound of {}.", timeOr(bestUs), timeOr(boundUs));
    add(std::move(frame), bestUs, proven ? std::max(boundUs, bestUs) : boundUs);
}

} // namespace remat::checkmate
