// SPDX-License-Identifier: Apache-2.0
// Golden pictures: what views look like, pixel by pixel.
#pragma once

#include "app/studio/base/style/theme.h"

#include <QDir>
#include <QImage>
#include <QTest>
#include <QWidget>

#include <algorithm>
#include <cstdlib>

namespace remat::studio::fixture {

/// Pictures are compared in the light theme, unless their row says otherwise.
inline void lightTheme()
{
    Theme::instance().setScheme(Scheme::Light);
    Theme::instance().apply();
}

/// Compares a picture with the one in tests/golden, which REMAT_UPDATE_GOLDEN=1 writes anew: at most `most` of the
/// pixels may differ by more than what antialiasing does. Empty when it looks as it did, else a sentence.
inline QString goldenDifference(const QImage &picture, const QString &name, double most = 0.005)
{
    const QImage now = picture.convertToFormat(QImage::Format_RGB32);
    const QString file = QStringLiteral(REMAT_TEST_DATA "/../golden/") + name;
    if (qEnvironmentVariableIsSet("REMAT_UPDATE_GOLDEN") && !now.save(file))
        return file + QStringLiteral(" is not writable");
    const QImage then = QImage(file).convertToFormat(QImage::Format_RGB32);
    if (then.size() != now.size()) return file + QStringLiteral(" is missing or of another size");
    qint64 different = 0;
    for (int y = 0; y < now.height(); ++y)
        for (int x = 0; x < now.width(); ++x) {
            const QRgb a = now.pixel(x, y);
            const QRgb b = then.pixel(x, y);
            const int apart =
                std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
            if (apart > 24) ++different;
        }
    const double share = static_cast<double>(different) / (static_cast<double>(now.width()) * now.height());
    if (share < most) return {};
    const QString written = QDir::temp().filePath(name);
    now.save(written);
    return QStringLiteral("%1 % of the pixels differ; see %2").arg(share * 100).arg(written);
}

inline QString goldenDifference(QWidget &widget, const QString &name, double most = 0.005)
{
    return goldenDifference(widget.grab().toImage(), name, most);
}

/// Compares with the picture `VIEW_ROW.png`, which is named after the row of the test.
inline void looksAsItDid(QWidget &widget, const char *view)
{
    const QString row = QString::fromLatin1(QTest::currentDataTag());
    const QString difference = goldenDifference(widget, QStringLiteral("%1_%2.png").arg(QLatin1String(view), row));
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

/// The look that the row says in its column `scheme`; afterwards all is light again.
struct RowLook {
    RowLook()
    {
        QFETCH(const int, scheme);
        Theme::instance().setScheme(static_cast<Scheme>(scheme));
    }
    ~RowLook() { Theme::instance().setScheme(Scheme::Light); }
    Q_DISABLE_COPY_MOVE(RowLook)
};

} // namespace remat::studio::fixture
