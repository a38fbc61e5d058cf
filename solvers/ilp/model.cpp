// SPDX-License-Identifier: Apache-2.0
#include "solvers/ilp/model.h"

#include <algorithm>
#include <cmath>

namespace remat::ilp {

int Model::addColumn(double cost, double low, double high, bool whole)
{
    objective.push_back(cost);
    lower.push_back(low);
    upper.push_back(high);
    integer.push_back(whole ? 1 : 0);
    return columns() - 1;
}

void Model::addRow(double low, std::vector<Term> row, double high)
{
    std::sort(row.begin(), row.end(), [](const Term &a, const Term &b) { return a.column < b.column; });
    for (std::size_t i = 0; i < row.size();) {
        Term sum = row[i++];
        while (i < row.size() && row[i].column == sum.column)
            sum.value += row[i++].value;
        if (sum.value != 0) terms.push_back(sum);
    }
    rowStart.push_back(static_cast<int>(terms.size()));
    rowLower.push_back(low);
    rowUpper.push_back(high);
}

void Model::fix(int column, double value)
{
    lower[static_cast<std::size_t>(column)] = value;
    upper[static_cast<std::size_t>(column)] = value;
}

bool Model::consistent() const
{
    const std::size_t columnCount = objective.size(), rowCount = rowLower.size();
    if (lower.size() != columnCount || upper.size() != columnCount || integer.size() != columnCount) return false;
    if (rowUpper.size() != rowCount || rowStart.size() != rowCount + 1 || rowStart.front() != 0) return false;
    if (!std::is_sorted(rowStart.begin(), rowStart.end())) return false;
    return static_cast<std::size_t>(rowStart.back()) == terms.size() &&
           std::all_of(terms.begin(), terms.end(),
                       [this](const Term &term) { return term.column >= 0 && term.column < columns(); });
}

double violation(const Model &model, const std::vector<double> &x)
{
    if (x.size() != model.objective.size()) return kInfinity;
    if (!std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); })) return kInfinity;
    double worst = 0;
    for (std::size_t c = 0; c < x.size(); ++c) {
        worst = std::max({worst, model.lower[c] - x[c], x[c] - model.upper[c]});
        if (model.integer[c]) worst = std::max(worst, std::abs(x[c] - std::round(x[c])));
    }
    for (std::size_t r = 0; r + 1 < model.rowStart.size(); ++r) {
        double sum = 0;
        for (int i = model.rowStart[r]; i < model.rowStart[r + 1]; ++i) {
            const Term &term = model.terms[static_cast<std::size_t>(i)];
            sum += term.value * x[static_cast<std::size_t>(term.column)];
        }
        worst = std::max({worst, model.rowLower[r] - sum, sum - model.rowUpper[r]});
    }
    return worst;
}

double objectiveOf(const Model &model, const std::vector<double> &x)
{
    double sum = 0;
    for (std::size_t c = 0; c < x.size(); ++c)
        sum += model.objective[c] * x[c];
    return sum;
}

} // namespace remat::ilp
