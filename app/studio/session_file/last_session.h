// The session of the window that was closed last, to return to.
#pragma once

#include <QDateTime>
#include <QString>

#include <optional>

namespace remat::studio {

struct LastSession {
    QString modelTitle;
    int plans = 0; ///< quick ones apart
    QDateTime closed;
};

/// Where it is kept; one file, which the next window that is closed replaces.
QString lastSessionPath();

/// None when there is none. Reads settings only.
std::optional<LastSession> lastSession();

/// Takes a session file over as the last one. False when it cannot be moved there.
bool becomeLastSession(const QString &path, const LastSession &session);

/// `GPT-2 small with 3 plans, closed 2 h ago`.
QString lastSentence(const LastSession &session, const QDateTime &now);

} // namespace remat::studio
