// SPDX-License-Identifier: Apache-2.0
// PyTorch's `activation_memory_budget`: from one number between 0 and 1 to the values that are saved.
#pragma once

#include "solvers/mincut/saved_values.h"

#include <optional>
#include <vector>

namespace remat::mincut {

enum class Knapsack { DynamicProgram, Greedy };

/// The decisions of `choose_saved_values_set` (PyTorch 2.11). A budget of 1 takes the smallest cut under all bans.
/// Below it comes the cut without three of the bans, then the one that bans only random and compute-intensive
/// operators, each as soon as the bytes it saves are less than the budget's share of what 1 saves. Below that a 0/1
/// knapsack over the banned nodes says which stay banned, and the cut is taken again. 0 saves the inputs alone. Saved
/// bytes count, not the peak, so that a lower budget may well have a higher peak.
class MemoryBudget
{
public:
    static Expected<MemoryBudget> make(const FxGraph &graph, Knapsack knapsack);

    /// The nodes saved, in order of the graph; `budget` within 0 … 1. Thread-safe.
    std::vector<int> saved(double budget) const;

    /// Budgets, falling, the largest for each decision there is; some may come to the same cut all the same.
    std::vector<double> decisions() const;

private:
    explicit MemoryBudget(const FxGraph &graph) : m_graph(&graph) {}

    Expected<void> makeCuts();
    void makeItems();
    void fillTable();
    double shareOf(const std::vector<int> &saved) const;
    double gigabytes(const std::vector<int> &nodes) const;
    std::vector<int> allowedAt(double budget) const;
    std::vector<int> droppedByProgram(double budget) const;
    std::vector<int> droppedByGreed(double budget) const;

    const FxGraph *m_graph;
    Knapsack m_knapsack = Knapsack::DynamicProgram;
    double m_inputGigabytes = 0, m_spanGigabytes = 0; ///< the span: what 1 saves more than the inputs
    std::vector<int> m_default, m_moreAggressive, m_aggressive;
    std::optional<SavedValues> m_network; ///< network of the last of the three
    std::vector<int> m_mustSave;
    std::vector<int> m_items;               ///< banned nodes that the knapsack may give up, largest first
    std::vector<double> m_sizes;            ///< sizes of the items, in spans
    std::vector<int> m_units;               ///< the same in units of the table
    std::vector<std::vector<bool>> m_takes; ///< per item and capacity: the table saves it
};

} // namespace remat::mincut
