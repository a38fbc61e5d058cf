// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/paging_model.h"

#include <algorithm>

namespace remat::offload {

namespace {

constexpr int kNone = -1;
constexpr double kLargestCoefficient = 1e5;
constexpr double kTinyShare = 1e-3; ///< share of the budget: what is smaller stays or is computed again

class Builder
{
public:
    Builder(const Coarse &coarse, const PagingSettings &settings)
        : m_coarse(coarse), m_settings(settings), m_now(coarse.bundles.size(), kNone)
    {
        std::int64_t largest = 1;
        for (const Run &run : coarse.runs) {
            largest = std::max(largest, making(run));
            m_unitUs = std::max(m_unitUs, run.timeUs / 1e3);
        }
        m_unitBytes = std::max(1.0, static_cast<double>(largest) / kLargestCoefficient);
    }

    PagingModel build()
    {
        const int runs = static_cast<int>(m_coarse.runs.size());
        m_arrives.assign(m_coarse.bundles.size(), kNone);
        m_outTerms.resize(m_coarse.bundles.size());
        m_inTerms.resize(m_coarse.bundles.size());
        std::vector<ilp::Term> whole;
        for (int t = 0; t < runs; ++t) {
            addSlot(t);
            whole.push_back({m_slotTime, 1});
        }
        std::vector<ilp::Term> atEnd;
        for (int b = 0; b < bundles(); ++b) {
            if (!m_coarse.bundles[b].output) continue;
            const int column = next(b, m_arrives[b]);
            fixOne(column);
            atEnd.push_back({column, units(m_coarse.bundles[b].bytes)});
        }
        m_result.model.addAtMost(std::move(atEnd), units(m_settings.budgetBytes));
        if (m_settings.mostTimeUs > 0) m_result.model.addAtMost(std::move(whole), m_settings.mostTimeUs / m_unitUs);
        return std::move(m_result);
    }

private:
    int bundles() const { return static_cast<int>(m_coarse.bundles.size()); }
    double units(std::int64_t bytes) const { return static_cast<double>(bytes) / m_unitBytes; }
    void fixOne(int column) { m_result.model.lower[column] = 1; }

    std::int64_t making(const Run &run) const
    {
        std::int64_t bytes = run.workspaceBytes;
        for (const int b : run.makes)
            bytes += m_coarse.bundles[b].bytes;
        return bytes;
    }

    /// Runs worth computing again in slot t: something they make is read later, or by such a run.
    void findAgain(int t)
    {
        m_again.assign(m_coarse.runs.size(), 0);
        for (int i = t; i-- > 0;)
            m_again[i] = std::any_of(m_coarse.runs[i].makes.begin(), m_coarse.runs[i].makes.end(),
                                     [&](int b) { return m_coarse.bundles[b].again && useful(b, t); });
    }

    /// Held at the end, or read in slot t or later, or by a run that may be computed again in slot t.
    bool useful(int b, int t) const
    {
        const Bundle &bundle = m_coarse.bundles[b];
        if (bundle.output || (!bundle.readers.empty() && bundle.readers.back() >= t)) return true;
        if (!bundle.again && m_again[bundle.maker]) return true;
        return std::any_of(bundle.readers.begin(), bundle.readers.end(), [&](int run) { return m_again[run] != 0; });
    }

    /// Long enough unread for a copy out and one back, and large enough to matter.
    bool pages(const Bundle &bundle) const
    {
        if (!m_settings.pages) return false;
        if (static_cast<double>(bundle.bytes) < kTinyShare * static_cast<double>(m_settings.budgetBytes)) return false;
        int last = bundle.maker;
        for (const int reader : bundle.readers) {
            if (reader > last + 2) return true;
            last = reader;
        }
        return bundle.output && static_cast<int>(m_coarse.runs.size()) > last + 2;
    }

    /// b after an event: at most what was there before and what `source` brings.
    int next(int b, int source)
    {
        const int column = m_result.model.addBinary(0);
        std::vector<ilp::Term> row{{column, 1}};
        if (m_now[b] != kNone) row.push_back({m_now[b], -1});
        if (source != kNone) row.push_back({source, -1});
        m_result.model.addAtMost(std::move(row), 0);
        m_now[b] = column;
        return column;
    }

    double joules(double us) const { return m_settings.watts * us * 1e-6; }

    void addSlot(int t)
    {
        ilp::Model &model = m_result.model;
        const Run &first = m_coarse.runs[t];
        findAgain(t);
        m_slotTime = model.addColumn(m_settings.energy ? 1e-6 : 1, 0, ilp::kInfinity, false);
        std::vector<ilp::Term> compute{{m_slotTime, 1}}, outTime{{m_slotTime, 1}}, inTime{{m_slotTime, 1}};

        std::vector<int> start(m_coarse.bundles.size(), kNone), coming(m_coarse.bundles.size(), kNone);
        for (int b = 0; b < bundles(); ++b) {
            if (m_coarse.bundles[b].maker >= t) continue;
            if (!useful(b, t)) {
                m_now[b] = m_arrives[b] = kNone;
                continue;
            }
            start[b] = next(b, m_arrives[b]);
            m_arrives[b] = kNone;
        }
        m_result.MOut.emplace_back(m_coarse.bundles.size(), kNone);
        for (int b = 0; b < bundles(); ++b) {
            if (start[b] == kNone || !pages(m_coarse.bundles[b])) continue;
            coming[b] = addCopies(b, start[b], outTime, inTime);
        }
        std::vector<int> again(m_coarse.runs.size(), kNone);
        for (int i = 0; i < t; ++i) {
            if (!m_again[i]) continue;
            const Run &run = m_coarse.runs[i];
            again[i] = model.addBinary(m_settings.energy ? joules(run.againUs) : 0);
            compute.push_back({again[i], -run.againUs / m_unitUs});
            addMemory(coming, run, again[i]);
            for (const int b : run.againReads) {
                std::vector<ilp::Term> row{{again[i], 1}};
                if (m_now[b] != kNone) row.push_back({m_now[b], -1});
                model.addAtMost(std::move(row), 0);
            }
            for (const int b : run.againReads)
                if (m_now[b] != kNone) next(b, kNone);
            for (const int b : run.makes)
                if (m_coarse.bundles[b].again && useful(b, t)) next(b, again[i]);
        }
        m_result.R.push_back(std::move(again));

        const int one = model.addColumn(0, 1, 1, false);
        addMemory(coming, first, one);
        for (const int b : first.reads) {
            fixOne(m_now[b]);
            next(b, kNone);
        }
        for (const int b : first.makes)
            next(b, one);
        for (int b = 0; b < bundles(); ++b)
            if (const int out = m_result.MOut.back()[b]; out != kNone) {
                // It is there to the end of the slot while it is copied.
                if (m_now[b] != kNone) model.addAtMost({{out, 1}, {m_now[b], -1}}, 0);
            }
        model.addAtLeast(first.timeUs / m_unitUs, std::move(compute));
        model.addAtLeast(0, std::move(outTime));
        model.addAtLeast(0, std::move(inTime));
    }

    /// Copies of b during slot t. Returns Q.
    int addCopies(int b, int start, std::vector<ilp::Term> &outTime, std::vector<ilp::Term> &inTime)
    {
        ilp::Model &model = m_result.model;
        const Bundle &bundle = m_coarse.bundles[b];
        const double copy = bundle.copyUs / m_unitUs;
        const double cost = m_settings.energy ? m_settings.linkWatts * bundle.copyUs * 1e-6 : 0;
        int place = kNone;
        if (!m_outTerms[b].empty()) {
            place = model.addBinary(0);
            const int in = model.addColumn(cost, 0, 1, false);
            m_arrives[b] = model.addBinary(0);
            std::vector<ilp::Term> copied{{place, 1}};
            for (const ilp::Term &term : m_outTerms[b])
                copied.push_back({term.column, -1});
            model.addAtMost(std::move(copied), 0);
            model.addAtMost({{in, 1}, {place, -1}}, 0);
            model.addAtMost({{m_arrives[b], 1}, {place, -1}}, 0);
            m_inTerms[b].push_back({in, -1});
            m_inTerms[b].push_back({m_arrives[b], 1});
            model.addAtMost(m_inTerms[b], 0);
            inTime.push_back({in, -copy});
        }
        const int out = model.addColumn(cost, 0, 1, false);
        model.addAtMost({{out, 1}, {start, -1}}, 0);
        m_outTerms[b].push_back({out, 1});
        m_result.MOut.back()[b] = out;
        outTime.push_back({out, -copy});
        return place;
    }

    void addMemory(const std::vector<int> &coming, const Run &run, int computed)
    {
        std::vector<ilp::Term> row{{computed, units(making(run))}};
        for (int b = 0; b < bundles(); ++b) {
            const double size = units(m_coarse.bundles[b].bytes);
            if (m_now[b] != kNone) row.push_back({m_now[b], size});
            if (coming[b] != kNone) row.push_back({coming[b], size});
        }
        m_result.model.addAtMost(std::move(row), units(m_settings.budgetBytes));
    }

    const Coarse &m_coarse;
    const PagingSettings &m_settings;
    PagingModel m_result;
    double m_unitUs = 1, m_unitBytes = 1;
    std::vector<int> m_now;                         ///< per bundle: the column that says it is there
    std::vector<int> m_arrives;                     ///< per bundle: F of the slot before
    std::vector<std::vector<ilp::Term>> m_outTerms; ///< per bundle: shares copied out so far
    std::vector<std::vector<ilp::Term>> m_inTerms;  ///< per bundle: arrivals less shares copied in so far
    std::vector<char> m_again;                      ///< per run: worth computing again in this slot
    int m_slotTime = kNone;
};

} // namespace

PagingModel buildPagingModel(const Coarse &coarse, const PagingSettings &settings)
{
    return Builder(coarse, settings).build();
}

} // namespace remat::offload
