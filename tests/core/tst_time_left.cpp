// SPDX-License-Identifier: Apache-2.0
// What a progress bar says of the time that is left.
#include "core/base/time_left.h"

#include <QtTest>

#include <cmath>

using namespace remat;

class TestTimeLeft : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysNothingTooEarly()
    {
        for (const auto &[seconds, fraction] :
             {std::pair(4.9, 0.5), std::pair(100.0, 0.04), std::pair(100.0, -1.0), std::pair(100.0, 1.0),
              std::pair(double(NAN), 0.5), std::pair(100.0, double(NAN))})
            QCOMPARE(timeLeft(seconds, fraction), std::string());
    }
    void roundsToMinutes()
    {
        QCOMPARE(timeLeft(60, 0.25), std::string("about 3 min left"));
        QCOMPARE(timeLeft(10, 0.5), std::string("less than a minute left"));
        QCOMPARE(timeLeft(59.9, 0.5), std::string("less than a minute left"));
        QCOMPARE(timeLeft(60, 0.5), std::string("about 1 min left"));
    }
};

QTEST_APPLESS_MAIN(TestTimeLeft)
#include "tst_time_left.moc"
