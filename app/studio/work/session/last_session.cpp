// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/session/last_session.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/session/recovery.h"
#include "app/studio/work/session/session_reader.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <filesystem>

namespace remat::studio {

namespace {

struct LastSessionText {
    Q_DECLARE_TR_FUNCTIONS(LastSession)
};

const char *const kModel = "lastSession/model", *const kPlans = "lastSession/plans",
                  *const kClosed = "lastSession/closed", *const kModels = "lastSession/models",
                  *const kAside = "lastSession/aside";

QString inDataFolder(const QString &name)
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u'/' + name;
}

QString newPath()
{
    return inDataFolder(QStringLiteral("last") + kSessionEnding);
}

QString oldPath()
{
    return inDataFolder(QStringLiteral("last") + kOldSessionEnding);
}

/// `last-1.remat`, or the next number that is free.
QString asidePath()
{
    QString path;
    for (int number = 1; path.isEmpty() || QFileInfo::exists(path); ++number)
        path = inDataFolder(QStringLiteral("last-%1").arg(number) + kSessionEnding);
    return path;
}

} // namespace

QString lastSessionPath()
{
    return !QFileInfo::exists(newPath()) && QFileInfo::exists(oldPath()) ? oldPath() : newPath();
}

std::optional<LastSession> lastSession()
{
    const QSettings settings;
    LastSession session;
    session.modelTitle = settings.value(QLatin1String(kModel)).toString();
    session.models = settings.value(QLatin1String(kModels), 1).toInt();
    session.plans = settings.value(QLatin1String(kPlans)).toInt();
    session.closed = settings.value(QLatin1String(kClosed)).toDateTime();
    if (!session.closed.isValid() || !QFileInfo(lastSessionPath()).isFile()) return std::nullopt;
    return session;
}

bool becomeLastSession(const QString &path, const LastSession &session)
{
    std::error_code failed;
    std::filesystem::rename(toPath(path), toPath(newPath()), failed);
    if (failed) return false;
    QFile::remove(oldPath());
    QSettings settings;
    settings.setValue(QLatin1String(kModel), session.modelTitle);
    settings.setValue(QLatin1String(kModels), session.models);
    settings.setValue(QLatin1String(kPlans), session.plans);
    settings.setValue(QLatin1String(kClosed), session.closed);
    return true;
}

Expected<void> setLastSessionAside(const Error &why)
{
    const QString from = lastSessionPath(), to = asidePath();
    if (!QFile::rename(from, to))
        return fail(LastSessionText::tr("%1 cannot be read and cannot be given another name. Move it elsewhere.")
                        .arg(from)
                        .toStdString());
    QSettings().setValue(QLatin1String(kAside),
                         LastSessionText::tr("The session before the last could not be read and was kept as %1. %2")
                             .arg(to, toQString(why.message)));
    return {};
}

QString takeAsideSentence()
{
    QSettings settings;
    const QString sentence = settings.value(QLatin1String(kAside)).toString();
    settings.remove(QLatin1String(kAside));
    return sentence;
}

QString lastSentence(const LastSession &session, const QDateTime &now)
{
    const QString age = ageText(session.closed.secsTo(now));
    if (session.models == 0) return LastSessionText::tr("Only closed models, closed %1 ago").arg(age);
    return LastSessionText::tr("%1, closed %2 ago")
        .arg(keptText(session.modelTitle, session.models, session.plans), age);
}

} // namespace remat::studio
