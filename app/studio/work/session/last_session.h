// SPDX-License-Identifier: Apache-2.0
// The session of the window that was closed last, to return to.
#pragma once

#include "core/base/expected.h"

#include <QDateTime>
#include <QString>

#include <optional>

namespace remat::studio {

struct LastSession {
    QString modelTitle; ///< title of the model that was shown
    int models = 0;     ///< that were open
    int plans = 0;      ///< plans of all models, quick ones apart
    QDateTime closed;
};

/// Where it is kept; one file, which the next window that is closed replaces. What an earlier version left has another
/// name.
QString lastSessionPath();

/// None when there is none. Reads settings only.
std::optional<LastSession> lastSession();

/// Takes a session file over as the last one. False when it cannot be moved there.
bool becomeLastSession(const QString &path, const LastSession &session);

/// A last session that this program cannot read, such as one of a newer version, gets a name of its own, so that
/// nothing takes its place. `why` is what its reader said.
Expected<void> setLastSessionAside(const Error &why);
/// What became of it, to be said once: empty afterwards, and when there is nothing to say.
QString takeAsideSentence();

/// `GPT-2 small with 3 plans, closed 2 h ago`, `GPT-2 small and 2 more models with 41 plans, …`.
QString lastSentence(const LastSession &session, const QDateTime &now);

} // namespace remat::studio
