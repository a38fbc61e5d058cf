#include "app/studio/session_file/last_session.h"

#include "app/studio/document/text.h"
#include "app/studio/session_file/recovery.h"

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
                  *const kClosed = "lastSession/closed", *const kModels = "lastSession/models";

} // namespace

QString lastSessionPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/last.rematsession");
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
    std::filesystem::rename(toPath(path), toPath(lastSessionPath()), failed);
    if (failed) return false;
    QSettings settings;
    settings.setValue(QLatin1String(kModel), session.modelTitle);
    settings.setValue(QLatin1String(kModels), session.models);
    settings.setValue(QLatin1String(kPlans), session.plans);
    settings.setValue(QLatin1String(kClosed), session.closed);
    return true;
}

QString lastSentence(const LastSession &session, const QDateTime &now)
{
    const QString age = ageText(session.closed.secsTo(now));
    if (session.models == 0) return LastSessionText::tr("Only closed models, closed %1 ago").arg(age);
    return LastSessionText::tr("%1, closed %2 ago")
        .arg(keptText(session.modelTitle, session.models, session.plans), age);
}

} // namespace remat::studio
