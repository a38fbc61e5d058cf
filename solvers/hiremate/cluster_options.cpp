// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/cluster_options.h"

#include "solvers/blocks/block_graph.h"
#include "solvers/blocks/block_search.h"
#include "solvers/hiremate/compose.h"
#include "solvers/ilp/cbc.h"

#include <algorithm>

namespace remat::hiremate {

namespace {

/// A set of recomputations of the whole graph, all in one block, as an option of that block.
std::optional<Option> optionOf(const Chain &chain, const Block &block, std::vector<Recompute> set)
{
    for (Recompute &again : set) {
        again.slot = block.localOp(again.slot) + 1;
        again.op = block.localOp(again.op);
    }
    return toOption(chain, block, set);
}

class ClusterSolver
{
public:
    ClusterSolver(const FlatGraph &flat, const Chain &outer, int block, const Chain &inner,
                  const std::vector<const std::vector<Option> *> &optionsOfInner, const ClusterSettings &settings,
                  const std::function<void(int)> &told)
        : m_flat(flat),
          m_outer(outer),
          m_block(outer.blocks[block]),
          m_inner(inner),
          m_choices(choicesOf(flat, inner, optionsOfInner)),
          m_settings(settings),
          m_told(told)
    {
    }

    std::vector<Option> solve()
    {
        for (const std::vector<char> &kept : {readByBackward(m_block), leastKept(m_block)})
            for (const bool once : {true, false})
                keep(makeOption(m_outer, m_block, kept, justInTime(m_block, kept, once)));
        const std::int64_t all = std::max(m_options.front().forwardPeakBytes, m_options.front().backwardPeakBytes);
        for (int peak = 0; peak < m_settings.peaks && !stopped(); ++peak)
            solveUnder(all - all / 2 * peak / std::max(m_settings.peaks - 1, 1),
                       peak == 0 ? m_settings.levels : m_settings.lowPeakLevels);
        if (!stopped())
            for (Option &option :
                 searchedOptions(m_flat, m_outer, m_block, m_settings.limits.stop, m_settings.limits.deadline))
                keep(std::move(option));
        dropDominated(m_options, m_settings.limits.optionLimit);
        return std::move(m_options);
    }

private:
    bool stopped() const
    {
        return (m_settings.limits.stop && m_settings.limits.stop->stopRequested()) ||
               m_settings.limits.deadline.passed();
    }

    void keep(Option option)
    {
        option.chainUs = interfaceChainUs(m_flat, m_outer, m_block, option);
        m_options.push_back(std::move(option));
        if (m_told) m_told(static_cast<int>(m_options.size()));
    }

    /// Ever less is held from forward to backward, until no choice is left.
    void solveUnder(std::int64_t peakBytes, int levels)
    {
        TopSettings how;
        how.stop = [this] { return stopped(); };
        how.lite = m_settings.lite;
        const std::int64_t all = m_options.front().keptBytes;
        how.mostKeptBytes = all;
        std::optional<TopModel> program = buildTopModel(m_flat, m_inner, m_choices, peakBytes, how);
        if (!program) return;
        ilp::Limits limits;
        limits.stop = m_settings.limits.stop;
        limits.deadline = m_settings.limits.deadline;
        limits.iterations = m_settings.limits.iterations;
        limits.relativeGap = m_settings.gapPercent / 100;
        limits.absoluteGap = 1e-3;
        limits.effort = ilp::Effort::Small;
        limits.seed = m_settings.limits.seed;
        const double step = static_cast<double>(all) / program->unitBytes / levels;
        for (double held = step * (levels - 1); held > -step && step > 0;) {
            program->model.rowUpper[program->keptRow] = std::max(held, 0.0);
            limits.start = pricedStart(*program, m_choices, how.stop);
            const ilp::Solution solution = ilp::solve(program->model, limits);
            if (m_settings.limits.iterationsDone) *m_settings.limits.iterationsDone += solution.iterations;
            if (m_settings.limits.timeWasUp && limits.deadline.passed()) *m_settings.limits.timeWasUp = true;
            if (!solution.found()) return;
            const TopChoice choice = readChoice(*program, solution.x);
            if (std::optional<Option> option =
                    optionOf(m_outer, m_block, compose(m_flat, m_inner, m_choices, choice))) {
                option->inner = choice.option;
                held = std::min(held, static_cast<double>(option->keptBytes) / program->unitBytes);
                keep(*std::move(option));
            }
            held -= step;
        }
    }

    const FlatGraph &m_flat;
    const Chain &m_outer;
    const Block &m_block;
    const Chain &m_inner;
    const std::vector<BlockChoices> m_choices;
    const ClusterSettings &m_settings;
    const std::function<void(int)> &m_told;
    std::vector<Option> m_options;
};

} // namespace

std::vector<Option> clusterOptions(const FlatGraph &flat, const Chain &outer, int block, const Chain &inner,
                                   const std::vector<const std::vector<Option> *> &optionsOfInner,
                                   const ClusterSettings &settings, const std::function<void(int)> &told)
{
    return ClusterSolver(flat, outer, block, inner, optionsOfInner, settings, told).solve();
}

} // namespace remat::hiremate
