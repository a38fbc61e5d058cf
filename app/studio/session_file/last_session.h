// The session of the window that was closed last, to return to.
#pragma once

#include <QDateTime>
#include <QString>

#include <optional>

namespace remat::studio {

struct LastSession {
    QString modelTitle; ///< of the one that was shown
    int models = 0;     ///< that were open
    int plans = 0;      ///< of all of them, quick ones apart
    QDateTime closed;
};

/// Where it is kept; one file, which the next window that is closed replaces.
QString lastSessionPath();

/// None when there is none. Reads settings only.
std::optional<LastSession> lastSession();

/// Takes a session file over as the last one. False when it cannot be moved there.
bool becomeLastSession(const QString &path, const LastSession &session);

/// `GPT-2 small with 3 plans, closed 2 h ago`, `GPT-2 small and 2 more models with 41 plans, …`.
QString lastSentence(const LastSession &session, const QDateTime &now);

} // namespace remat::studio
