// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/planner_titles.h"

#include "app/studio/base/text/text.h"
#include "solvers/interface/solver.h"

#include <QRegularExpression>

namespace remat::studio {

QString withPlannerTitles(const std::string &sentence)
{
    // Only where a planner is advised: "search" and "auto" are words, too.
    static const QRegularExpression advice(QStringLiteral("\\b(Take|such as|or|and) ([a-z][a-z0-9-]*[a-z0-9])"));
    QString said;
    const QString text = toQString(sentence);
    qsizetype from = 0;
    for (const QRegularExpressionMatch &match : advice.globalMatch(text)) {
        const auto planner = findPlanner(match.captured(2).toStdString());
        if (!planner) continue;
        said += text.mid(from, match.capturedStart(2) - from) + toQString((*planner)->info.title);
        from = match.capturedEnd(2);
    }
    return said + text.mid(from);
}

} // namespace remat::studio
