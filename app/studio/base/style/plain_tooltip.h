// SPDX-License-Identifier: Apache-2.0
// Tooltips that show text as it is written.
#pragma once

#include <QString>
#include <QTextDocument>

namespace remat::studio {

/// For texts with names from files: QToolTip would read one that looks like HTML as such, and open its pictures.
inline QString plainTooltip(const QString &text)
{
    if (!Qt::mightBeRichText(text)) return text;
    return QStringLiteral("<span>%1</span>")
        .arg(text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br/>")));
}

} // namespace remat::studio
