// SPDX-License-Identifier: Apache-2.0
// What a solution of the program over the chain says, and a cheap solution to start from.
#include "solvers/hiremate/top/top_model.h"

#include <algorithm>

namespace remat::hiremate {

TopChoice readChoice(const TopModel &top, const std::vector<double> &x)
{
    TopChoice choice;
    for (const std::vector<int> &columns : top.optionColumn) {
        int best = 0;
        for (std::size_t o = 0; o < columns.size(); ++o)
            if (x[columns[o]] > x[columns[best]]) best = static_cast<int>(o);
        choice.option.push_back(best);
    }
    for (int t = 0; t < static_cast<int>(top.forwardColumn.size()); ++t) {
        for (int j = 0; j < static_cast<int>(top.forwardColumn[t].size()); ++j)
            if (top.forwardColumn[t][j] >= 0 && x[top.forwardColumn[t][j]] > 0.5) choice.again.push_back({t, j, -1});
        for (const TopModel::LiteColumn &lite : top.liteColumns)
            if (lite.part == t && x[lite.column] > 0.5) choice.again.push_back({t, lite.block, lite.lite});
    }
    return choice;
}

std::vector<double> pricedStart(const TopModel &top, const std::vector<BlockChoices> &choices,
                                const std::function<bool()> &stop)
{
    std::vector<double> best;
    double low = 0, high = 0; // price per byte; `high` is raised until it fits
    const auto at = [&](double price) {
        std::vector<double> x(top.model.columns(), 0);
        for (std::size_t k = 0; k < choices.size(); ++k) {
            const std::vector<Option> &options = *choices[k].options;
            const auto priced = [&](const Option &o) {
                return o.extraUs +
                       price * (static_cast<double>(o.keptBytes) + 1e-3 * static_cast<double>(o.backwardPeakBytes));
            };
            const auto pick = std::min_element(options.begin(), options.end(),
                                               [&](const Option &a, const Option &b) { return priced(a) < priced(b); });
            x[top.optionColumn[k][pick - options.begin()]] = 1;
        }
        for (const std::vector<int> &columns : top.thereColumn)
            for (const int column : columns)
                if (column >= 0) x[column] = 1;
        for (const TopModel::HeldColumn &held : top.heldColumns)
            for (const ilp::Term &term : held.sum)
                x[held.column] += term.value * x[term.column];
        return x;
    };
    const auto fits = [&](const std::vector<double> &x) { return ilp::violation(top.model, x) < 1e-6; };
    double scale = 0;
    for (const BlockChoices &choice : choices)
        for (const Option &option : *choice.options)
            scale = std::max(scale, option.extraUs / std::max(1.0, static_cast<double>(option.keptBytes) + 1));
    for (high = scale * 1e-9 + 1e-12; high < scale * 1e9 + 1 && !stop(); high *= 4)
        if (std::vector<double> x = at(high); fits(x)) {
            best = std::move(x);
            break;
        }
    if (best.empty()) return best;
    low = high / 4;
    for (int round = 0; round < 20 && !stop(); ++round) {
        const double middle = (low + high) / 2;
        if (std::vector<double> x = at(middle); fits(x)) {
            best = std::move(x);
            high = middle;
        } else {
            low = middle;
        }
    }
    return best;
}

} // namespace remat::hiremate
