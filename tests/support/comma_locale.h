// SPDX-License-Identifier: Apache-2.0
// A locale that writes 4,5 for 4.5, as half of the world does. Bare machines have none, so it is made.
#pragma once

#include <QProcess>
#include <QTemporaryDir>

namespace remat::test {

/// Makes it in a folder and puts it into the environment of this process, before the application is made. False when
/// localedef, of Debian's libc-bin, or what it reads, of `locales`, is missing.
inline bool useCommaLocale(const QTemporaryDir &folder)
{
    const QString made = folder.filePath(QStringLiteral("de_DE.UTF-8"));
    QProcess::execute(QStringLiteral("localedef"), {QStringLiteral("-c"), QStringLiteral("-i"), QStringLiteral("de_DE"),
                                                    QStringLiteral("-f"), QStringLiteral("UTF-8"), made});
    qputenv("LOCPATH", folder.path().toLocal8Bit());
    qputenv("LC_ALL", "de_DE.UTF-8");
    return QFile::exists(made + QStringLiteral("/LC_NUMERIC"));
}

} // namespace remat::test
