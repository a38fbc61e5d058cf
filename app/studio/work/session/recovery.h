// SPDX-License-Identifier: Apache-2.0
// Sessions that killed programs left behind.
#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QString>

#include <memory>
#include <vector>

namespace remat::studio {

/// A session that nobody works on. Holding it keeps other programs from offering it too.
struct LeftSession {
    QString path;
    QString modelTitle; ///< title of the model that was shown
    int models = 0;     ///< that were open
    int plans = 0;      ///< plans of all models, quick ones apart
    QDateTime saved;
    std::shared_ptr<QLockFile> lock;
};

/// Newest first. Files that cannot be read stay and are not offered; what is left of writing the others is removed. Any
/// thread; reads every file it finds.
std::vector<LeftSession> findLeftSessions(const QString &folder);

/// Removes file and lock.
void forgetLeftSession(const LeftSession &left);

/// `The program ended unexpectedly 12 s ago. GPT-2 small with 3 plans was kept.`
QString leftSentence(const LeftSession &left, const QDateTime &now);

/// `GPT-2 small with 3 plans`, `GPT-2 small and 2 more models with 41 plans`.
QString keptText(const QString &shownTitle, int models, int plans);

/// `12 s`, `4 min`, `3 h`, `2 days`.
QString ageText(qint64 seconds);

} // namespace remat::studio
