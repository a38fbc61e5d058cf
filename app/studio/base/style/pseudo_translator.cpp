// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/style/pseudo_translator.h"

#include <algorithm>

namespace remat::studio {

QString PseudoTranslator::translate(const char *, const char *source, const char *, int n) const
{
    const QString text = QString::fromUtf8(source).replace(QLatin1String("%n"), QString::number(n));
    // What is only a unit or a sign is the same in every language.
    if (std::count_if(text.begin(), text.end(), [](QChar c) { return c.isLetter(); }) < 3) return text;
    const qsizetype more = std::max<qsizetype>(2, text.size() * 2 / 5 - 2);
    return QLatin1Char('[') + text + QString(more, QLatin1Char('o')) + QLatin1Char(']');
}

} // namespace remat::studio
