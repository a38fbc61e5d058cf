#include "app/studio/search/filter.h"

#include "app/studio/document/text.h"
#include "core/base/number.h"
#include "core/graph/phase_name.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

struct FilterText {
    Q_DECLARE_TR_FUNCTIONS(Filter)
};

tl::unexpected<FilterProblem> wrong(const QString &sentence)
{
    return tl::unexpected<FilterProblem>(FilterProblem{sentence});
}

const FilterWord *findWord(const QString &word)
{
    const auto &all = filterWords();
    const auto found = std::find_if(all.begin(), all.end(), [&](const FilterWord &each) { return each.word == word; });
    return found == all.end() ? nullptr : &*found;
}

QString wordList()
{
    QStringList words;
    for (const FilterWord &word : filterWords())
        words << word.word;
    return words.join(QStringLiteral(", "));
}

/// Reads `1ms`, `21 µs`, `8.1s`; negative when it is none.
double readTimeUs(const QString &text)
{
    struct Unit {
        QString name;
        double us;
    };
    static const std::vector<Unit> units = {
        {QStringLiteral("us"), 1}, {QStringLiteral("µs"), 1}, {QStringLiteral("ms"), 1e3}, {QStringLiteral("s"), 1e6}};
    for (const Unit &unit : units) {
        if (!text.endsWith(unit.name)) continue;
        const auto value = remat::readTypedNumber(text.chopped(unit.name.size()).toStdString());
        if (value) return *value >= 0 && std::isfinite(*value * unit.us) ? *value * unit.us : -1;
    }
    return -1;
}

/// Where the sign after a filter's word is; -1 when there is none.
qsizetype signIn(const QString &token)
{
    const auto isSign = [](QChar letter) {
        return letter == QLatin1Char(':') || letter == QLatin1Char('<') || letter == QLatin1Char('>') ||
               letter == QLatin1Char('=');
    };
    const auto found = std::find_if(token.begin(), token.end(), isSign);
    return found == token.end() ? -1 : found - token.begin();
}

class Reader
{
public:
    explicit Reader(const QString &text) : m_tokens(split(text)) {}

    tl::expected<Filter, FilterProblem> read()
    {
        Filter filter;
        for (QString token : m_tokens) {
            FilterTerm term;
            if (token.size() > 1 && token.startsWith(QLatin1Char('-'))) {
                term.negated = true;
                token.remove(0, 1);
            }
            const qsizetype sign = signIn(token);
            const FilterWord *word = findWord((sign < 0 ? token : token.left(sign)).toLower());
            if (sign > 0 && !word)
                return wrong(FilterText::tr("No filter is called %1. There are %2.").arg(token.left(sign), wordList()));
            if (!word || (sign < 0 && word->form != FilterForm::Flag)) {
                if (term.negated)
                    return wrong(
                        FilterText::tr("A minus excludes what a filter finds, and %1 is no filter. Write it as in %2.")
                            .arg(token, QStringLiteral("-kind:%1").arg(token)));
                filter.words << token.toLower();
                continue;
            }
            term.field = word->field;
            const QString problem = readValue(*word, sign < 0 ? QString() : token.mid(sign), term);
            if (!problem.isEmpty()) return wrong(problem);
            filter.terms.push_back(term);
        }
        return filter;
    }

private:
    /// Words between blanks; quotes keep blanks inside, and a blank before or after a sign does not count.
    static QStringList split(const QString &text)
    {
        QStringList tokens;
        QString token;
        bool quoted = false;
        for (const QChar letter : text) {
            if (letter == QLatin1Char('"')) {
                quoted = !quoted;
            } else if (letter.isSpace() && !quoted) {
                if (!token.isEmpty()) tokens << std::exchange(token, {});
            } else {
                token += letter;
            }
        }
        if (!token.isEmpty()) tokens << token;
        return tokens;
    }

    static QString readValue(const FilterWord &word, const QString &rest, FilterTerm &term)
    {
        if (word.form == FilterForm::Flag)
            return rest.isEmpty() ? QString() : FilterText::tr("%1 stands alone, without a value.").arg(word.word);
        qsizetype end = 0;
        while (end < rest.size() && QStringLiteral(":<>=").contains(rest[end]))
            ++end;
        const QString sign = rest.left(end), value = rest.mid(end);
        if (value.isEmpty())
            return FilterText::tr("%1 has no value yet. Write it as in %2.").arg(word.word, word.example);
        if (word.form == FilterForm::Text) {
            if (sign != QLatin1String(":") && sign != QLatin1String("="))
                return FilterText::tr("%1 is a text and has no order. Write it as in %2.").arg(word.word, word.example);
            term.text = value.toLower();
            return word.field == FilterField::Phase ? checkPhase(term.text) : QString();
        }
        if (!readSign(sign, term.comparison))
            return FilterText::tr("%1 is no comparison. There are <, <=, =, >= and >.").arg(sign);
        return readNumber(word, value, term.number);
    }

    static QString checkPhase(const QString &phase)
    {
        QStringList phases;
        for (const Phase each : kPhases)
            phases << QLatin1String(phaseName(each));
        if (phases.contains(phase)) return {};
        return FilterText::tr("No phase is called %1. There are %2.").arg(phase, phases.join(QStringLiteral(", ")));
    }

    static bool readSign(const QString &sign, Comparison &comparison)
    {
        if (sign == QLatin1String("<"))
            comparison = Comparison::Less;
        else if (sign == QLatin1String("<="))
            comparison = Comparison::AtMost;
        else if (sign == QLatin1String("=") || sign == QLatin1String(":"))
            comparison = Comparison::Equal;
        else if (sign == QLatin1String(">="))
            comparison = Comparison::AtLeast;
        else if (sign == QLatin1String(">"))
            comparison = Comparison::More;
        else
            return false;
        return true;
    }

    static QString readNumber(const FilterWord &word, const QString &value, double &number)
    {
        if (word.form == FilterForm::Time) {
            number = readTimeUs(value);
            return number >= 0 ? QString()
                               : FilterText::tr("%1 is no time. Write it as in %2.").arg(value, word.example);
        }
        const auto plain = remat::readTypedNumber(value.toStdString());
        number = plain.value_or(-1);
        if (number >= 0) return {};
        if (word.form == FilterForm::Count)
            return FilterText::tr("%1 is no count. Write it as in %2.").arg(value, word.example);
        // Budgets are read the same way, and may be shares; sizes are not.
        const auto bytes = value.contains(QLatin1Char('%')) || value.startsWith(QLatin1Char('-'))
                               ? Expected<std::int64_t>(fail({}))
                               : parseBudget(value.toStdString(), 1);
        if (!bytes) return FilterText::tr("%1 is no size. Write it as in %2.").arg(value, word.example);
        number = static_cast<double>(*bytes);
        return {};
    }

    QStringList m_tokens;
};

} // namespace

const std::vector<FilterWord> &filterWords()
{
    const auto row = [](FilterField field, FilterForm form, const char *word, const char *example,
                        const QString &meaning) {
        return FilterWord{field, form, QString::fromLatin1(word), QString::fromLatin1(example), meaning};
    };
    using F = FilterField;
    static const std::vector<FilterWord> words = {
        row(F::Kind, FilterForm::Text, "kind", "kind:addmm", FilterText::tr("what the op does")),
        row(F::Module, FilterForm::Text, "module", "module:h.11", FilterText::tr("part of the module's path")),
        row(F::Dtype, FilterForm::Text, "dtype", "dtype:f32", FilterText::tr("element type of what it makes")),
        row(F::Source, FilterForm::Text, "source", "source:model.py", FilterText::tr("part of the source line")),
        row(F::Phase, FilterForm::Text, "phase", "phase:backward", FilterText::tr("forward, loss or backward")),
        row(F::Size, FilterForm::Bytes, "size", "size>10MiB", FilterText::tr("bytes it makes")),
        row(F::Time, FilterForm::Time, "time", "time>1ms", FilterText::tr("time of one computation")),
        row(F::Times, FilterForm::Count, "times", "times>1", FilterText::tr("how often the plan computes it")),
        row(F::Recomputed, FilterForm::Flag, "recomputed", "recomputed", FilterText::tr("computed again by the plan")),
        row(F::Kept, FilterForm::Flag, "kept", "kept", FilterText::tr("held for the backward pass")),
        row(F::Offloaded, FilterForm::Flag, "offloaded", "offloaded", FilterText::tr("parked in host memory")),
        row(F::Freed, FilterForm::Flag, "freed", "freed", FilterText::tr("needed only in the forward pass")),
        row(F::Random, FilterForm::Flag, "random", "random", FilterText::tr("draws random numbers")),
        row(F::Pinned, FilterForm::Flag, "pinned", "pinned", FilterText::tr("decided by hand")),
    };
    return words;
}

bool Filter::asksPlan() const
{
    return std::any_of(terms.begin(), terms.end(), [](const FilterTerm &term) {
        return term.field == FilterField::Times ||
               (term.field >= FilterField::Recomputed && term.field != FilterField::Random);
    });
}

tl::expected<Filter, FilterProblem> parseFilter(const QString &text)
{
    return Reader(text).read();
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

bool pathHolds(const QString &path, const QString &wanted)
{
    const bool whole = !wanted.isEmpty() && wanted.back().isDigit();
    for (qsizetype at = path.indexOf(wanted); at >= 0; at = path.indexOf(wanted, at + 1)) {
        const qsizetype end = at + wanted.size();
        const bool begins = at == 0 || path[at - 1] == QLatin1Char('.');
        const bool ends = !whole || end == path.size() || path[end] == QLatin1Char('.');
        if (begins && ends) return true;
    }
    return false;
}

} // namespace remat::studio
