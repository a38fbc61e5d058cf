// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/window/measure.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace remat::bench {

namespace {

double quantile(std::vector<double> values, double share)
{
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(rank, 1) - 1];
}

} // namespace

double clockMs(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double threadMs()
{
    return clockMs(CLOCK_THREAD_CPUTIME_ID);
}

double processMs()
{
    return clockMs(CLOCK_PROCESS_CPUTIME_ID);
}

double wallMs()
{
    return clockMs(CLOCK_MONOTONIC);
}

bool Measure::met() const
{
    if (wall.empty()) return false;
    return (mostMedian <= 0 || quantile(wall, 0.5) <= mostMedian) &&
           (mostWorst <= 0 || quantile(wall, 0.99) <= mostWorst) && (least <= 0 || quantile(wall, 0.5) >= least);
}

void print(const std::vector<Measure> &measures)
{
    std::printf("%-42s %10s %10s %10s %10s %6s  %s\n", "", "median", "99 %", "cpu med.", "cpu 99 %", "times", "");
    for (const Measure &measure : measures) {
        const bool time = measure.unit == QLatin1String("ms");
        std::printf("%-42s %7.1f %-2s %7.1f %-2s %7.1f ms %7.1f ms %6zu  %s\n", qPrintable(measure.name),
                    quantile(measure.wall, 0.5), time ? "ms" : "/s", quantile(measure.wall, 0.99), time ? "ms" : "/s",
                    quantile(measure.cpu, 0.5), quantile(measure.cpu, 0.99), measure.wall.size(),
                    measure.met() ? "met" : "not met");
    }
}

void printJson(const std::vector<Measure> &measures)
{
    QJsonArray list;
    for (const Measure &measure : measures)
        list.append(QJsonObject{{QStringLiteral("name"), measure.name},
                                {QStringLiteral("unit"), measure.unit},
                                {QStringLiteral("median"), quantile(measure.wall, 0.5)},
                                {QStringLiteral("p99"), quantile(measure.wall, 0.99)},
                                {QStringLiteral("cpu_median_ms"), quantile(measure.cpu, 0.5)},
                                {QStringLiteral("cpu_p99_ms"), quantile(measure.cpu, 0.99)},
                                {QStringLiteral("times"), static_cast<int>(measure.wall.size())},
                                {QStringLiteral("most_median"), measure.mostMedian},
                                {QStringLiteral("most_p99"), measure.mostWorst},
                                {QStringLiteral("least_median"), measure.least},
                                {QStringLiteral("met"), measure.met()}});
    std::printf("%s\n", QJsonDocument(QJsonObject{{QStringLiteral("window"), list}}).toJson().constData());
}

} // namespace remat::bench
