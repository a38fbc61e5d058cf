// SPDX-License-Identifier: Apache-2.0
#include "solvers/mincut/memory_budget.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_set>

namespace remat::mincut {

namespace {

constexpr double kGigabyte = 1e9;
/// The knapsack's table counts in ten-thousandths of the span.
constexpr int kSlots = 10000;

int slotsOf(double share)
{
    // Halves go to the even neighbour, as Python's round() has it.
    return static_cast<int>(std::nearbyint(std::min(share, 2.0) * kSlots));
}

} // namespace

Expected<MemoryBudget> MemoryBudget::make(const FxGraph &graph, Knapsack knapsack)
{
    MemoryBudget budget(graph);
    budget.m_knapsack = knapsack;
    if (const Expected<void> cut = budget.makeCuts(); !cut) return tl::unexpected(cut.error());
    if (budget.m_spanGigabytes > 0) {
        budget.makeItems();
        if (knapsack == Knapsack::DynamicProgram) budget.fillTable();
    }
    return budget;
}

Expected<void> MemoryBudget::makeCuts()
{
    Bans bans;
    Expected<SavedValues> values = SavedValues::make(*m_graph, bans);
    if (!values) return tl::unexpected(values.error());
    m_default = values->cut();
    bans.usedFarApart = bans.longFusibleChains = bans.materializedBackward = false;
    values = SavedValues::make(*m_graph, bans);
    if (!values) return tl::unexpected(values.error());
    m_moreAggressive = values->cut();
    bans.notInAllowList = false;
    values = SavedValues::make(*m_graph, bans);
    if (!values) return tl::unexpected(values.error());
    m_aggressive = values->cut();
    m_network = std::move(*values);
    m_inputGigabytes = gigabytes(m_graph->primals);
    m_spanGigabytes = gigabytes(m_default) - m_inputGigabytes;
    return {};
}

void MemoryBudget::makeItems()
{
    std::unordered_set<StorageId> inputs;
    for (const int primal : m_graph->primals)
        inputs.insert(m_graph->nodes[primal].storage);
    for (const int banned : m_network->banned()) {
        const FxNode &node = m_graph->nodes[banned];
        if (node.distance >= kFarFromBackward || (node.storage && inputs.count(node.storage) > 0)) continue;
        (node.collective ? m_mustSave : m_items).push_back(banned);
    }
    std::stable_sort(m_items.begin(), m_items.end(),
                     [&](int a, int b) { return m_graph->nodes[a].bytes > m_graph->nodes[b].bytes; });
    for (const int item : m_items) {
        m_sizes.push_back(static_cast<double>(m_graph->nodes[item].bytes) / kGigabyte / m_spanGigabytes);
        m_units.push_back(slotsOf(m_sizes.back()));
    }
}

/// One table serves all capacities: a column depends on the columns before it only. Single precision, since which of
/// two equally good sets wins hangs on its rounding.
void MemoryBudget::fillTable()
{
    std::vector<float> best(kSlots + 1, 0.0F), before;
    m_takes.resize(m_items.size());
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const auto runtime = static_cast<float>(m_graph->nodes[m_items[i]].runtime);
        const int slots = m_units[i];
        before = best;
        m_takes[i].assign(kSlots + 1, false);
        for (int j = slots; j <= kSlots; ++j) {
            const float taken = before[j - slots] + runtime;
            best[j] = slots == 0 ? taken : std::max(before[j], taken);
            m_takes[i][j] = best[j] != before[j];
        }
    }
}

double MemoryBudget::gigabytes(const std::vector<int> &nodes) const
{
    const std::int64_t bytes =
        std::accumulate(nodes.begin(), nodes.end(), std::int64_t(0),
                        [&](std::int64_t sum, int node) { return sum + m_graph->nodes[node].bytes; });
    return static_cast<double>(bytes) / kGigabyte;
}

double MemoryBudget::shareOf(const std::vector<int> &saved) const
{
    return (gigabytes(saved) - m_inputGigabytes) / m_spanGigabytes;
}

std::vector<int> MemoryBudget::droppedByProgram(double budget) const
{
    std::vector<int> dropped;
    int left = slotsOf(budget);
    for (std::size_t i = m_items.size(); i-- > 0;) {
        if (m_takes[i][left])
            left -= m_units[i];
        else
            dropped.push_back(m_items[i]);
    }
    return dropped;
}

std::vector<int> MemoryBudget::droppedByGreed(double budget) const
{
    const auto worth = [&](std::size_t i) {
        const double runtime = m_graph->nodes[m_items[i]].runtime;
        return m_sizes[i] > 0 ? runtime / m_sizes[i] : std::numeric_limits<double>::infinity();
    };
    std::vector<std::size_t> order(m_items.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return worth(a) > worth(b); });
    std::vector<int> dropped;
    double filled = 0;
    for (const std::size_t i : order) {
        if (filled + m_sizes[i] <= budget)
            filled += m_sizes[i];
        else
            dropped.push_back(m_items[i]);
    }
    return dropped;
}

/// What the knapsack frees for recomputation.
std::vector<int> MemoryBudget::allowedAt(double budget) const
{
    std::vector<int> allowed =
        m_knapsack == Knapsack::DynamicProgram ? droppedByProgram(budget) : droppedByGreed(budget);
    std::sort(allowed.begin(), allowed.end());
    return allowed;
}

std::vector<int> MemoryBudget::saved(double budget) const
{
    if (budget <= 0) return m_graph->primals;
    if (budget >= 1 || m_spanGigabytes <= 0) return m_default;
    if (shareOf(m_moreAggressive) < budget) return m_moreAggressive;
    if (shareOf(m_aggressive) < budget) return m_aggressive;
    if (m_items.empty()) {
        std::vector<int> saved = m_graph->primals;
        saved.insert(saved.end(), m_mustSave.begin(), m_mustSave.end());
        return saved;
    }
    SavedValues network = *m_network;
    return network.cut(allowedAt(budget));
}

std::vector<double> MemoryBudget::decisions() const
{
    std::vector<double> budgets{1.0};
    if (m_spanGigabytes > 0) {
        double below = 1.0 - 0.5 / kSlots;
        const auto take = [&](double budget) {
            if (budget > 0 && budget < budgets.back()) budgets.push_back(budget);
        };
        for (const std::vector<int> *saved : {&m_moreAggressive, &m_aggressive}) {
            const double share = shareOf(*saved);
            if (share < below) take(below);
            below = std::min(below, share);
        }
        std::vector<int> last;
        for (int slots = std::min(slotsOf(std::max(below, 0.0)), kSlots); slots >= 0 && below > 0; --slots) {
            const double budget = std::clamp(static_cast<double>(slots) / kSlots, 0.1 / kSlots, below);
            std::vector<int> allowed = allowedAt(budget);
            if (budget < below && allowed == last) continue;
            take(budget);
            last = std::move(allowed);
        }
    }
    budgets.push_back(0.0);
    return budgets;
}

} // namespace remat::mincut
