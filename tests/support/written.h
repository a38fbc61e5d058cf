// SPDX-License-Identifier: Apache-2.0
// Files that a test writes for the program to read.
#pragma once

#include <QtTest>

namespace remat::test {

/// The path of a file that now holds these bytes and no others; ends the test program where it cannot be written.
inline QString written(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("no %s", qPrintable(path));
    return path;
}

} // namespace remat::test
