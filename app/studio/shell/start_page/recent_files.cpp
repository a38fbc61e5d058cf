// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/start_page/recent_files.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QSettings>
#include <QStringList>

#include <algorithm>

namespace remat::studio {

namespace {

const char *const kArray = "recentFiles";

std::vector<RecentFile> readAll()
{
    QSettings settings;
    std::vector<RecentFile> files;
    QStringList seen; // a file may have been opened by two of its names
    const int count = std::min(settings.beginReadArray(QLatin1String(kArray)), kMostRecentFiles);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        RecentFile file;
        file.path = settings.value(QStringLiteral("path")).toString();
        file.title = settings.value(QStringLiteral("title")).toString();
        file.ops = settings.value(QStringLiteral("ops")).toInt();
        file.peakBytes = settings.value(QStringLiteral("peakBytes")).toLongLong();
        file.opened = settings.value(QStringLiteral("opened")).toDateTime();
        const QString canonical = QFileInfo(file.path).canonicalFilePath();
        if (!canonical.isEmpty() && seen.contains(canonical)) continue;
        seen << canonical;
        files.push_back(std::move(file));
    }
    settings.endArray();
    return files;
}

} // namespace

std::vector<RecentFile> recentFiles()
{
    std::vector<RecentFile> files = readAll();
    std::erase_if(files, [](const RecentFile &file) { return !QFileInfo(file.path).isFile(); });
    return files;
}

void rememberFile(const RecentFile &file)
{
    std::vector<RecentFile> files = readAll();
    const auto isIt = [canonical = QFileInfo(file.path).canonicalFilePath(), &file](const RecentFile &other) {
        return other.path == file.path ||
               (!canonical.isEmpty() && QFileInfo(other.path).canonicalFilePath() == canonical);
    };
    std::erase_if(files, isIt);
    files.insert(files.begin(), file);
    if (files.size() > kMostRecentFiles) files.resize(kMostRecentFiles);
    QSettings settings;
    settings.beginWriteArray(QLatin1String(kArray), static_cast<int>(files.size()));
    for (std::size_t i = 0; i < files.size(); ++i) {
        settings.setArrayIndex(static_cast<int>(i));
        settings.setValue(QStringLiteral("path"), files[i].path);
        settings.setValue(QStringLiteral("title"), files[i].title);
        settings.setValue(QStringLiteral("ops"), files[i].ops);
        settings.setValue(QStringLiteral("peakBytes"), static_cast<qlonglong>(files[i].peakBytes));
        settings.setValue(QStringLiteral("opened"), files[i].opened);
    }
    settings.endArray();
}

QString dayText(const QDateTime &time, const QDateTime &now)
{
    const QLocale locale;
    const qint64 days = time.date().daysTo(now.date());
    if (days == 0)
        return QCoreApplication::translate("RecentFiles", "Today, %1")
            .arg(time.time().toString(QStringLiteral("HH:mm")));
    if (days == 1) return QCoreApplication::translate("RecentFiles", "Yesterday");
    const bool sameYear = time.date().year() == now.date().year();
    return locale.toString(time.date(), sameYear ? QStringLiteral("d MMMM") : QStringLiteral("d MMMM yyyy"));
}

} // namespace remat::studio
