// What a person asks of ops, as data: `kind:addmm module:h.11 size>10MiB recomputed`.
#pragma once

#include <tl/expected.hpp>

#include <QString>
#include <QStringList>

#include <vector>

namespace remat::studio {

enum class FilterField : std::uint8_t {
    Kind,
    Module,
    Dtype,
    Source,
    Phase,
    Size,
    Time,
    Times,
    Recomputed,
    Kept,
    Offloaded,
    Freed,
    Random,
    Pinned
};

/// How a field is written after its word.
enum class FilterForm : std::uint8_t {
    Text,  ///< `kind:addmm`
    Bytes, ///< `size>10MiB`
    Time,  ///< `time>1ms`
    Count, ///< `times>1`
    Flag   ///< `recomputed`
};

/// A word that filters begin with.
struct FilterWord {
    FilterField field;
    FilterForm form;
    QString word;    ///< `size`
    QString example; ///< `size>10MiB`
    QString meaning; ///< half a sentence: `bytes that the op makes`
};
/// All of them, in the order of completions.
const std::vector<FilterWord> &filterWords();

enum class Comparison : std::uint8_t { Less, AtMost, Equal, AtLeast, More };

/// One condition. An op has to meet all conditions of a filter.
struct FilterTerm {
    FilterField field = FilterField::Kind;
    bool negated = false; ///< written with `-` before it
    QString text;         ///< of text fields, in lower case
    Comparison comparison = Comparison::Equal;
    double number = 0; ///< bytes, µs or a count
    bool operator==(const FilterTerm &) const = default;
};

struct Filter {
    std::vector<FilterTerm> terms;
    QStringList words; ///< what is no term: has to be in the op's name, kind or path; lower case
    bool empty() const { return terms.empty() && words.isEmpty(); }
    /// Looks at what the plan does, so that another plan may give other ops.
    bool asksPlan() const;
    bool operator==(const Filter &) const = default;
};

/// Where a filter cannot be understood: a sentence with the way out.
struct FilterProblem {
    QString sentence;
};
tl::expected<Filter, FilterProblem> parseFilter(const QString &text);

/// True when a number is to the right of a comparison: `compare(2, Comparison::More, 1)`.
bool compare(double value, Comparison comparison, double with);

/// True when `path` holds the parts of `wanted` one after the other; both in lower case. The last part may be a
/// beginning unless it ends in a digit: `h.1` does not name `h.11`, and `attn.c` names `attn.c_proj`.
bool pathHolds(const QString &path, const QString &wanted);

} // namespace remat::studio
