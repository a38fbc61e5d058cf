// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/coarse.h"

#include "solvers/blocks/blocks.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace remat::offload {

namespace {

class Coarsener
{
public:
    Coarsener(const FlatGraph &flat, const std::vector<int> &labelOfOp) : m_flat(flat), m_runOfOp(flat.ops, 0)
    {
        for (int i = 0; i < flat.ops; ++i) {
            if (i == 0 || labelOfOp[i] != labelOfOp[i - 1] || i == flat.forwardOps) {
                m_coarse.runs.emplace_back().firstOp = i;
                m_coarse.forwardRuns += i < flat.forwardOps ? 1 : 0;
            }
            Run &run = m_coarse.runs.back();
            m_runOfOp[i] = static_cast<int>(m_coarse.runs.size()) - 1;
            run.endOp = i + 1;
            run.timeUs += flat.timeUs[i];
            run.againUs += flat.once[i] ? 0 : flat.timeUs[i];
        }
    }

    Coarse build()
    {
        bundleStorages();
        for (std::size_t b = 0; b < m_coarse.bundles.size(); ++b) {
            const Bundle &bundle = m_coarse.bundles[b];
            m_coarse.runs[bundle.maker].makes.push_back(static_cast<int>(b));
            for (const int run : bundle.readers)
                m_coarse.runs[run].reads.push_back(static_cast<int>(b));
        }
        for (Run &run : m_coarse.runs) {
            run.againReads = run.reads;
            for (const int b : run.makes)
                if (!m_coarse.bundles[b].again) run.againReads.push_back(b);
            run.workspaceBytes = workspace(run);
        }
        return std::move(m_coarse);
    }

private:
    /// Runs other than its own that read the storage; those that read it only to compute something again are not known
    /// here and are not needed: a further computation reads what the first one reads.
    std::vector<int> readersOf(int s) const
    {
        std::vector<int> readers;
        for (const int reader : m_flat.readers[s])
            if (const int run = m_runOfOp[reader]; run != m_runOfOp[m_flat.producer[s]]) readers.push_back(run);
        std::sort(readers.begin(), readers.end());
        readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
        return readers;
    }

    /// Read inside its run by an op that may be computed again.
    bool readAgain(int s) const
    {
        return std::any_of(m_flat.readers[s].begin(), m_flat.readers[s].end(), [&](int reader) {
            return m_runOfOp[reader] == m_runOfOp[m_flat.producer[s]] && !m_flat.once[reader];
        });
    }

    void bundleStorages()
    {
        m_bundleOf.assign(m_flat.storages(), -1);
        std::map<std::tuple<int, std::vector<int>, bool, bool>, int> known;
        for (int s = 0; s < m_flat.storages(); ++s) {
            if (m_flat.producer[s] < 0 || m_flat.bytes[s] == 0) continue;
            const bool again = !m_flat.once[m_flat.producer[s]], output = m_flat.output[s] != 0;
            std::vector<int> readers = readersOf(s);
            if (readers.empty() && !output && (again || !readAgain(s))) continue;
            const int maker = m_runOfOp[m_flat.producer[s]];
            const auto [found, isNew] =
                known.try_emplace({maker, readers, output, again}, static_cast<int>(m_coarse.bundles.size()));
            if (isNew) {
                Bundle &fresh = m_coarse.bundles.emplace_back();
                fresh.maker = maker;
                fresh.readers = std::move(readers);
                fresh.output = output;
                fresh.again = again;
            }
            Bundle &bundle = m_coarse.bundles[found->second];
            bundle.storages.push_back(s);
            bundle.bytes += m_flat.bytes[s];
            bundle.copyUs += copyTimeUs(*m_flat.costs, m_flat.bytes[s]);
            m_bundleOf[s] = found->second;
        }
    }

    /// Internal storages live from their op to their last reader; what others read counts from its op on, and `making`
    /// counts it throughout.
    std::int64_t workspace(const Run &run) const
    {
        std::int64_t made = 0, all = 0, inside = 0, peak = 0;
        for (const int b : run.makes)
            all += m_coarse.bundles[b].bytes;
        std::vector<std::int64_t> endsAfter(static_cast<std::size_t>(run.endOp - run.firstOp), 0);
        for (int i = run.firstOp; i < run.endOp; ++i) {
            for (const int s : m_flat.outputs[i]) {
                if (m_bundleOf[s] >= 0) {
                    made += m_flat.bytes[s];
                    continue;
                }
                inside += m_flat.bytes[s];
                endsAfter[static_cast<std::size_t>(std::min(m_flat.lastUse[s], run.endOp - 1) - run.firstOp)] +=
                    m_flat.bytes[s];
            }
            peak = std::max(peak, made + inside + m_flat.workspaceBytes[i]);
            inside -= endsAfter[static_cast<std::size_t>(i - run.firstOp)];
        }
        return std::max<std::int64_t>(peak - all, 0);
    }

    const FlatGraph &m_flat;
    std::vector<int> m_runOfOp;
    std::vector<int> m_bundleOf; ///< per storage; −1: inside its run
    Coarse m_coarse;
};

} // namespace

std::int64_t Coarse::keepAllPeakBytes() const
{
    std::vector<std::int64_t> held(runs.size() + 1, 0);
    for (const Bundle &bundle : bundles) {
        const int last = bundle.output            ? static_cast<int>(runs.size())
                         : bundle.readers.empty() ? bundle.maker
                                                  : bundle.readers.back();
        for (int run = bundle.maker; run <= last; ++run)
            held[run] += bundle.bytes;
    }
    std::int64_t peak = held.back();
    for (std::size_t run = 0; run < runs.size(); ++run)
        peak = std::max(peak, held[run] + runs[run].workspaceBytes);
    return peak;
}

Coarse coarsen(const FlatGraph &flat, const std::vector<int> &labelOfOp)
{
    return Coarsener(flat, labelOfOp).build();
}

std::vector<int> runLabels(const FlatGraph &flat, int runs)
{
    std::vector<int> labels(flat.ops);
    std::iota(labels.begin(), labels.end(), 0);
    if (flat.ops <= runs) return labels;
    if (flat.forwardOps < flat.ops) {
        const int blocks = std::max(runs / 2, 1);
        const int least = std::max(2 * flat.forwardOps / (3 * blocks), 1); // blocks are between this and twice as long
        return hiremate::partitionLabels(flat, {least, 2 * least});
    }
    for (int i = 0; i < flat.ops; ++i)
        labels[i] = i * runs / flat.ops;
    return labels;
}

} // namespace remat::offload
