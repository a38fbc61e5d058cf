// SPDX-License-Identifier: Apache-2.0
// How well a typed pattern fits a name: in one piece, or in pieces that each begin a word.
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace remat::studio {

/// A text as patterns are compared with: lower case, and where its words begin. Made once per entry.
struct FuzzyText {
    std::u16string folded;
    std::vector<std::uint8_t> bonus; ///< per letter: how good a place it is for a match to begin

    FuzzyText() = default;
    explicit FuzzyText(const QString &text);
};

/// The words of a pattern, in lower case; every one has to fit.
class FuzzyPattern
{
public:
    FuzzyPattern() = default;
    explicit FuzzyPattern(const QString &text);

    bool empty() const { return m_words.empty(); }
    /// Larger is better; nothing when a word does not fit. O(letters of pattern × letters of text), and O(letters of
    /// text) where it does not fit.
    std::optional<int> score(const FuzzyText &text) const;
    /// The letters of the text that the best fit uses, ascending; empty when it does not fit.
    std::vector<int> places(const FuzzyText &text) const;

private:
    std::vector<std::u16string> m_words;
};

} // namespace remat::studio
