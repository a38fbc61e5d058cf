// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/explain/step_story.h"

#include "core/base/units.h"

#include <algorithm>
#include <map>

namespace remat {

namespace {

/// The pattern with its places filled; what a name holds is never a place.
std::string filled(const std::string &pattern, const std::vector<std::string> &values)
{
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const auto place = pattern[i] == '%' && i + 1 < pattern.size() ? static_cast<std::size_t>(pattern[i + 1] - '1')
                                                                       : values.size();
        if (place < values.size()) {
            text += values[place];
            ++i;
        } else {
            text += pattern[i];
        }
    }
    return text;
}

std::string stepText(std::int32_t step)
{
    return formatCount(step);
}

std::int64_t bytesMade(const Graph &graph, OpId op)
{
    std::int64_t bytes = 0;
    for (const StorageId output : graph.op(op).outputs)
        bytes += graph.storage(output).bytes;
    return bytes;
}

/// What comes next for each storage, seen from the end of the plan.
struct Ahead {
    std::vector<OpId> reader;
    std::vector<std::int32_t> readerStep, backStep;
    std::vector<char> fromHost;

    explicit Ahead(std::size_t storages)
        : reader(storages), readerStep(storages, -1), backStep(storages, -1), fromHost(storages, 0)
    {
    }
    void returns(StorageId storage, std::int32_t step, bool host)
    {
        backStep[storage.index()] = step;
        fromHost[storage.index()] = host ? 1 : 0;
    }
    void isRead(StorageId storage, OpId op, std::int32_t step)
    {
        reader[storage.index()] = op;
        readerStep[storage.index()] = step;
    }
};

/// The frees for one reason at one computation.
struct FreeGroup {
    std::vector<std::size_t> steps;
    std::int64_t bytes = 0;
};

} // namespace

std::vector<StepReason> stepReasons(const Graph &graph, const std::vector<Step> &steps)
{
    std::vector<StepReason> reasons(steps.size());
    std::vector<char> computed(graph.ops.size(), 0);
    std::vector<std::int32_t> freed(graph.storages.size(), -1);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        StepReason &reason = reasons[i];
        if (steps[i].kind != StepKind::Compute) {
            const StorageId storage = steps[i].storage;
            reason.bytes = graph.storage(storage).bytes;
            if (steps[i].kind == StepKind::Free) freed[storage.index()] = static_cast<std::int32_t>(i);
            if (steps[i].kind == StepKind::Prefetch) reason.awayFrom = freed[storage.index()];
            continue;
        }
        const OpId op = steps[i].op;
        reason.bytes = bytesMade(graph, op);
        reason.again = computed[op.index()] != 0;
        computed[op.index()] = 1;
        for (const StorageId output : graph.op(op).outputs) {
            if (reason.again) reason.awayFrom = std::max(reason.awayFrom, freed[output.index()]);
            reason.heldToTheEnd = reason.heldToTheEnd || graph.storage(output).isOutput;
        }
    }
    Ahead ahead(graph.storages.size());
    for (std::size_t i = steps.size(); i-- > 0;) {
        StepReason &reason = reasons[i];
        const auto now = static_cast<std::int32_t>(i);
        const Step &step = steps[i];
        if (step.kind != StepKind::Compute) {
            const std::size_t s = step.storage.index();
            reason.reader = ahead.reader[s];
            reason.readerStep = ahead.readerStep[s];
            reason.backStep = ahead.backStep[s];
            reason.backFromHost = ahead.fromHost[s] != 0;
            if (step.kind == StepKind::Prefetch) ahead.returns(step.storage, now, true);
            continue;
        }
        for (const StorageId output : graph.op(step.op).outputs) {
            const std::size_t s = output.index();
            const bool thisCopy =
                ahead.backStep[s] < 0 || ahead.readerStep[s] < ahead.backStep[s] || ahead.fromHost[s] != 0;
            if (thisCopy && ahead.readerStep[s] >= 0 &&
                (reason.readerStep < 0 || ahead.readerStep[s] < reason.readerStep)) {
                reason.reader = ahead.reader[s];
                reason.readerStep = ahead.readerStep[s];
            }
            ahead.returns(output, now, false);
        }
        for (const StorageId input : graph.op(step.op).inputs)
            ahead.isRead(input, step.op, now);
    }
    return reasons;
}

namespace {

/// One sentence of a plan's step at a time.
class Sentences
{
public:
    Sentences(const std::vector<Step> &steps, const std::vector<StepReason> &reasons, const StepWords &words,
              const StepNames &names)
        : m_steps(steps), m_reasons(reasons), m_words(words), m_names(names)
    {
    }

    void addComputation(std::size_t step)
    {
        const StepReason &why = m_reasons[step];
        const std::string name = m_names.op(m_steps[step].op);
        const std::string reader = why.reader ? m_names.op(why.reader) : std::string();
        if (why.again && why.awayFrom >= 0)
            add(why.reader ? m_words.again : m_words.againForNobody,
                {name, reader, formatBytes(why.bytes), stepText(static_cast<std::int32_t>(step) - why.awayFrom)});
        else if (why.reader)
            add(m_words.computes, {name, reader, stepText(why.readerStep)});
        else
            add(why.heldToTheEnd ? m_words.computesOutput : m_words.computesForNobody, {name});
    }

    void addOther(std::size_t step)
    {
        const StepReason &why = m_reasons[step];
        const std::string bytes = formatBytes(why.bytes);
        if (m_steps[step].kind == StepKind::Free) {
            FreeGroup &group = m_frees[why.backStep < 0 ? 0 : why.backFromHost ? 2 : 1];
            group.steps.push_back(step);
            group.bytes += why.bytes;
        } else if (m_steps[step].kind == StepKind::Offload) {
            add(why.backStep < 0 ? m_words.offloadsForGood : m_words.offloads,
                {nameOf(step), bytes, stepText(why.backStep)});
        } else {
            addFrees();
            add(why.reader ? m_words.prefetches : m_words.prefetchesToStay,
                {nameOf(step), bytes, why.reader ? m_names.op(why.reader) : std::string(), stepText(why.readerStep)});
        }
    }

    /// What was freed since the last call.
    void addFrees()
    {
        const std::string *const one[] = {&m_words.frees, &m_words.makesRoom, &m_words.freesCopied};
        const std::string *const many[] = {&m_words.freesMany, &m_words.makesRoomMany, &m_words.freesCopiedMany};
        for (const auto &[kind, group] : m_frees) {
            std::size_t largest = group.steps.front();
            std::int32_t back = m_reasons[largest].backStep;
            for (const std::size_t step : group.steps) {
                if (m_reasons[step].bytes > m_reasons[largest].bytes) largest = step;
                back = std::min(back, m_reasons[step].backStep);
            }
            const StepReason &why = m_reasons[largest];
            const std::string more = formatCount(static_cast<std::int64_t>(group.steps.size()) - 1);
            if (group.steps.size() == 1)
                add(*one[kind], {nameOf(largest), formatBytes(group.bytes), stepText(why.backStep),
                                 why.reader ? m_names.op(why.reader) : std::string()});
            else
                add(*many[kind], {nameOf(largest), more, formatBytes(group.bytes), stepText(back)});
        }
        m_frees.clear();
    }

    void add(const std::string &pattern, const std::vector<std::string> &values)
    {
        if (!m_text.empty()) m_text += ' ';
        m_text += filled(pattern, values);
    }

    std::string text() && { return std::move(m_text); }

private:
    std::string nameOf(std::size_t step) const { return m_names.storage(m_steps[step].storage); }

    const std::vector<Step> &m_steps;
    const std::vector<StepReason> &m_reasons;
    const StepWords &m_words;
    const StepNames &m_names;
    std::map<int, FreeGroup> m_frees; ///< 0: not read any more, 1: computed again, 2: in host memory
    std::string m_text;
};

} // namespace

std::string stepSentence(const std::vector<Step> &steps, const std::vector<StepReason> &reasons,
                         const MemoryTimeline &timeline, std::size_t sample, const StepWords &words,
                         const StepNames &names)
{
    Sentences sentences(steps, reasons, words, names);
    const auto step = static_cast<std::size_t>(timeline.step[sample]);
    // What is brought back before the first computation belongs to it.
    for (std::size_t i = 0; sample == 0 && i < step; ++i)
        sentences.addOther(i);
    sentences.addComputation(step);
    for (std::size_t i = step + 1; i < steps.size() && steps[i].kind != StepKind::Compute; ++i)
        sentences.addOther(i);
    sentences.addFrees();
    if (sample == timeline.peakSample) sentences.add(words.peak, {});
    return std::move(sentences).text();
}

std::int64_t nextGoal(const MemoryTimeline &timeline, const std::vector<Step> &steps, StepGoal goal,
                      std::int64_t sample, int by)
{
    const auto count = static_cast<std::int64_t>(timeline.op.size());
    const auto isGoal = [&](std::size_t at) {
        if (goal == StepGoal::Peak) return at == timeline.peakSample;
        if (goal == StepGoal::Recomputation) return timeline.recompute[at] != 0;
        for (auto i = static_cast<std::size_t>(timeline.step[at]) + 1;
             i < steps.size() && steps[i].kind != StepKind::Compute; ++i)
            if (steps[i].kind == StepKind::Free) return true;
        return false;
    };
    for (std::int64_t at = sample + by; at >= 0 && at < count; at += by)
        if (isGoal(static_cast<std::size_t>(at))) return at;
    return -1;
}

} // namespace remat
