// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/plots/scale.h"

#include "app/studio/base/text/text.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace remat::studio {

namespace {

/// The smallest of 1, 2, 5 × 10^k that is at least `least`.
double wholeStep(double least)
{
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

/// Multiples of `step` within [from, to].
template <class Label>
std::vector<Tick> multiples(double from, double to, double step, const Label &label)
{
    std::vector<Tick> ticks;
    const double slack = step * 1e-6;
    for (double k = std::ceil((from - slack) / step); k * step <= to + slack; ++k)
        ticks.push_back({k * step, label(k * step)});
    return ticks;
}

} // namespace

std::vector<Tick> bytesTicks(double topBytes, int most)
{
    static constexpr std::array<const char *, 6> names{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    if (!(topBytes >= 1) || most < 1) return {{0, QStringLiteral("0")}};
    double unit = 1;
    std::size_t name = 0;
    while (topBytes / unit >= 1000 && name + 1 < names.size()) {
        unit *= 1024;
        ++name;
    }
    // A byte has no parts; of larger units tenths are read as easily as thousands of the one below.
    const double step = std::max(wholeStep(topBytes / unit / most), name == 0 ? 1.0 : 0.1) * unit;
    const int decimals = step < unit ? 1 : 0;
    return multiples(0, topBytes, step, [&](double value) {
        if (value == 0) return QStringLiteral("0");
        return QLocale::c().toString(value / unit, 'f', decimals) + QLatin1Char(' ') + QLatin1String(names[name]);
    });
}

std::vector<Tick> timeTicks(double fromUs, double toUs, int wanted)
{
    if (!(toUs > fromUs) || wanted < 1) return {};
    const double step = wholeStep((toUs - fromUs) / wanted);
    const double largest = std::max(std::abs(fromUs), std::abs(toUs));
    // The unit follows the largest label, but a step must stay a number one can read in it.
    double unit = largest >= 2e6 ? 1e6 : largest >= 1e3 ? 1e3 : 1;
    while (unit > 1 && step / unit < 0.01)
        unit /= 1e3;
    const QString name = unit == 1e6 ? QStringLiteral("s") : unit == 1e3 ? QStringLiteral("ms") : QStringLiteral("µs");
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step / unit) - 1e-9)), 0, 6);
    return multiples(fromUs, toUs, step, [&](double value) {
        if (value == 0) return QStringLiteral("0");
        return QLocale(QLocale::English).toString(value / unit, 'f', decimals) + QLatin1Char(' ') + name;
    });
}

std::vector<Tick> countTicks(double from, double to, int wanted)
{
    if (!(to > from) || wanted < 1) return {};
    const double step = std::max(wholeStep((to - from) / wanted), 1.0);
    return multiples(from, to, step,
                     [](double value) { return countText(static_cast<std::int64_t>(std::llround(value))); });
}

void Viewport::fit(double newLength, double newNarrowest)
{
    length = newLength > 0 ? newLength : 1;
    narrowest = std::min(newNarrowest, length);
    from = 0;
    to = length;
}

void Viewport::show(double newFrom, double newTo)
{
    const double wanted = std::clamp(newTo - newFrom, narrowest, length);
    from = std::clamp(newFrom, 0.0, length - wanted);
    to = from + wanted;
}

void Viewport::zoom(double at, double factor)
{
    const double wanted = std::clamp(width() * factor, narrowest, length);
    const double share = std::clamp((at - from) / width(), 0.0, 1.0);
    show(at - share * wanted, at - share * wanted + wanted);
}

void Viewport::pan(double by)
{
    const double wanted = width();
    from = std::clamp(from + by, 0.0, length - wanted);
    to = from + wanted;
}

} // namespace remat::studio
