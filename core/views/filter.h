// SPDX-License-Identifier: Apache-2.0
// What a person asks of ops, as data: `kind:addmm module:h.11 size>10MiB recomputed`.
#pragma once

#include "core/base/expected.h"
#include "core/base/words.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace remat {

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
    std::string_view word;    ///< `size`
    std::string_view example; ///< `size>10MiB`
    std::string meaning;      ///< half a sentence: `bytes that the op makes`
};
/// All of them, in the order of completions.
std::vector<FilterWord> filterWords(const Words &words = {});

enum class Comparison : std::uint8_t { Less, AtMost, Equal, AtLeast, More };

/// One condition. An op has to meet all conditions of a filter.
struct FilterTerm {
    FilterField field = FilterField::Kind;
    bool negated = false; ///< written with `-` before it
    std::string text;     ///< text for text fields, in lower case
    Comparison comparison = Comparison::Equal;
    double number = 0; ///< bytes, µs or a count
    bool operator==(const FilterTerm &) const = default;
};
/// Looks at what a plan does or at what was decided by hand.
bool asksPlan(const FilterTerm &term);

struct Filter {
    std::vector<FilterTerm> terms;
    std::vector<std::string> words; ///< what is no term: has to be in the op's name, kind or path; lower case
    bool empty() const { return terms.empty() && words.empty(); }
    /// Looks at what the plan does, so that another plan may give other ops.
    bool asksPlan() const;
    bool operator==(const Filter &) const = default;
};

/// Reads what a person typed. Fails with a sentence that names what cannot be understood and what could stand there.
Expected<Filter> parseFilter(std::string_view text, const Words &words = {});

/// `pinned`, `recomputed`: the word that a field is written with.
std::string_view wordOf(FilterField field);

/// True when a number is to the right of a comparison: `compare(2, Comparison::More, 1)`.
bool compare(double value, Comparison comparison, double with);

/// True when `path` holds the parts of `wanted` one after the other; both in lower case. The last part may be a
/// beginning unless it ends in a digit: `h.1` does not name `h.11`, and `attn.c` names `attn.c_proj`.
bool pathHolds(std::string_view path, std::string_view wanted);

} // namespace remat
