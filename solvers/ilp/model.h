// SPDX-License-Identifier: Apache-2.0
// A mixed 0/1 linear program as plain vectors, neutral of the solver.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace remat::ilp {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Coefficient of one column in one row.
struct Term {
    int column = 0;
    double value = 0;
};

/// minimise objective · x, rowLower ≤ A x ≤ rowUpper, lower ≤ x ≤ upper, some x whole.
struct Model {
    std::vector<double> objective, lower, upper;
    std::vector<std::uint8_t> integer;

    std::vector<int> rowStart{0}; ///< row r has terms [rowStart[r], rowStart[r + 1])
    std::vector<Term> terms;
    std::vector<double> rowLower, rowUpper;

    int columns() const { return static_cast<int>(objective.size()); }
    int rows() const { return static_cast<int>(rowLower.size()); }

    /// Adds a 0/1 column and returns its number.
    int addBinary(double cost) { return addColumn(cost, 0, 1, true); }
    int addColumn(double cost, double low, double high, bool whole);
    /// Adds a row; terms with the same column are summed up, zeros left out.
    void addRow(double low, std::vector<Term> row, double high);
    void addAtMost(std::vector<Term> row, double high) { addRow(-kInfinity, std::move(row), high); }
    void addAtLeast(double low, std::vector<Term> row) { addRow(low, std::move(row), kInfinity); }
    void fix(int column, double value);

    /// All vectors fit together, and terms name columns that there are; what has been added is always so.
    bool consistent() const;
};

/// Largest violation of rows, bounds and wholeness by `x`; 0 when `x` solves the model, infinite when it has not one
/// number for each column.
double violation(const Model &model, const std::vector<double> &x);
double objectiveOf(const Model &model, const std::vector<double> &x);

} // namespace remat::ilp
