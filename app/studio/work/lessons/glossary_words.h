// SPDX-License-Identifier: Apache-2.0
// The words that lessons explain, and where they stand in a text.
#pragma once

#include "core/teaching/lessons/lesson.h"

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <vector>

namespace remat::studio {

struct GlossaryWord {
    QString word, means;
    QString lesson; ///< its file
    int step = 1;   ///< that explains it, from 1
    bool everyday = false;
};

/// Plain data and a pattern; any thread.
class GlossaryWords
{
public:
    explicit GlossaryWords(const std::vector<Lesson> &lessons);

    /// In the order of the alphabet.
    const std::vector<GlossaryWord> &all() const { return m_words; }
    /// Those in a text, each once, in the order of the text. A word with an ending (`segments`) is found, too; everyday
    /// words only where they are asked for. O(text).
    std::vector<GlossaryWord> in(const QString &text, bool everyday) const;
    /// The one that stands at a place of the text; nothing but one, or none.
    std::vector<GlossaryWord> at(const QString &text, qsizetype place, bool everyday) const;

private:
    std::vector<GlossaryWord> m_words;
    QRegularExpression m_pattern;
};

} // namespace remat::studio
