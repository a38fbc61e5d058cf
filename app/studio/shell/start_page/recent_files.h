// SPDX-License-Identifier: Apache-2.0
// Files opened before, newest first; kept in the person's settings.
#pragma once

#include <QDateTime>
#include <QString>

#include <vector>

namespace remat::studio {

struct RecentFile {
    QString path;
    QString title;
    int ops = 0;
    std::int64_t peakBytes = 0; ///< peak of keep-all
    QDateTime opened;
};

constexpr int kMostRecentFiles = 9;

/// Only files that are still there.
std::vector<RecentFile> recentFiles();
/// Puts a file first.
void rememberFile(const RecentFile &file);

/// `Today, 14:10`, `Yesterday`, `12 May`, `3 May 2025`.
QString dayText(const QDateTime &time, const QDateTime &now);

} // namespace remat::studio
