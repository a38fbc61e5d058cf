// SPDX-License-Identifier: Apache-2.0
#include "core/views/filter.h"

#include "core/base/budget.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/graph/phase_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

namespace remat {

namespace {

constexpr std::string_view kSigns = ":<>=";

struct FieldWord {
    FilterField field;
    FilterForm form;
    std::string_view word, example;
};

constexpr std::array<FieldWord, 14> kFieldWords = {{
    {FilterField::Kind, FilterForm::Text, "kind", "kind:addmm"},
    {FilterField::Module, FilterForm::Text, "module", "module:h.11"},
    {FilterField::Dtype, FilterForm::Text, "dtype", "dtype:f32"},
    {FilterField::Source, FilterForm::Text, "source", "source:model.py"},
    {FilterField::Phase, FilterForm::Text, "phase", "phase:backward"},
    {FilterField::Size, FilterForm::Bytes, "size", "size>10MiB"},
    {FilterField::Time, FilterForm::Time, "time", "time>1ms"},
    {FilterField::Times, FilterForm::Count, "times", "times>1"},
    {FilterField::Recomputed, FilterForm::Flag, "recomputed", "recomputed"},
    {FilterField::Kept, FilterForm::Flag, "kept", "kept"},
    {FilterField::Offloaded, FilterForm::Flag, "offloaded", "offloaded"},
    {FilterField::Freed, FilterForm::Flag, "freed", "freed"},
    {FilterField::Random, FilterForm::Flag, "random", "random"},
    {FilterField::Pinned, FilterForm::Flag, "pinned", "pinned"},
}};

std::string meaningOf(FilterField field, const Words &words)
{
    switch (field) {
    case FilterField::Kind:
        return words("Filter", "what the op does");
    case FilterField::Module:
        return words("Filter", "part of the module's path");
    case FilterField::Dtype:
        return words("Filter", "element type of what it makes");
    case FilterField::Source:
        return words("Filter", "part of the source line");
    case FilterField::Phase:
        return words("Filter", "forward, loss or backward");
    case FilterField::Size:
        return words("Filter", "bytes it makes");
    case FilterField::Time:
        return words("Filter", "time of one computation");
    case FilterField::Times:
        return words("Filter", "how often the plan computes it");
    case FilterField::Recomputed:
        return words("Filter", "computed again by the plan");
    case FilterField::Kept:
        return words("Filter", "held for the backward pass");
    case FilterField::Offloaded:
        return words("Filter", "parked in host memory");
    case FilterField::Freed:
        return words("Filter", "needed only in the forward pass");
    case FilterField::Random:
        return words("Filter", "draws random numbers");
    case FilterField::Pinned:
        break;
    }
    return words("Filter", "decided by hand");
}

const FieldWord *findWord(std::string_view word)
{
    const auto *found =
        std::find_if(kFieldWords.begin(), kFieldWords.end(), [&](const FieldWord &each) { return each.word == word; });
    return found == kFieldWords.end() ? nullptr : found;
}

template <class List, class Name>
std::string listed(const List &list, Name name)
{
    std::string names;
    for (const auto &each : list)
        names.append(names.empty() ? "" : ", ").append(name(each));
    return names;
}

/// Reads `1ms`, `21 µs`, `8.1s`; negative when it is none.
double readTimeUs(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, double>, 4> kUnits = {
        {{"us", 1}, {"µs", 1}, {"ms", 1e3}, {"s", 1e6}}};
    for (const auto &[name, us] : kUnits) {
        if (!text.ends_with(name)) continue;
        const auto value = readTypedNumber(text.substr(0, text.size() - name.size()));
        if (value) return *value >= 0 && std::isfinite(*value * us) ? *value * us : -1;
    }
    return -1;
}

std::optional<Comparison> readSign(std::string_view sign)
{
    if (sign == "<") return Comparison::Less;
    if (sign == "<=") return Comparison::AtMost;
    if (sign == "=" || sign == ":") return Comparison::Equal;
    if (sign == ">=") return Comparison::AtLeast;
    if (sign == ">") return Comparison::More;
    return std::nullopt;
}

/// Words between blanks; quotes keep blanks inside.
std::vector<std::string> split(std::string_view text)
{
    std::vector<std::string> tokens;
    std::string token;
    bool quoted = false;
    while (!text.empty()) {
        const std::size_t space = leadingSpace(text);
        if (text.front() == '"')
            quoted = !quoted;
        else if (space == 0 || quoted)
            token.append(text.substr(0, std::max<std::size_t>(space, 1)));
        else if (!token.empty())
            tokens.push_back(std::exchange(token, {}));
        text.remove_prefix(std::max<std::size_t>(space, 1));
    }
    if (!token.empty()) tokens.push_back(std::move(token));
    return tokens;
}

class Reader
{
public:
    explicit Reader(const Words &words) : m_words(words) {}

    Expected<Filter> read(std::string_view text) const
    {
        Filter filter;
        for (std::string token : split(text)) {
            FilterTerm term;
            if (token.size() > 1 && token.front() == '-') {
                term.negated = true;
                token.erase(0, 1);
            }
            const std::size_t sign = token.find_first_of(kSigns);
            const bool signless = sign == std::string::npos;
            const FieldWord *word = findWord(lowerCase(token.substr(0, sign)));
            if (!signless && sign > 0 && !word)
                return wrong(m_words("Filter", "No filter is called %1. There are %2."),
                             {token.substr(0, sign), listed(kFieldWords, [](const FieldWord &w) { return w.word; })});
            if (!word || (signless && word->form != FilterForm::Flag)) {
                if (term.negated)
                    return wrong(
                        m_words("Filter",
                                "A minus excludes what a filter finds, and %1 is no filter. Write it as in %2."),
                        {token, "-kind:" + token});
                filter.words.push_back(lowerCase(token));
                continue;
            }
            term.field = word->field;
            const auto value = readValue(*word, signless ? std::string() : token.substr(sign), term);
            if (!value) return tl::unexpected(value.error());
            filter.terms.push_back(std::move(term));
        }
        return filter;
    }

private:
    static tl::unexpected<Error> wrong(const std::string &sentence, const std::vector<std::string> &figures)
    {
        return fail(filled(sentence, figures));
    }

    Expected<void> readValue(const FieldWord &word, const std::string &rest, FilterTerm &term) const
    {
        const std::string name(word.word), example(word.example);
        if (word.form == FilterForm::Flag) {
            if (!rest.empty()) return wrong(m_words("Filter", "%1 stands alone, without a value."), {name});
            return {};
        }
        const std::size_t end = std::min(rest.find_first_not_of(kSigns), rest.size());
        const std::string sign = rest.substr(0, end), value = rest.substr(end);
        if (value.empty()) return wrong(m_words("Filter", "%1 has no value yet. Write it as in %2."), {name, example});
        if (word.form == FilterForm::Text) {
            if (sign != ":" && sign != "=")
                return wrong(m_words("Filter", "%1 is a text and has no order. Write it as in %2."), {name, example});
            term.text = lowerCase(value);
            return word.field == FilterField::Phase ? checkPhase(term.text) : Expected<void>();
        }
        const auto comparison = readSign(sign);
        if (!comparison) return wrong(m_words("Filter", "%1 is no comparison. There are <, <=, =, >= and >."), {sign});
        term.comparison = *comparison;
        return readAmount(word, value, term.number);
    }

    Expected<void> checkPhase(const std::string &phase) const
    {
        if (phaseOf(phase)) return {};
        return wrong(m_words("Filter", "No phase is called %1. There are %2."), {phase, listed(kPhases, phaseName)});
    }

    Expected<void> readAmount(const FieldWord &word, const std::string &value, double &number) const
    {
        const std::string example(word.example);
        if (word.form == FilterForm::Time) {
            number = readTimeUs(value);
            if (number < 0) return wrong(m_words("Filter", "%1 is no time. Write it as in %2."), {value, example});
            return {};
        }
        number = readTypedNumber(value).value_or(-1);
        if (number >= 0) return {};
        if (word.form == FilterForm::Count)
            return wrong(m_words("Filter", "%1 is no count. Write it as in %2."), {value, example});
        // Budgets are read the same way, and may be shares; sizes are not.
        const bool share = value.find('%') != std::string::npos || value.starts_with('-');
        const auto bytes = share ? Expected<std::int64_t>(fail({})) : parseBudget(value, 1);
        if (!bytes) return wrong(m_words("Filter", "%1 is no size. Write it as in %2."), {value, example});
        number = static_cast<double>(*bytes);
        return {};
    }

    const Words &m_words;
};

} // namespace

std::vector<FilterWord> filterWords(const Words &words)
{
    std::vector<FilterWord> result;
    result.reserve(std::size(kFieldWords));
    for (const FieldWord &each : kFieldWords)
        result.push_back({each.field, each.form, each.word, each.example, meaningOf(each.field, orEnglish(words))});
    return result;
}

std::string_view wordOf(FilterField field)
{
    return std::find_if(kFieldWords.begin(), kFieldWords.end(),
                        [&](const FieldWord &each) { return each.field == field; })
        ->word;
}

bool asksPlan(const FilterTerm &term)
{
    return term.field == FilterField::Times ||
           (term.field >= FilterField::Recomputed && term.field != FilterField::Random);
}

bool Filter::asksPlan() const
{
    return std::any_of(terms.begin(), terms.end(), [](const FilterTerm &term) { return remat::asksPlan(term); });
}

Expected<Filter> parseFilter(std::string_view text, const Words &words)
{
    return Reader(orEnglish(words)).read(text);
}

bool compare(double value, Comparison comparison, double with)
{
    switch (comparison) {
    case Comparison::Less:
        return value < with;
    case Comparison::AtMost:
        return value <= with;
    case Comparison::Equal:
        return value == with;
    case Comparison::AtLeast:
        return value >= with;
    case Comparison::More:
        return value > with;
    }
    return false;
}

bool pathHolds(std::string_view path, std::string_view wanted)
{
    const bool whole = !wanted.empty() && wanted.back() >= '0' && wanted.back() <= '9';
    for (std::size_t at = path.find(wanted); at != std::string_view::npos; at = path.find(wanted, at + 1)) {
        const std::size_t end = at + wanted.size();
        const bool begins = at == 0 || path[at - 1] == '.';
        const bool ends = !whole || end == path.size() || path[end] == '.';
        if (begins && ends) return true;
    }
    return false;
}

} // namespace remat
