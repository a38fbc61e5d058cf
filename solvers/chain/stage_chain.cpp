// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/stage_chain.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace remat::chain {

namespace {

using hiremate::Block;
using hiremate::Chain;
using hiremate::Option;
using hiremate::Role;

/// Per storage: the last stage that reads it in its forward or backward part; −1 for what is in no stage's input.
std::vector<int> lastStages(const FlatGraph &flat, const Chain &chain)
{
    std::vector<int> last(flat.storages(), -1);
    for (int s = 0; s < flat.storages(); ++s) {
        const bool carried = chain.role[s] == Role::Internal || chain.role[s] == Role::Interface;
        if (!carried || flat.producer[s] >= flat.forwardOps) continue;
        for (const int reader : flat.readers[s])
            last[s] = std::max(last[s], chain.blockOfOp[reader]);
    }
    return last;
}

/// Time of the ops of a stage that make `targets` again from the stage's input.
double remakeUs(const FlatGraph &flat, const Block &block, const std::vector<int> &targets)
{
    std::vector<char> needed(flat.storages(), 0);
    for (const int s : targets)
        needed[s] = 1;
    double sum = 0;
    for (int op = block.forwardEnd; op-- > block.forwardBegin;) {
        const std::vector<int> &made = flat.outputs[op];
        if (std::none_of(made.begin(), made.end(), [&](int s) { return needed[s] != 0; })) continue;
        sum += flat.timeUs[op];
        for (const int s : flat.inputs[op])
            needed[s] = 1;
    }
    return sum;
}

bool sameProgram(const std::vector<hiremate::ProgramStep> &a, const std::vector<hiremate::ProgramStep> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto &x, const auto &y) { return x.op == y.op && x.before == y.before; });
}

/// One stage of the chain, seen with the input of the next one.
class StageBuilder
{
public:
    /// `input`, `next`: storages of the stage's input and of the next one's; `nextPrivate`: of them, the private part.
    StageBuilder(const FlatGraph &flat, const Chain &chain, const Block &block, const std::vector<int> &input,
                 const std::vector<int> &next, std::vector<int> nextPrivate)
        : m_flat(flat),
          m_chain(chain),
          m_block(block),
          m_nextPrivate(std::move(nextPrivate)),
          m_isNext(flat.storages(), 0),
          m_isPrivate(flat.storages(), 0)
    {
        for (const int s : next) {
            m_isNext[s] = 1;
            if (flat.producer[s] >= block.forwardBegin) m_made.push_back(s);
        }
        const int before = block.forwardBegin > 0 ? chain.blockOfOp[block.forwardBegin - 1] : -1;
        for (const int s : input) {
            if (m_isNext[s] || chain.blockOfStorage[s] != before) continue;
            m_isPrivate[s] = 1;
            m_private.push_back(s);
        }
    }

    /// The part of the stage's input that the stage before made and no later stage reads.
    const std::vector<int> &privateInput() const { return m_private; }

    Stage build(const std::vector<Option> &options, std::vector<Saved> &saved) const
    {
        Stage stage;
        const std::vector<char> nothing(m_block.storages.size(), 0);
        stage.advanceUs = remakeUs(m_flat, m_block, m_made);
        for (const std::int64_t bytes : forwardBytes(nothing))
            stage.advancePeakBytes = std::max(stage.advancePeakBytes, bytes);
        for (int op = m_block.forwardBegin; op < m_block.forwardEnd; ++op)
            stage.forwardConstantBytes = std::max(stage.forwardConstantBytes, m_chain.constantAt[op]);
        stage.constantBytes = m_chain.constantBefore[std::min(m_block.backwardBegin, m_flat.ops - 1)];
        for (const Option &option : options) {
            saved.push_back(savedBy(option));
            stage.options.push_back(modelOf(option, saved.back()));
        }
        return stage;
    }

private:
    Saved savedBy(const Option &option) const
    {
        Saved saved;
        for (std::size_t s = 0; s < option.kept.size(); ++s)
            if (option.kept[s]) saved.storages.push_back(m_block.storages[s].global);
        const std::vector<hiremate::ProgramStep> once = justInTime(m_block, option.kept, true);
        if (option.forwardAgain.empty() && sameProgram(option.program, once)) return saved;
        if (option.forwardAgain.empty() && sameProgram(option.program, justInTime(m_block, option.kept, false))) {
            saved.anew = true;
            return saved;
        }
        for (const hiremate::ProgramStep &step : option.program)
            if (step.recompute()) saved.program.push_back({m_block.globalOp(step.before), m_block.globalOp(step.op)});
        // What comes after the last forward op of the block comes before the one after that.
        for (const hiremate::ProgramStep &step : option.forwardAgain)
            saved.forwardAgain.push_back({m_block.forwardBegin + step.before, m_block.globalOp(step.op)});
        return saved;
    }

    StageOption modelOf(const Option &option, const Saved &saved) const
    {
        StageOption model;
        model.extraUs = option.extraUs;
        model.remakeUs = remakeUs(m_flat, m_block, saved.storages);
        std::vector<int> withNext = saved.storages;
        withNext.insert(withNext.end(), m_made.begin(), m_made.end());
        model.remakeNextUs = remakeUs(m_flat, m_block, withNext);
        for (const int s : saved.storages)
            if (!m_isNext[s]) model.keptBytes += m_flat.bytes[s];
        model.keepsFreed = std::any_of(saved.storages.begin(), saved.storages.end(), [&](int s) {
            return std::find(m_nextPrivate.begin(), m_nextPrivate.end(), s) != m_nextPrivate.end();
        });
        std::vector<int> backward;
        backward.reserve(option.program.size());
        for (const hiremate::ProgramStep &step : option.program)
            backward.push_back(m_block.globalOp(step.op));
        std::vector<char> readAfter(m_flat.storages(), 0);
        const std::vector<std::int64_t> freedBackward = freedAfter(backward, readAfter);
        fillBackward(option, freedBackward, readAfter, model);
        std::vector<int> ops(m_block.forwardOps());
        std::iota(ops.begin(), ops.end(), m_block.forwardBegin);
        std::vector<std::int64_t> freed = freedAfter(ops, readAfter);
        const std::vector<std::int64_t> forward = forwardBytes(option.kept, option.forwardAgain);
        // What is computed again may read what its first reader could have given back.
        if (!option.forwardAgain.empty()) freed.assign(freed.size(), 0);
        std::int64_t gone = 0;
        for (std::size_t i = 0; i < forward.size(); ++i) {
            model.forwardPeakBytes = std::max(model.forwardPeakBytes, forward[i]);
            model.forwardPeakFreedBytes = std::max(model.forwardPeakFreedBytes, forward[i] - gone);
            gone += freed[i];
        }
        model.remakePeakBytes = saved.storages.empty() ? 0 : model.forwardPeakBytes;
        return model;
    }

    /// Peaks of the backward part, and what of the private input it does not need: it reads `used` and gives back
    /// `freed` after each step.
    void fillBackward(const Option &option, const std::vector<std::int64_t> &freed, const std::vector<char> &used,
                      StageOption &model) const
    {
        model.freedBytes = 0;
        for (const int s : m_private)
            if (!used[s]) model.freedBytes += m_flat.bytes[s];
        std::int64_t gone = model.freedBytes;
        for (std::size_t p = 0; p < option.program.size(); ++p) {
            const hiremate::ProgramStep &step = option.program[p];
            const int slot = m_block.globalOp(step.before);
            const std::int64_t bytes =
                option.backwardBytes[p] + (step.recompute() ? m_chain.constantBefore : m_chain.constantAt)[slot];
            model.backwardPeakBytes = std::max(model.backwardPeakBytes, bytes);
            model.backwardPeakFreedBytes = std::max(model.backwardPeakFreedBytes, bytes - gone);
            gone += freed[p];
        }
    }

    /// Bytes of the private input that are read for the last time by each of `ops`, when what `readAfter` marks (per
    /// storage) is read after them all; marks what they read.
    std::vector<std::int64_t> freedAfter(const std::vector<int> &ops, std::vector<char> &readAfter) const
    {
        std::vector<std::int64_t> freed(ops.size(), 0);
        for (std::size_t p = ops.size(); p-- > 0;) {
            for (const int s : m_flat.inputs[ops[p]]) {
                if (!m_isPrivate[s] || readAfter[s]) continue;
                readAfter[s] = 1;
                freed[p] += m_flat.bytes[s];
            }
        }
        return freed;
    }

    /// Memory while each forward op runs, when the stage keeps `kept` and makes the next stage's input.
    std::vector<std::int64_t> forwardBytes(std::vector<char> kept,
                                           const std::vector<hiremate::ProgramStep> &again = {}) const
    {
        for (std::size_t s = 0; s < kept.size(); ++s)
            if (m_block.storages[s].forward && m_isNext[m_block.storages[s].global]) kept[s] = 1;
        std::vector<std::int64_t> bytes = makeOption(m_chain, m_block, std::move(kept), {}, again).forwardBytes;
        std::int64_t interfaces = 0;
        for (int i = 0; i < m_block.forwardOps(); ++i) {
            for (const int s : m_block.ops[i].madeInterfaces)
                interfaces += m_flat.bytes[s];
            bytes[i] += interfaces;
        }
        return bytes;
    }

    const FlatGraph &m_flat;
    const Chain &m_chain;
    const Block &m_block;
    const std::vector<int> m_nextPrivate;
    std::vector<int> m_private;
    std::vector<char> m_isNext;    ///< per storage: in the next stage's input
    std::vector<char> m_isPrivate; ///< per storage: in m_private
    std::vector<int> m_made;       ///< the part of the next stage's input that this stage makes
};

} // namespace

std::vector<Option> plainOptions(const Chain &chain, const Block &block, const StopCheck &stop)
{
    std::vector<char> all(block.storages.size(), 0), nothing(block.storages.size(), 0);
    for (std::size_t i = block.forwardOps(); i < block.ops.size(); ++i)
        for (const int s : block.ops[i].inputs)
            if (block.storages[s].forward) all[s] = 1;
    std::vector<Option> options;
    options.push_back(makeOption(chain, block, all, justInTime(block, all, true)));
    for (const bool once : {true, false}) {
        std::vector<hiremate::ProgramStep> program = justInTime(block, nothing, once, stop);
        if (program.size() == options.back().program.size()) break;
        options.push_back(makeOption(chain, block, nothing, std::move(program)));
    }
    return options;
}

OptionSource plainSource(const StopCheck &stop)
{
    return [stop](const Chain &chain, const std::vector<int> &stages) {
        std::vector<std::vector<Option>> options;
        options.reserve(stages.size());
        for (const int k : stages) {
            if (stop && stop()) throw TimeUp{};
            options.push_back(plainOptions(chain, chain.blocks[k], stop));
        }
        return options;
    };
}

StageChain makeStageChain(const FlatGraph &flat, std::vector<int> stageOfOp, std::int64_t keepAllPeakBytes,
                          const OptionSource &options, const StopCheck &stop)
{
    StageChain chain;
    chain.blocks = hiremate::makeStages(flat, std::move(stageOfOp), keepAllPeakBytes);
    const int stages = static_cast<int>(chain.blocks.blocks.size());
    chain.inputs.resize(stages + 1);
    chain.model.inputBytes.assign(stages, std::vector<std::int64_t>(stages, 0));
    const std::vector<int> last = lastStages(flat, chain.blocks);
    for (int s = 0; s < flat.storages(); ++s) {
        const int made = chain.blocks.blockOfStorage[s];
        for (int j = made + 1; j <= last[s]; ++j) {
            chain.inputs[j].push_back(s);
            for (int before = 0; before <= made; ++before)
                chain.model.inputBytes[before][j] += flat.bytes[s];
        }
    }
    std::vector<int> distinct, numberOf(stages, 0);
    for (int k = 0; k < stages; ++k) {
        if (chain.blocks.blocks[k].representative != k) continue;
        numberOf[k] = static_cast<int>(distinct.size());
        distinct.push_back(k);
    }
    const std::vector<std::vector<Option>> found = options(chain.blocks, distinct);
    chain.saved.resize(stages);
    chain.model.stages.resize(stages);
    std::vector<int> nextPrivate;
    for (int k = stages; k-- > 0;) {
        if (stop && stop()) throw TimeUp{};
        const Block &block = chain.blocks.blocks[k];
        const StageBuilder builder(flat, chain.blocks, block, chain.inputs[k], chain.inputs[k + 1], nextPrivate);
        chain.model.stages[k] = builder.build(found[numberOf[block.representative]], chain.saved[k]);
        nextPrivate = builder.privateInput();
    }
    chain.inputs.pop_back();
    return chain;
}

ForwardChoice choiceOf(const FlatGraph &flat, const StageChain &chain, const ChainSchedule &schedule)
{
    ForwardChoice choice;
    choice.segment = chain.blocks.blockOfOp;
    choice.kept.assign(flat.storages(), 0);
    for (int s = 0; s < flat.storages(); ++s)
        choice.kept[s] = chain.blocks.role[s] == Role::Constant && flat.producer[s] < flat.forwardOps ? 1 : 0;
    for (const StageHold &hold : schedule.holds) {
        const std::vector<int> &storages =
            hold.option < 0 ? chain.inputs[hold.stage] : chain.saved[hold.stage][hold.option].storages;
        for (const int s : storages)
            choice.holds.push_back({s, hold.at, hold.stage});
    }
    choice.anew.assign(chain.inputs.size(), 0);
    choice.programs.resize(chain.inputs.size());
    for (std::size_t k = 0; k < chain.inputs.size(); ++k) {
        const Saved &saved = chain.saved[k][schedule.option[k]];
        choice.anew[k] = saved.anew ? 1 : 0;
        choice.programs[k] = saved.program;
    }
    for (const StageHold &hold : schedule.holds) {
        if (hold.option < 0 || hold.at != kForwardPass) continue;
        const std::vector<Recompute> &again = chain.saved[hold.stage][hold.option].forwardAgain;
        choice.asTheyAre.insert(choice.asTheyAre.end(), again.begin(), again.end());
    }
    return choice;
}

} // namespace remat::chain
