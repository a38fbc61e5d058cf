// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/session/recovery.h"

#include "app/studio/work/document/lasting_plans.h"
#include "app/studio/work/session/session_reader.h"

#include <QCoreApplication>
#include <QDir>

#include <algorithm>

namespace remat::studio {

namespace {

struct RecoveryText {
    Q_DECLARE_TR_FUNCTIONS(Recovery)
};

} // namespace

std::vector<LeftSession> findLeftSessions(const QString &folder)
{
    std::vector<LeftSession> found;
    const QDir dir(folder);
    for (const QString &name : dir.entryList(sessionPatterns(), QDir::Files)) {
        LeftSession left;
        left.path = dir.filePath(name);
        left.lock = std::make_shared<QLockFile>(left.path + QStringLiteral(".lock"));
        left.lock->setStaleLockTime(0); // only the end of its owner frees a lock, never its age
        if (!left.lock->tryLock(0)) continue;
        const auto file = readSessionFile(left.path);
        if (!file) continue; // perhaps a newer version left it, which can
        left.models = static_cast<int>(file->models.size());
        if (!file->models.empty()) left.modelTitle = QString::fromStdString(file->models[file->shown].modelTitle);
        for (const SessionModel &model : file->models)
            left.plans += countLasting(model.plans);
        left.saved = QDateTime::fromMSecsSinceEpoch(file->savedMs);
        for (const QString &rest : dir.entryList({QStringLiteral(".%1.*.tmp").arg(name)}, QDir::Files | QDir::Hidden))
            QFile::remove(dir.filePath(rest));
        found.push_back(std::move(left));
    }
    std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.saved > b.saved; });
    return found;
}

void forgetLeftSession(const LeftSession &left)
{
    QFile::remove(left.path);
    if (left.lock) left.lock->unlock();
}

QString ageText(qint64 seconds)
{
    constexpr qint64 kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
    seconds = std::max<qint64>(seconds, 0);
    if (seconds < 90) return RecoveryText::tr("%1 s").arg(seconds);
    if (seconds < 90 * kMinute) return RecoveryText::tr("%1 min").arg((seconds + kMinute / 2) / kMinute);
    if (seconds < 36 * kHour) return RecoveryText::tr("%1 h").arg((seconds + kHour / 2) / kHour);
    return RecoveryText::tr("%1 days").arg((seconds + kDay / 2) / kDay);
}

QString keptText(const QString &shownTitle, int models, int plans)
{
    const QString planText = plans == 1 ? RecoveryText::tr("1 plan") : RecoveryText::tr("%1 plans").arg(plans);
    if (models <= 1) return RecoveryText::tr("%1 with %2").arg(shownTitle, planText);
    if (models == 2) return RecoveryText::tr("%1 and 1 more model with %2").arg(shownTitle, planText);
    return RecoveryText::tr("%1 and %2 more models with %3").arg(shownTitle).arg(models - 1).arg(planText);
}

QString leftSentence(const LeftSession &left, const QDateTime &now)
{
    const QString kept = keptText(left.modelTitle, left.models, left.plans);
    return RecoveryText::tr("The program ended unexpectedly %1 ago. Kept: %2.")
        .arg(ageText(left.saved.secsTo(now)), kept);
}

} // namespace remat::studio
