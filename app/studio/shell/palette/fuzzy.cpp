// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/palette/fuzzy.h"

#include <algorithm>
#include <limits>

namespace remat::studio {

namespace {

constexpr int kLetter = 16, kInOnePiece = 14, kGapBegins = 3, kGapGoesOn = 1, kWorstGap = 12;
constexpr int kFirstLetter = 14, kWordBegins = 10, kNumberBegins = 6;
constexpr int kNone = std::numeric_limits<int>::min() / 2;

bool separates(QChar letter)
{
    return !letter.isLetterOrNumber();
}

/// True when the letters of `word` stand in `text` in this order.
bool stands(const std::u16string &word, const std::u16string &text)
{
    std::size_t at = 0;
    for (const char16_t letter : text)
        if (letter == word[at] && ++at == word.size()) return true;
    return false;
}

/// Best alignments of one word: `ending[i][j]` with letter i of the word on letter j of the text.
class Alignment
{
public:
    Alignment(const std::u16string &word, const FuzzyText &text)
        : m_word(word),
          m_text(text),
          m_width(text.folded.size()),
          m_ending(word.size() * m_width, kNone),
          m_from(word.size() * m_width, -1)
    {
        for (std::size_t i = 0; i < m_word.size(); ++i)
            fill(i);
        const auto last = m_ending.end() - static_cast<std::ptrdiff_t>(m_width);
        const auto best = std::max_element(last, m_ending.end());
        m_best = *best;
        m_bestAt = static_cast<int>(best - last);
    }

    int best() const { return m_best; }
    /// The letters stand in one piece, or every piece begins a word: what scattered letters spell nobody meant.
    bool meant() const
    {
        std::vector<int> places;
        addPlaces(places);
        std::reverse(places.begin(), places.end());
        int pieces = 0;
        bool allBegin = true;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (i > 0 && places[i] == places[i - 1] + 1) continue;
            ++pieces;
            allBegin = allBegin && m_text.bonus[static_cast<std::size_t>(places[i])] > 0;
        }
        return pieces == 1 || allBegin;
    }
    void addPlaces(std::vector<int> &places) const
    {
        int at = m_bestAt;
        for (std::size_t i = m_word.size(); i-- > 0;) {
            places.push_back(at);
            at = m_from[i * m_width + static_cast<std::size_t>(at)];
        }
    }

private:
    void fill(std::size_t i)
    {
        // The best end of the letters before, less what the gap up to here costs.
        int carried = kNone, carriedFrom = -1;
        for (std::size_t j = 0; j < m_width; ++j) {
            const std::size_t cell = i * m_width + j;
            if (i > 0 && j >= 2) {
                const int opened = m_ending[(i - 1) * m_width + j - 2] - kGapBegins;
                carried -= kGapGoesOn;
                if (opened > carried) {
                    carried = opened;
                    carriedFrom = static_cast<int>(j) - 2;
                }
            }
            if (m_text.folded[j] != m_word[i]) continue;
            const int here = kLetter + m_text.bonus[j];
            if (i == 0) {
                m_ending[cell] = here - std::min(static_cast<int>(j), kWorstGap);
                continue;
            }
            int before = carried, from = carriedFrom;
            if (j > 0) {
                const int piece = m_ending[(i - 1) * m_width + j - 1] + kInOnePiece;
                if (piece > before) {
                    before = piece;
                    from = static_cast<int>(j) - 1;
                }
            }
            if (from < 0 || before < kNone / 2) continue;
            m_ending[cell] = before + here;
            m_from[cell] = from;
        }
    }

    const std::u16string &m_word;
    const FuzzyText &m_text;
    std::size_t m_width;
    std::vector<int> m_ending, m_from;
    int m_best = kNone, m_bestAt = 0;
};

} // namespace

FuzzyText::FuzzyText(const QString &text) : folded(text.toLower().toStdU16String()), bonus(folded.size(), 0)
{
    if (folded.size() != static_cast<std::size_t>(text.size())) {
        // A letter that gets longer in lower case would move all places after it.
        folded = text.toStdU16String();
        bonus.assign(folded.size(), 0);
    }
    for (std::size_t i = 0; i < folded.size(); ++i) {
        const QChar letter = text[static_cast<qsizetype>(i)];
        if (separates(letter)) continue;
        if (i == 0) {
            bonus[i] = kFirstLetter;
            continue;
        }
        const QChar before = text[static_cast<qsizetype>(i) - 1];
        if (separates(before) || (before.isLower() && letter.isUpper()))
            bonus[i] = kWordBegins;
        else if (letter.isDigit() && !before.isDigit())
            bonus[i] = kNumberBegins;
    }
}

FuzzyPattern::FuzzyPattern(const QString &text)
{
    for (const QString &word : text.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts))
        m_words.push_back(word.toStdU16String());
}

std::optional<int> FuzzyPattern::score(const FuzzyText &text) const
{
    int sum = 0;
    for (const std::u16string &word : m_words) {
        if (!stands(word, text.folded)) return std::nullopt;
        const Alignment alignment(word, text);
        if (!alignment.meant()) return std::nullopt;
        sum += alignment.best();
    }
    return sum;
}

std::vector<int> FuzzyPattern::places(const FuzzyText &text) const
{
    std::vector<int> places;
    for (const std::u16string &word : m_words) {
        if (!stands(word, text.folded)) return {};
        Alignment(word, text).addPlaces(places);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

} // namespace remat::studio
