// SPDX-License-Identifier: Apache-2.0
#include "solvers/cp/whole_numbers.h"

#include <algorithm>
#include <cmath>

namespace remat::cp {

namespace {

/// What the largest factor of a scaled row or objective becomes: what rounding loses is far below what plans differ by,
/// and sums stay far from where CP-SAT refuses them.
constexpr double kLargest = 1e7;
/// What a scaled limit may be off by the doubles that it comes from.
constexpr double kTolerance = 1e-6;

bool isWhole(double value)
{
    return value == std::floor(value) && std::abs(value) <= kLargest;
}

struct Row {
    const ilp::Term *first, *last;
    double low, high;
};

void addWholeRow(const Row &row, CpModel &model)
{
    Linear &out = model.linear.emplace_back();
    for (const ilp::Term *term = row.first; term != row.last; ++term)
        out.terms.emplace_back(term->column, static_cast<std::int64_t>(term->value));
    if (row.low > -ilp::kInfinity) out.low = static_cast<std::int64_t>(std::ceil(row.low - kTolerance));
    if (row.high < ilp::kInfinity) out.high = static_cast<std::int64_t>(std::floor(row.high + kTolerance));
}

/// Σ value x ≤ high as Σ ⌊scale value⌋ x ≤ ⌊scale high⌋, which holds for all x ≥ 0 that keep the row; `sign` −1 for
/// −Σ value x ≤ −low.
void addScaledRow(const Row &row, double sign, double limit, CpModel &model)
{
    if (std::isinf(limit)) return;
    double largest = 0;
    for (const ilp::Term *term = row.first; term != row.last; ++term)
        largest = std::max(largest, std::abs(term->value));
    const double scale = sign * kLargest / largest;
    Linear &out = model.linear.emplace_back();
    for (const ilp::Term *term = row.first; term != row.last; ++term)
        out.terms.emplace_back(term->column, static_cast<std::int64_t>(std::floor(scale * term->value)));
    out.high = static_cast<std::int64_t>(std::floor(scale * limit + kTolerance));
}

} // namespace

WholeNumbers inWholeNumbers(const ilp::Model &program, double known)
{
    WholeNumbers made;
    const double dearest = *std::max_element(program.objective.begin(), program.objective.end());
    const bool wholeCosts = std::all_of(program.objective.begin(), program.objective.end(), isWhole);
    if (!wholeCosts) made.unit = dearest / kLargest;
    CpModel &model = made.model;
    for (int c = 0; c < program.columns(); ++c)
        model.addVariable(static_cast<std::int64_t>(program.lower[c]), static_cast<std::int64_t>(program.upper[c]),
                          static_cast<std::int64_t>(std::floor(program.objective[c] / made.unit)));
    model.told = model.variables();
    for (int r = 0; r < program.rows(); ++r) {
        const Row row = {program.terms.data() + program.rowStart[r], program.terms.data() + program.rowStart[r + 1],
                         program.rowLower[r], program.rowUpper[r]};
        if (row.first == row.last) continue;
        if (std::all_of(row.first, row.last, [](const ilp::Term &term) { return isWhole(term.value); })) {
            addWholeRow(row, model);
            continue;
        }
        addScaledRow(row, 1, row.high, model);
        addScaledRow(row, -1, row.low, model);
    }
    if (std::isfinite(known)) model.most = static_cast<std::int64_t>(std::ceil(known / made.unit)) - 1;
    return made;
}

} // namespace remat::cp
