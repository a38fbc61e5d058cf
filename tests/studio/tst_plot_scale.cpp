// SPDX-License-Identifier: Apache-2.0
// Values and pixels, ticks, viewports, and what a pixel column shows.
#include "app/studio/base/plots/columns.h"
#include "app/studio/base/plots/scale.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace remat;
using namespace remat::studio;

namespace {

QStringList labels(const std::vector<Tick> &ticks)
{
    QStringList texts;
    for (const Tick &tick : ticks)
        texts << tick.label;
    return texts;
}

constexpr double kGiBDouble = 1024.0 * 1024 * 1024;

} // namespace

class TestPlotScale : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void pixelsAndValuesAreInverse()
    {
        const Scale up{0, 8 * kGiBDouble, 216, 24};
        QCOMPARE(up.pixel(0), 216.0);
        QCOMPARE(up.pixel(4 * kGiBDouble), 120.0);
        QCOMPARE(up.value(24), 8 * kGiBDouble);
        const Scale right{-3, 12, 76, 1096};
        for (double value = -3; value <= 12; value += 0.37)
            QVERIFY(std::abs(right.value(right.pixel(value)) - value) < 1e-9);
    }

    void bytesTicksAreWholeStepsOfOneUnit()
    {
        QCOMPARE(labels(bytesTicks(9.5 * kGiBDouble, 6)),
                 QStringList({QStringLiteral("0"), QStringLiteral("2 GiB"), QStringLiteral("4 GiB"),
                              QStringLiteral("6 GiB"), QStringLiteral("8 GiB")}));
        QCOMPARE(labels(bytesTicks(2.6 * kGiBDouble, 6)).last(), QStringLiteral("2.5 GiB"));
        QCOMPARE(labels(bytesTicks(1.1 * kGiBDouble, 6)).at(1), QStringLiteral("0.2 GiB"));
        QCOMPARE(labels(bytesTicks(0.9 * kGiBDouble, 6)).last(), QStringLiteral("800 MiB"));
        // No number has four digits: what would be 1000 MiB is in GiB.
        for (double top = 0.97; top < 1.0; top += 0.002)
            QVERIFY(!labels(bytesTicks(top * kGiBDouble, 4)).join(u' ').contains(QStringLiteral("1000")));
        QCOMPARE(labels(bytesTicks(37, 6)).last(), QStringLiteral("30 B"));
        QCOMPARE(labels(bytesTicks(3, 6)), QStringList({QStringLiteral("0"), QStringLiteral("1 B"),
                                                        QStringLiteral("2 B"), QStringLiteral("3 B")}));
        QCOMPARE(bytesTicks(0, 6).size(), std::size_t(1));
        for (double top = 1; top < 1e17; top *= 1.37) {
            const std::vector<Tick> ticks = bytesTicks(top, 6);
            QVERIFY(ticks.size() <= 7);
            QVERIFY(top < 4 || ticks.size() >= 3);
            QVERIFY(ticks.back().value <= top);
        }
    }

    void timeTicksShareOneUnit()
    {
        QCOMPARE(labels(timeTicks(0, 80'000, 8)).mid(0, 3),
                 QStringList({QStringLiteral("0"), QStringLiteral("10 ms"), QStringLiteral("20 ms")}));
        QCOMPARE(labels(timeTicks(100, 131, 4)).first(), QStringLiteral("100 µs"));
        QCOMPARE(labels(timeTicks(30'000, 30'010, 5)).at(1), QStringLiteral("30,002 µs"));
        QCOMPARE(labels(timeTicks(0, 9e6, 5)).last(), QStringLiteral("8 s"));
        QCOMPARE(labels(timeTicks(30'000, 31'000, 5)).at(1), QStringLiteral("30.2 ms"));
        QVERIFY(timeTicks(5, 5, 4).empty());
        const std::vector<Tick> inside = timeTicks(1234, 5678, 6);
        QVERIFY(inside.front().value >= 1234 && inside.back().value <= 5678);
    }

    void countTicksAreWhole()
    {
        QCOMPARE(labels(countTicks(0, 1130, 5)).last(), QStringLiteral("1,000"));
        for (const Tick &tick : countTicks(3.2, 6.1, 10))
            QCOMPARE(tick.value, std::round(tick.value));
    }

    void viewportStaysInside()
    {
        Viewport view;
        view.fit(100, 1);
        QVERIFY(view.all());
        view.zoom(20, 0.5);
        QCOMPARE(view.from, 10.0);
        QCOMPARE(view.to, 60.0);
        view.pan(-50);
        QCOMPARE(view.from, 0.0);
        QCOMPARE(view.width(), 50.0);
        for (int i = 0; i < 50; ++i)
            view.zoom(30, 0.5);
        QCOMPARE(view.width(), 1.0);
        QVERIFY(view.from <= 30 && view.to >= 30);
        view.show(90, 140);
        QCOMPARE(view.from, 50.0);
        QCOMPARE(view.to, 100.0);
        view.zoom(70, 100);
        QVERIFY(view.all());
        view.fit(0, 0);
        QVERIFY(view.width() > 0);
    }

    void columnsKeepThePeak()
    {
        std::vector<double> edges;
        std::vector<std::int64_t> values;
        for (int i = 0; i <= 20'000; ++i)
            edges.push_back(i);
        values.assign(20'000, 5);
        values[12'345] = 100;
        const ColumnGrid grid = ColumnGrid::over(76, 1096, 1);
        QCOMPARE(grid.count, 1020);
        const auto shown = largestPerColumn(grid, {0, 20'000, 76, 1096}, edges, values);
        QCOMPARE(std::count(shown.begin(), shown.end(), 12'345), std::ptrdiff_t(1));
        QCOMPARE(std::count(shown.begin(), shown.end(), -1), std::ptrdiff_t(0));
    }

    void columnsAgreeWithALook()
    {
        test::Random random(7);
        for (int round = 0; round < 200; ++round) {
            std::vector<double> edges{0};
            std::vector<std::int64_t> values;
            const int samples = random.between(1, 60);
            for (int i = 0; i < samples; ++i) {
                edges.push_back(edges.back() + random.below(5));
                values.push_back(random.below(100));
            }
            const double from = random.below(30), to = from + random.between(1, 60);
            const Scale scale{from, to, 10, 10.0 + random.between(5, 80)};
            const ColumnGrid grid = ColumnGrid::over(10, scale.toPixel, random.between(1, 2));
            const auto shown = largestPerColumn(grid, scale, edges, values);
            for (int column = 0; column < grid.count; ++column) {
                const double left = scale.value(grid.x(column)), right = scale.value(grid.x(column + 1));
                std::int64_t best = -1;
                for (int i = 0; i < samples; ++i) {
                    const double a = edges[std::size_t(i)], b = edges[std::size_t(i) + 1];
                    const bool overlaps = a < right - 1e-4 && b > left + 1e-4;
                    const bool point = a == b && a >= left + 1e-4 && a < right - 1e-4;
                    if (overlaps || point) best = std::max(best, values[std::size_t(i)]);
                }
                const std::int32_t sample = shown[std::size_t(column)];
                if (best >= 0) QVERIFY(sample >= 0 && values[std::size_t(sample)] >= best);
                // Nothing from afar: what is shown touches the column.
                if (sample >= 0)
                    QVERIFY(edges[std::size_t(sample)] <= right + 1e-4 &&
                            edges[std::size_t(sample) + 1] >= left - 1e-4);
            }
        }
    }

    void coverageAddsUp()
    {
        const ColumnGrid grid = ColumnGrid::over(0, 10, 1);
        const std::vector<float> shares = coverage(grid, {0, 10, 0, 10}, {{-3, 0.5}, {1.25, 1.5}, {1.5, 3}, {9.5, 40}});
        QCOMPARE(shares[0], 0.5F);
        QCOMPARE(shares[1], 0.75F);
        QCOMPARE(shares[2], 1.0F);
        QCOMPARE(shares[3], 0.0F);
        QCOMPARE(shares[9], 0.5F);
    }

    void outlineJoinsEqualColumns()
    {
        const ColumnGrid grid = ColumnGrid::over(0, 6, 1);
        const QPolygonF outline = barOutline(grid, {10, 10, 10, 4, 4, 10}, 20, 0, 5);
        QCOMPARE(outline, QPolygonF({{0, 20}, {0, 20}, {0, 10}, {3, 10}, {3, 4}, {5, 4}, {5, 20}}));
        QVERIFY(barOutline(grid, {}, 20, 2, 2).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestPlotScale)
#include "tst_plot_scale.moc"
