#include "solvers/chain/stage_chain.h"

#include <algorithm>
#include <map>

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

/// One stage of the chain, seen with the input of the next one.
class StageBuilder
{
public:
    StageBuilder(const FlatGraph &flat, const Chain &chain, const Block &block, const std::vector<int> &next)
        : m_flat(flat), m_chain(chain), m_block(block), m_isNext(flat.storages(), 0)
    {
        for (const int s : next) {
            m_isNext[s] = 1;
            if (flat.producer[s] >= block.forwardBegin) m_made.push_back(s);
        }
    }

    Stage build(const std::vector<Option> &options, std::vector<Saved> &saved) const
    {
        Stage stage;
        const std::vector<char> nothing(m_block.storages.size(), 0);
        stage.advanceUs = remakeUs(m_flat, m_block, m_made);
        stage.advancePeakBytes = forwardPeak(nothing);
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
        saved.anew = option.program.size() > justInTime(m_block, option.kept, true).size();
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
        model.forwardPeakBytes = forwardPeak(option.kept);
        model.remakePeakBytes = saved.storages.empty() ? 0 : model.forwardPeakBytes;
        if (m_block.backwardOps() > 0)
            model.backwardPeakBytes = option.backwardPeakBytes + m_chain.constantBefore[m_block.backwardBegin];
        return model;
    }

    /// Memory while the forward part runs, when it keeps `kept` and makes the next stage's input.
    std::int64_t forwardPeak(std::vector<char> kept) const
    {
        for (std::size_t s = 0; s < kept.size(); ++s)
            if (m_block.storages[s].forward && m_isNext[m_block.storages[s].global]) kept[s] = 1;
        const Option replayed = makeOption(m_chain, m_block, std::move(kept), {});
        std::int64_t peak = 0, interfaces = 0;
        for (int i = 0; i < m_block.forwardOps(); ++i) {
            for (const int s : m_block.ops[i].madeInterfaces)
                interfaces += m_flat.bytes[s];
            peak = std::max(peak, replayed.forwardBytes[i] + interfaces);
        }
        return peak;
    }

    const FlatGraph &m_flat;
    const Chain &m_chain;
    const Block &m_block;
    std::vector<char> m_isNext; ///< per storage: in the next stage's input
    std::vector<int> m_made;    ///< those of them that this stage makes
};

} // namespace

std::vector<Option> plainOptions(const Chain &chain, const Block &block)
{
    std::vector<char> all(block.storages.size(), 0), nothing(block.storages.size(), 0);
    for (std::size_t i = block.forwardOps(); i < block.ops.size(); ++i)
        for (const int s : block.ops[i].inputs)
            if (block.storages[s].forward) all[s] = 1;
    std::vector<Option> options;
    options.push_back(makeOption(chain, block, all, justInTime(block, all, true)));
    for (const bool once : {true, false}) {
        std::vector<hiremate::ProgramStep> program = justInTime(block, nothing, once);
        if (program.size() == options.back().program.size()) break;
        options.push_back(makeOption(chain, block, nothing, std::move(program)));
    }
    return options;
}

StageChain makeStageChain(const FlatGraph &flat, std::vector<int> stageOfOp, std::int64_t keepAllPeakBytes,
                          const OptionSource &options)
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
    std::map<int, std::vector<Option>> known;
    chain.saved.resize(stages);
    for (int k = 0; k < stages; ++k) {
        const Block &block = chain.blocks.blocks[k];
        const auto [found, isNew] = known.try_emplace(block.representative);
        if (isNew) found->second = options(chain.blocks, chain.blocks.blocks[block.representative]);
        const StageBuilder builder(flat, chain.blocks, block, chain.inputs[k + 1]);
        chain.model.stages.push_back(builder.build(found->second, chain.saved[k]));
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
    for (std::size_t k = 0; k < chain.inputs.size(); ++k)
        choice.anew[k] = chain.saved[k][schedule.option[k]].anew ? 1 : 0;
    return choice;
}

} // namespace remat::chain
