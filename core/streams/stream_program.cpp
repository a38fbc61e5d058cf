// SPDX-License-Identifier: Apache-2.0
#include "core/streams/stream_program.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace remat {

namespace {

constexpr std::int32_t kNone = -1;

/// Per stream the last step that is known to have ended.
using Clock = std::array<std::int32_t, kAllStreams>;
constexpr Clock kStart = {kNone, kNone, kNone};

/// The last copies from and to a storage.
struct Copies {
    std::int32_t offload = kNone, prefetch = kNone;
    std::int32_t onHost = kNone;  ///< the last op on the host that reads it
    std::int32_t changed = kNone; ///< the last op on the host that updates it
};

class Maker
{
public:
    Maker(const Graph &graph, const std::vector<Step> &steps)
        : m_graph(graph), m_steps(steps), m_copies(graph.storages.size()), m_endedAt(steps.size())
    {
        m_program.waits.resize(steps.size());
        m_known.fill(kStart);
    }

    StreamProgram make()
    {
        for (std::size_t index = 0; index < m_steps.size(); ++index) {
            m_step = static_cast<std::int32_t>(index);
            const Step &step = m_steps[index];
            m_stream = static_cast<std::size_t>(streamOf(m_graph, step));
            if (step.kind == StepKind::Compute)
                compute(m_graph.op(step.op));
            else
                move(step.kind, m_copies[step.storage.index()]);
            addWaits();
            known()[m_stream] = m_step;
            m_endedAt[index] = known();
            if (static_cast<Stream>(m_stream) == Stream::Compute) m_lastCompute = m_step;
        }
        return std::move(m_program);
    }

private:
    Clock &known() { return m_known[m_stream]; }

    void compute(const Op &op)
    {
        if (op.onHost) return computeOnHost(op);
        for (const StorageId input : op.inputs) {
            Copies &copies = m_copies[input.index()];
            if (!m_graph.planned(input)) {
                waitFor(copies.changed);
                continue;
            }
            waitFor(copies.prefetch);
            if (mayWrite(op, input)) waitFor(copies.offload);
        }
    }

    void computeOnHost(const Op &op)
    {
        waitFor(m_lastCompute);
        for (const StorageId input : op.inputs) {
            Copies &copies = m_copies[input.index()];
            waitFor(copies.offload);
            if (mayWrite(op, input)) waitFor(copies.prefetch);
            copies.onHost = m_step;
            if (mayWrite(op, input)) copies.changed = m_step;
        }
    }

    void move(StepKind kind, Copies &copies)
    {
        if (kind == StepKind::Free) {
            waitFor(copies.prefetch);
            waitFor(copies.offload);
            copies.prefetch = kNone;
        } else if (kind == StepKind::Offload) {
            waitFor(m_lastCompute);
            waitFor(copies.prefetch);
            waitFor(copies.onHost);
            copies.offload = m_step;
        } else {
            waitFor(m_lastCompute);
            waitFor(copies.offload);
            waitFor(copies.changed);
            copies.prefetch = m_step;
        }
    }

    void waitFor(std::int32_t earlier)
    {
        if (earlier != kNone) m_wanted.push_back(earlier);
    }

    /// The last first: it implies what it waited for itself.
    void addWaits()
    {
        std::sort(m_wanted.begin(), m_wanted.end(), std::greater<>());
        for (const std::int32_t earlier : m_wanted) {
            const auto stream = static_cast<std::size_t>(streamOf(m_graph, m_steps[static_cast<std::size_t>(earlier)]));
            if (stream == m_stream || known()[stream] >= earlier) continue;
            m_program.waits[static_cast<std::size_t>(m_step)].push_back(earlier);
            const Clock &ended = m_endedAt[static_cast<std::size_t>(earlier)];
            for (std::size_t i = 0; i < kAllStreams; ++i)
                known()[i] = std::max(known()[i], ended[i]);
        }
        m_wanted.clear();
    }

    const Graph &m_graph;
    const std::vector<Step> &m_steps;
    std::vector<Copies> m_copies;
    std::array<Clock, kAllStreams> m_known{};
    std::vector<std::int32_t> m_wanted; ///< what the step at hand waits for
    std::vector<Clock> m_endedAt;       ///< per step, what is known when it has ended
    std::size_t m_stream = 0;
    std::int32_t m_step = 0, m_lastCompute = kNone;
    StreamProgram m_program;
};

} // namespace

StreamProgram streamProgram(const Graph &graph, const std::vector<Step> &steps)
{
    return Maker(graph, steps).make();
}

} // namespace remat
