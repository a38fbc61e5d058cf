// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/engine.h"

#include "core/base/units.h"
#include "gpu/engine/host_pool.h"

#include <algorithm>
#include <cstring>

namespace remat {

namespace {

/// What a stale copy is filled with, so that no run that reads it is right by luck.
constexpr std::byte kStale{0xff};

class Engine
{
public:
    Engine(const Graph &graph, const std::vector<Step> &steps, const StreamProgram &program, Accelerator &accelerator,
           RunMemory &memory, StepRunner &runner, const EngineSetting &setting)
        : m_graph(graph),
          m_steps(steps),
          m_program(program),
          m_accelerator(accelerator),
          m_memory(memory),
          m_runner(runner),
          m_setting(setting),
          m_host(hostLayout(graph, steps)),
          m_there(graph.storages.size()),
          m_rooms(steps.size()),
          m_hostBytes(graph.storages.size(), 0),
          m_movedOnHost(steps.size(), 0),
          m_begins(steps.size()),
          m_ends(steps.size()),
          m_copies(graph.storages.size(), -1)
    {
        m_result.steps.resize(steps.size());
    }

    Expected<Replay> run()
    {
        if (m_program.waits.size() != m_steps.size())
            return fail("The stream program is not one of this plan. Make it again.");
        if (m_host.bytes > 0) {
            Expected<MemoryBlock> block = m_accelerator.hostBlock(m_host.bytes);
            if (!block) return tl::unexpected(block.error());
            m_hostBlock = std::move(*block);
        }
        if (m_setting.sums) m_setting.sums->assign(m_steps.size(), {});
        bringParameters();
        const StreamEvent start = m_accelerator.record(Stream::Compute);
        for (std::size_t step = 0; step < m_steps.size(); ++step) {
            m_accelerator.beginRange(stepTitle(m_graph, m_steps[step]));
            put(step);
            m_accelerator.endRange();
        }
        // Work that has been put refers to this object: nothing returns before it is done.
        if (auto done = m_accelerator.synchronize(); !done) return tl::unexpected(done.error());
        const double startUs = m_accelerator.timeUs(start);
        for (std::size_t step = 0; step < m_steps.size(); ++step) {
            StepMeasurement &measured = m_result.steps[step];
            measured.startUs = m_accelerator.timeUs(m_begins[step]) - startUs;
            measured.endUs = m_accelerator.timeUs(m_ends[step]) - startUs;
            m_result.timeUs = std::max(m_result.timeUs, measured.endUs);
            m_result.peakBytes = std::max(m_result.peakBytes, measured.heldBytes);
        }
        m_result.heightBytes = m_memory.use().height;
        m_result.hostBytes = m_host.bytes;
        takeHome();
        return std::move(m_result);
    }

private:
    /// Before the first step: every planned parameter has its copy in host memory, and some are on the device.
    void bringParameters()
    {
        const std::vector<char> away = beginsOnHost(m_graph, m_steps), whole = wholeOnHost(m_graph, m_steps);
        for (std::size_t s = 0; s < m_graph.storages.size(); ++s) {
            if (!m_graph.storages[s].plannedParameter) continue;
            m_accelerator.compute([this, storage = StorageId(s), held = away[s] == 0]() -> Expected<void> {
                const std::span<const std::byte> home = m_runner.homeOf(storage);
                if (static_cast<std::int64_t>(home.size()) > m_graph.storage(storage).bytes) return tooLarge(storage);
                std::byte *copy = m_hostBlock.get() + m_host.homes[storage.index()];
                std::copy(home.begin(), home.end(), copy);
                m_hostBytes[storage.index()] = static_cast<std::int64_t>(home.size());
                if (!held) return {};
                return bring(-1, storage, static_cast<std::int64_t>(home.size()));
            });
            if (away[s] != 0) continue;
            m_accelerator.wait(Stream::ToDevice, m_accelerator.record(Stream::Compute));
            m_accelerator.copy(Stream::ToDevice, [this, storage = StorageId(s)]() -> Expected<CopyJob> {
                return CopyJob{m_there[storage.index()].data(), m_hostBlock.get() + m_host.homes[storage.index()],
                               m_hostBytes[storage.index()]};
            });
            m_accelerator.wait(Stream::Compute, m_accelerator.record(Stream::ToDevice));
            // What does not end whole in host memory was not whole there when the iteration before this one ended.
            if (whole[s] != 0) continue;
            m_accelerator.wait(Stream::Host, m_accelerator.record(Stream::ToDevice));
            m_accelerator.onHost([this, storage = StorageId(s)]() -> Expected<void> {
                const std::span<std::byte> copy = hostCopy(m_host.homes[storage.index()], storage);
                std::fill(copy.begin(), copy.end(), kStale);
                return {};
            });
            m_accelerator.wait(Stream::Compute, m_accelerator.record(Stream::Host));
        }
        m_accelerator.compute([this]() -> Expected<void> {
            m_result.peakBytes = m_memory.use().current;
            return {};
        });
    }

    /// The copies that are whole in host memory when all steps are done.
    void takeHome()
    {
        const std::vector<char> whole = wholeOnHost(m_graph, m_steps);
        for (const Op &op : m_graph.ops)
            for (const StorageId updated : op.updates)
                if (whole[updated.index()] != 0)
                    m_runner.bringHome(updated, hostCopy(m_host.homes[updated.index()], updated));
    }

    std::span<std::byte> hostCopy(std::int64_t offset, StorageId storage) const
    {
        return {m_hostBlock.get() + offset, static_cast<std::size_t>(m_hostBytes[storage.index()])};
    }

    tl::unexpected<Error> tooLarge(StorageId storage) const
    {
        return fail(m_graph.storage(storage).name + " is larger than the plan says. Trace the model again.");
    }

    void put(std::size_t step)
    {
        const Step &at = m_steps[step];
        const Stream stream = streamOf(m_graph, at);
        if (at.kind == StepKind::Offload) {
            m_accelerator.compute([this, step, storage = at.storage] { return beginOffload(step, storage); });
            m_copies[at.storage.index()] = m_host.offsets[step];
        }
        if (stream == Stream::Host)
            m_accelerator.compute([this, step]() -> Expected<void> {
                m_result.steps[step].heldBytes = m_memory.use().current;
                return {};
            });
        if (at.kind == StepKind::Prefetch)
            m_accelerator.compute([this, step, storage = at.storage] { return beginPrefetch(step, storage); });
        if (stream != Stream::Compute) m_prepared = m_accelerator.record(Stream::Compute);
        // A copy back needs its room, which is taken when the compute stream has come to it; an op on the host needs to
        // know how large the copies are that it reads.
        if (at.kind == StepKind::Prefetch || stream == Stream::Host) m_accelerator.wait(stream, m_prepared);
        for (const std::int32_t wait : m_program.waits[step]) {
            const auto other = static_cast<std::size_t>(wait);
            const bool position = stream != Stream::Compute && streamOf(m_graph, m_steps[other]) == Stream::Compute;
            m_accelerator.wait(stream, position ? m_prepared : m_ends[other]);
        }
        m_begins[step] = m_accelerator.record(stream);
        switch (at.kind) {
        case StepKind::Compute:
            if (stream == Stream::Host)
                m_accelerator.onHost(
                    [this, step, op = at.op, offsets = copiesFor(at.op)] { return computeOnHost(step, op, offsets); });
            else
                m_accelerator.compute([this, step, op = at.op] { return compute(step, op); });
            break;
        case StepKind::Free:
            m_accelerator.compute([this, step, storage = at.storage]() -> Expected<void> {
                auto dropped = m_runner.drop(storage, m_memory);
                m_result.steps[step].heldBytes = m_memory.use().current;
                return dropped;
            });
            break;
        case StepKind::Offload:
            m_accelerator.copy(stream, [this, step, storage = at.storage] { return offloadJob(step, storage); });
            break;
        case StepKind::Prefetch:
            m_accelerator.copy(stream, [this, step] { return prefetchJob(step); });
            break;
        }
        m_ends[step] = m_accelerator.record(stream);
    }

    Expected<void> compute(std::size_t step, OpId op)
    {
        if (m_setting.stop && m_setting.stop->stopRequested()) return fail("Stopped.");
        if (auto summed = sumUp(step, op, m_graph.op(op).inputs, &StepSums::read); !summed) return summed;
        const std::int64_t before = m_memory.use().current;
        m_memory.resetPeak();
        m_memory.beginOp(static_cast<std::int32_t>(step), op);
        if (auto computed = m_runner.compute(op, m_memory); !computed) return computed;
        StepMeasurement &measured = m_result.steps[step];
        measured.heldBytes = m_memory.use().peak;
        measured.madeBytes = m_memory.use().current - before;
        measured.workspaceBytes = m_memory.use().peak - before - measured.madeBytes;
        for (const StorageId output : m_graph.op(op).outputs)
            if (const auto at = m_runner.bytesOf(output); at.data() != m_there[output.index()].data())
                m_there[output.index()] = at;
        if (auto summed = sumUp(step, op, writtenBy(m_graph.op(op)), &StepSums::made); !summed) return summed;
        if (m_setting.progress) m_setting.progress(step);
        return {};
    }

    /// Where the host copies lie that an op on the host reads: per input, -1 where there is none.
    std::vector<std::int64_t> copiesFor(OpId op) const
    {
        std::vector<std::int64_t> offsets;
        for (const StorageId input : m_graph.op(op).inputs)
            offsets.push_back(!m_graph.planned(input)                   ? -1
                              : m_graph.storage(input).plannedParameter ? m_host.homes[input.index()]
                                                                        : m_copies[input.index()]);
        return offsets;
    }

    Expected<void> computeOnHost(std::size_t step, OpId op, const std::vector<std::int64_t> &offsets)
    {
        if (m_setting.stop && m_setting.stop->stopRequested()) return fail("Stopped.");
        const std::vector<StorageId> &inputs = m_graph.op(op).inputs;
        std::vector<std::span<std::byte>> copies(inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (offsets[i] >= 0) copies[i] = hostCopy(offsets[i], inputs[i]);
        const auto sumOf = [&](StorageId storage) {
            const auto i = static_cast<std::size_t>(std::find(inputs.begin(), inputs.end(), storage) - inputs.begin());
            return offsets[i] >= 0 ? checksumOf(copies[i]) : 0;
        };
        StepSums sums{op, {}, {}};
        if (m_setting.sums)
            for (const StorageId input : inputs)
                sums.read.push_back(sumOf(input));
        if (auto computed = m_runner.computeOnHost(op, copies); !computed || !m_setting.sums) return computed;
        for (const StorageId written : m_graph.op(op).updates)
            sums.made.push_back(sumOf(written));
        (*m_setting.sums)[step] = std::move(sums);
        return {};
    }

    Expected<void> sumUp(std::size_t step, OpId op, const std::vector<StorageId> &storages,
                         std::vector<std::uint64_t> StepSums::*sums)
    {
        if (!m_setting.sums) return {};
        StepSums &found = (*m_setting.sums)[step];
        found.op = op;
        for (const StorageId storage : storages) {
            const bool seen = m_graph.planned(storage) && !m_runner.onHost(storage);
            const auto sum = seen ? m_accelerator.checksum(m_runner.bytesOf(storage)) : 0;
            if (!sum) return tl::unexpected(sum.error());
            (found.*sums).push_back(*sum);
        }
        return {};
    }

    Expected<void> beginOffload(std::size_t step, StorageId storage)
    {
        m_result.steps[step].heldBytes = m_memory.use().current;
        if (m_runner.onHost(storage)) return moveOnHost(step);
        // An op on the host may be reading an earlier copy, which is as large.
        const auto bytes = static_cast<std::int64_t>(m_there[storage.index()].size());
        if (m_hostBytes[storage.index()] != bytes) m_hostBytes[storage.index()] = bytes;
        if (bytes > m_graph.storage(storage).bytes) return tooLarge(storage);
        return {};
    }

    Expected<void> beginPrefetch(std::size_t step, StorageId storage)
    {
        if (m_runner.onHost(storage)) return moveOnHost(step);
        auto brought = bring(static_cast<std::int32_t>(step), storage, m_hostBytes[storage.index()]);
        m_result.steps[step].heldBytes = m_memory.use().current;
        return brought;
    }

    Expected<void> moveOnHost(std::size_t step)
    {
        m_movedOnHost[step] = 1;
        m_result.steps[step].heldBytes = m_memory.use().current;
        return m_runner.moveOnHost(m_steps[step]);
    }

    Expected<void> bring(std::int32_t step, StorageId storage, std::int64_t bytes)
    {
        std::span<std::byte> room;
        if (bytes > 0) {
            const Expected<std::byte *> at = m_memory.takeStorage(step, storage, bytes);
            if (!at) return tl::unexpected(at.error());
            room = {*at, static_cast<std::size_t>(bytes)};
        }
        if (step >= 0) m_rooms[static_cast<std::size_t>(step)] = room;
        m_there[storage.index()] = room;
        return m_runner.adopt(storage, room);
    }

    Expected<CopyJob> offloadJob(std::size_t step, StorageId storage) const
    {
        if (m_movedOnHost[step] != 0) return CopyJob{};
        const std::span<std::byte> from = m_there[storage.index()];
        if (!from.data() && m_graph.storage(storage).bytes > 0)
            return fail("The offload of {} at step {} began before it was there.", m_graph.storage(storage).name, step);
        return CopyJob{m_hostBlock.get() + m_host.offsets[step], from.data(), static_cast<std::int64_t>(from.size())};
    }

    Expected<CopyJob> prefetchJob(std::size_t step) const
    {
        const std::span<std::byte> to = m_rooms[step];
        return CopyJob{to.data(), m_hostBlock.get() + m_host.offsets[step], static_cast<std::int64_t>(to.size())};
    }

    const Graph &m_graph;
    const std::vector<Step> &m_steps;
    const StreamProgram &m_program;
    Accelerator &m_accelerator;
    RunMemory &m_memory;
    StepRunner &m_runner;
    const EngineSetting &m_setting;
    HostLayout m_host;
    MemoryBlock m_hostBlock;
    Replay m_result;
    std::vector<std::span<std::byte>> m_there; ///< per storage, where it lies, from the moment it is made or brought
    std::vector<std::span<std::byte>> m_rooms; ///< per step, where a prefetch copies to
    std::vector<std::int64_t> m_hostBytes;     ///< per storage, of its copy in host memory
    std::vector<char> m_movedOnHost;           ///< per step, a copy that the runner has made itself
    std::vector<StreamEvent> m_begins, m_ends;
    StreamEvent m_prepared;
    std::vector<std::int64_t> m_copies; ///< per storage, where its last offload that was put copies to; -1 without
};

} // namespace

Expected<Replay> runSteps(const Graph &graph, const std::vector<Step> &steps, const StreamProgram &program,
                          Accelerator &accelerator, RunMemory &memory, StepRunner &runner, const EngineSetting &setting)
{
    return Engine(graph, steps, program, accelerator, memory, runner, setting).run();
}

} // namespace remat
