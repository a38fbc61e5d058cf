// SPDX-License-Identifier: Apache-2.0
#include "solvers/moccasin/copies_that_pay.h"

#include "solvers/checkmate/path_cuts.h"

#include <algorithm>
#include <cmath>

namespace remat::moccasin {

CopiesThatPay::CopiesThatPay(const FlatGraph &flat, std::int64_t budgetBytes, const ilp::Limits &limits)
    : m_flat(flat), m_pricesUs(flat.ops)
{
    for (int v = 0; v < flat.ops; ++v)
        if (!flat.once[v]) m_pricesUs[v].assign(flat.ops - v, 0);
    if (limits.iterations == 0) return;
    checkmate::ModelSettings settings;
    settings.budgetBytes = budgetBytes;
    checkmate::SlotProgram slots = checkmate::buildSlotProgram(flat, settings);
    const ilp::Relaxation relaxation = checkmate::tightenByPathCuts(flat, slots, limits);
    m_noPlan = relaxation.status == ilp::Status::Infeasible;
    if (relaxation.reducedCosts.empty() || !std::isfinite(relaxation.bound)) return;
    m_boundUs = std::max(0.0, relaxation.bound * slots.unitUs);
    for (int v = 0; v < flat.ops; ++v) {
        m_pricesUs[v].clear();
        for (int t = v + 1; t <= flat.ops; ++t)
            for (const std::vector<int> &pass : slots.R[t])
                if (const int column = pass[v]; column >= 0)
                    m_pricesUs[v].push_back(std::max(0.0, relaxation.reducedCosts[column] * slots.unitUs));
        std::sort(m_pricesUs[v].begin(), m_pricesUs[v].end());
    }
}

std::vector<int> CopiesThatPay::below(double extraUs) const
{
    std::vector<int> copies(m_flat.ops, 1);
    for (int v = m_flat.ops; v-- > 0;) {
        std::size_t reads = 0;
        for (const int s : m_flat.outputs[v]) {
            reads += m_flat.output[s] ? 1 : 0;
            for (const int reader : m_flat.readers[s])
                reads += copies[reader];
        }
        double addedUs = m_boundUs;
        for (const double priceUs : m_pricesUs[v]) {
            addedUs += priceUs;
            const auto again = static_cast<std::size_t>(copies[v]);
            if (again > reads || addedUs >= extraUs || m_flat.timeUs[v] * copies[v] >= extraUs) break;
            ++copies[v];
        }
    }
    return copies;
}

} // namespace remat::moccasin
