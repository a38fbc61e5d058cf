// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/lessons/glossary_words.h"

#include "app/studio/base/text/text.h"

#include <algorithm>

namespace remat::studio {

namespace {

QRegularExpression patternOf(const std::vector<GlossaryWord> &words)
{
    QStringList parts;
    for (const GlossaryWord &each : words)
        parts << QRegularExpression::escape(each.word);
    std::sort(parts.begin(), parts.end(), [](const QString &a, const QString &b) { return a.size() > b.size(); });
    return QRegularExpression(
        QStringLiteral("(?<![\\w-])(%1)(?:e?s|e?n|e)?(?![\\w-])").arg(parts.join(QLatin1Char('|'))),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
}

} // namespace

GlossaryWords::GlossaryWords(const std::vector<Lesson> &lessons)
{
    for (const Lesson &lesson : lessons)
        for (const LessonWord &word : lesson.words)
            m_words.push_back({toQString(word.word), toQString(word.means), toQString(lesson.path.string()),
                               word.step + 1, word.everyday});
    std::sort(m_words.begin(), m_words.end(), [](const GlossaryWord &a, const GlossaryWord &b) {
        return a.word.compare(b.word, Qt::CaseInsensitive) < 0;
    });
    m_pattern = patternOf(m_words);
}

std::vector<GlossaryWord> GlossaryWords::in(const QString &text, bool everyday) const
{
    std::vector<GlossaryWord> found;
    if (m_words.empty()) return found;
    for (auto match = m_pattern.globalMatch(text); match.hasNext();) {
        const QString word = match.next().captured(1);
        const auto same = [&word](const GlossaryWord &each) {
            return each.word.compare(word, Qt::CaseInsensitive) == 0;
        };
        const auto known = std::find_if(m_words.begin(), m_words.end(), same);
        if (known == m_words.end() || (known->everyday && !everyday)) continue;
        if (std::none_of(found.begin(), found.end(), same)) found.push_back(*known);
    }
    return found;
}

std::vector<GlossaryWord> GlossaryWords::at(const QString &text, qsizetype place, bool everyday) const
{
    if (m_words.empty()) return {};
    for (auto match = m_pattern.globalMatch(text); match.hasNext();) {
        const QRegularExpressionMatch one = match.next();
        if (one.capturedStart() <= place && place <= one.capturedEnd()) return in(one.captured(), everyday);
    }
    return {};
}

} // namespace remat::studio
