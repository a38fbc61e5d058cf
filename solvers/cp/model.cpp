// SPDX-License-Identifier: Apache-2.0
#include "solvers/cp/model.h"

#include <algorithm>

namespace remat::cp {

namespace {

void addNumbers(std::string &text, const char *field, const std::vector<int> &numbers)
{
    if (numbers.empty()) return;
    text.append(field).append(": [");
    for (const int number : numbers)
        text.append(std::to_string(number)).append(",");
    text.back() = ']';
    text += ' ';
}

void addDomain(std::string &text, std::int64_t low, std::int64_t high)
{
    text.append("domain: [").append(std::to_string(low)).append(",").append(std::to_string(high)).append("] ");
}

void addAffine(std::string &text, const char *field, const Affine &affine)
{
    text.append(field).append(" {");
    if (affine.variable >= 0)
        text.append("vars: [")
            .append(std::to_string(affine.variable))
            .append("] coeffs: [")
            .append(std::to_string(affine.factor))
            .append("] ");
    text.append("offset: ").append(std::to_string(affine.offset)).append("} ");
}

/// `vars: […] coeffs: […]`
void addTerms(std::string &text, const std::vector<std::pair<int, std::int64_t>> &terms)
{
    text += "vars: [";
    for (const auto &[variable, factor] : terms)
        text.append(std::to_string(variable)).append(",");
    text.back() = ']';
    text += " coeffs: [";
    for (const auto &[variable, factor] : terms)
        text.append(std::to_string(factor)).append(",");
    text.back() = ']';
    text += ' ';
}

/// Asked once in a while, since looking at the clock costs more than a row.
class Looks
{
public:
    explicit Looks(const StopCheck &stop) : m_stop(stop) {}
    bool stopped() { return ++m_asked % kBetween == 0 && m_stop && m_stop(); }

private:
    static constexpr int kBetween = 4096;
    const StopCheck &m_stop;
    int m_asked = 0;
};

/// False when it was stopped, as the others here.
bool addRows(std::string &text, const CpModel &model, Looks &looks)
{
    for (const Linear &row : model.linear) {
        if (looks.stopped()) return false;
        text += "constraints {";
        addNumbers(text, "enforcement_literal", row.enforced);
        text += "linear {";
        addTerms(text, row.terms);
        addDomain(text, row.low, row.high);
        text += "}}\n";
    }
    for (const AnyOf &row : model.anyOf) {
        text += "constraints {";
        addNumbers(text, "enforcement_literal", row.enforced);
        text += "bool_or {";
        addNumbers(text, "literals", row.literals);
        text += "}}\n";
    }
    return true;
}

/// Intervals are constraints, which the cumulative one names by their numbers.
bool addIntervals(std::string &text, const CpModel &model, Looks &looks)
{
    std::vector<int> numbers;
    std::string demands;
    const std::size_t before = model.linear.size() + model.anyOf.size();
    for (const Interval &interval : model.intervals) {
        if (looks.stopped()) return false;
        text += "constraints {";
        if (interval.presence >= 0) addNumbers(text, "enforcement_literal", {interval.presence});
        text += "interval {";
        addAffine(text, "start", interval.start);
        addAffine(text, "end", interval.end);
        addAffine(text, "size", interval.size);
        text += "}}\n";
        numbers.push_back(static_cast<int>(before + numbers.size()));
        addAffine(demands, "demands", {-1, 1, interval.demand});
    }
    if (model.intervals.empty()) return true;
    text += "constraints {cumulative {";
    addAffine(text, "capacity", model.capacity);
    addNumbers(text, "intervals", numbers);
    text.append(demands).append("}}\n");
    return true;
}

} // namespace

int CpModel::addVariable(std::int64_t lowest, std::int64_t highest, std::int64_t cost)
{
    low.push_back(lowest);
    high.push_back(highest);
    objective.push_back(cost);
    return variables() - 1;
}

int integerVariables(const CpModel &model)
{
    int count = 0;
    for (std::size_t v = 0; v < model.low.size(); ++v)
        count += model.high[v] - model.low[v] > 1 ? 1 : 0;
    return count;
}

std::optional<std::string> textOf(const CpModel &model, const StopCheck &stop)
{
    Looks looks(stop);
    std::string text;
    for (std::size_t v = 0; v < model.low.size(); ++v) {
        text += "variables {";
        addDomain(text, model.low[v], model.high[v]);
        text += "}\n";
    }
    if (!addRows(text, model, looks) || !addIntervals(text, model, looks)) return std::nullopt;
    std::vector<std::pair<int, std::int64_t>> costs, hints;
    for (int v = 0; v < model.variables(); ++v) {
        if (const std::int64_t cost = model.objective[static_cast<std::size_t>(v)]; cost != 0)
            costs.emplace_back(v, cost);
        if (!model.hint.empty()) hints.emplace_back(v, model.hint[static_cast<std::size_t>(v)]);
    }
    text += "objective {";
    if (!costs.empty()) addTerms(text, costs);
    if (model.most != kMost) addDomain(text, kLeast, model.most);
    text += "}\n";
    if (!hints.empty()) {
        text += "solution_hint {";
        std::string terms;
        addTerms(terms, hints);
        text.append(terms.replace(terms.find("coeffs"), 6, "values")).append("}\n");
    }
    return text;
}

} // namespace remat::cp
