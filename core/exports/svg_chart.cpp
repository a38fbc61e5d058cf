// SPDX-License-Identifier: Apache-2.0
#include "core/exports/svg_chart.h"

#include "core/base/memory_units.h"
#include "core/base/number.h"
#include "core/base/units.h"
#include "core/exports/html.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace remat::svg {

namespace {

constexpr double kWidth = 960, kHeight = 300;
constexpr double kLeft = 76, kRight = 16, kTop = 22, kBottom = 30;
constexpr int kColumns = 868; ///< width of the plot; more points than that nobody sees

std::string number(double value)
{
    return fixedNumber(value, 2);
}

struct Frame {
    double right = 1, top = 1; ///< values at the upper right corner

    double x(double value) const { return kLeft + value / right * (kWidth - kLeft - kRight); }
    double y(double value) const { return kHeight - kBottom - value / top * (kHeight - kTop - kBottom); }
    std::string point(double atX, double atY) const { return fmt::format("{},{} ", number(x(atX)), number(y(atY))); }
};

/// Steps of 1, 2 or 5 times a power of `base`, about five up to `top`.
double tickStep(double top, double unit)
{
    double step = unit;
    while (step * 6 < top)
        for (const double factor : {2.0, 2.5, 2.0}) {
            step *= factor;
            if (step * 6 >= top) break;
        }
    while (step * 2 > top && step > 1e-12)
        step /= 2;
    return step;
}

std::string text(double x, double y, const char *anchor, const std::string &what)
{
    return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", number(x), number(y), anchor,
                       html::escaped(what));
}

std::string line(double x1, double y1, double x2, double y2, const std::string &style)
{
    return fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" style=\"{}\"/>\n", number(x1), number(y1),
                       number(x2), number(y2), style);
}

std::string open(const std::string &label)
{
    return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", number(kWidth), number(kHeight),
                       html::escaped(label));
}

std::string bytesAxis(const Frame &frame)
{
    std::string result;
    const double unit = frame.top >= static_cast<double>(kGiB)   ? static_cast<double>(kGiB) / 4
                        : frame.top >= static_cast<double>(kMiB) ? static_cast<double>(kMiB) / 4
                                                                 : 256;
    const double step = tickStep(frame.top, unit);
    for (double value = 0; value <= frame.top; value += step) {
        result += line(kLeft, frame.y(value), kWidth - kRight, frame.y(value), "stroke: var(--line)");
        result += text(kLeft - 8, frame.y(value) + 4, "end", formatBytes(static_cast<std::int64_t>(value)));
    }
    return result;
}

/// The sample that holds most in each column.
std::vector<std::size_t> columns(const MemoryTimeline &timeline, double length)
{
    std::vector<std::size_t> result;
    std::size_t first = 0;
    const std::size_t count = timeline.op.size();
    for (int column = 0; column < kColumns && count > 0; ++column) {
        const double from = length * column / kColumns, to = length * (column + 1) / kColumns;
        if (from > timeline.timeUs) break;
        while (first + 1 < count && timeline.startUs[first + 1] <= from)
            ++first;
        std::size_t best = first;
        for (std::size_t i = first; i < count && (i == first || timeline.startUs[i] < to); ++i)
            if (timeline.totalBytes[i] > timeline.totalBytes[best]) best = i;
        result.push_back(best);
    }
    return result;
}

double rightOf(const MemoryTimeline &plan, const MemoryTimeline &keepAll)
{
    return std::max({plan.timeUs, keepAll.timeUs, 1e-9}) * 1.02;
}

} // namespace

double timelineX(const MemoryTimeline &plan, const MemoryTimeline &keepAll, double us)
{
    Frame frame;
    frame.right = rightOf(plan, keepAll);
    return frame.x(us);
}

std::string timeline(const MemoryTimeline &plan, const MemoryTimeline &keepAll, std::int64_t budgetBytes)
{
    Frame frame;
    frame.right = rightOf(plan, keepAll);
    frame.top = static_cast<double>(std::max({plan.peakBytes, keepAll.peakBytes, budgetBytes, std::int64_t{1}})) * 1.06;
    const double width = frame.right / kColumns;
    std::string result = open("Memory over time") + bytesAxis(frame);

    const std::vector<std::size_t> samples = columns(plan, frame.right);
    std::vector<double> below(samples.size(), 0);
    for (std::size_t category = 0; category < kCategoryCount; ++category) {
        const std::vector<std::int64_t> &band = plan.bytes[category];
        if (std::all_of(band.begin(), band.end(), [](std::int64_t bytes) { return bytes == 0; })) continue;
        std::string upper, lower;
        std::vector<double> above = below;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            above[i] += static_cast<double>(band[samples[i]]);
            const double from = width * static_cast<double>(i);
            upper += frame.point(from, above[i]) + frame.point(from + width, above[i]);
        }
        for (std::size_t i = samples.size(); i-- > 0;) {
            const double from = width * static_cast<double>(i);
            lower += frame.point(from + width, below[i]) + frame.point(from, below[i]);
        }
        result += fmt::format("<polygon points=\"{}{}\" style=\"fill: var(--c{})\"><title>{}</title></polygon>\n",
                              upper, lower, category, categoryName(static_cast<Category>(category)));
        below = above;
    }

    std::string outline;
    const std::vector<std::size_t> kept = columns(keepAll, frame.right);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const double from = width * static_cast<double>(i);
        const auto bytes = static_cast<double>(keepAll.totalBytes[kept[i]]);
        outline += frame.point(from, bytes) + frame.point(from + width, bytes);
    }
    result += fmt::format("<polyline points=\"{}\" style=\"fill: none; stroke: var(--ghost); stroke-width: 1.5; "
                          "stroke-dasharray: 4 3\"/>\n",
                          outline);
    if (budgetBytes > 0) {
        const double y = frame.y(static_cast<double>(budgetBytes));
        result += line(kLeft, y, kWidth - kRight, y, "stroke: var(--budget); stroke-width: 2");
        result += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" style=\"fill: var(--budget); font-weight: "
                              "600\">Budget {}</text>\n",
                              number(kWidth - kRight), number(y - 6), html::escaped(formatMemory(budgetBytes)));
    }
    const double step = tickStep(frame.right, 1);
    for (double value = 0; value <= frame.right; value += step)
        result += text(frame.x(value), kHeight - kBottom + 18, "middle", value > 0 ? formatTimeUs(value) : "0");
    return result + "</svg>\n";
}

std::string tradeOff(const std::vector<Point> &points, std::int64_t keepAllPeakBytes)
{
    Frame frame;
    frame.right = static_cast<double>(std::max(keepAllPeakBytes, std::int64_t{1})) * 1.04;
    frame.top = 0.05;
    for (const Point &point : points) {
        frame.right = std::max(frame.right, static_cast<double>(point.peakBytes) * 1.04);
        frame.top = std::max({frame.top, point.overhead * 1.15, point.bound * 1.15});
    }
    std::string result = open("Overhead over peak memory");
    const double step = tickStep(frame.top, 0.001);
    for (double value = 0; value <= frame.top; value += step) {
        result += line(kLeft, frame.y(value), kWidth - kRight, frame.y(value), "stroke: var(--line)");
        result += text(kLeft - 8, frame.y(value) + 4, "end", formatShare(value));
    }
    for (int tenth = 2; tenth <= 10; tenth += 2) {
        const double value = static_cast<double>(keepAllPeakBytes) * tenth / 10;
        result += text(frame.x(value), kHeight - kBottom + 18, "middle",
                       fmt::format("{} ({} %)", formatBytes(static_cast<std::int64_t>(value)), tenth * 10));
    }
    for (const Point &point : points) {
        const double x = frame.x(static_cast<double>(point.peakBytes));
        if (point.bound >= 0)
            result +=
                line(x - 9, frame.y(point.bound), x + 9, frame.y(point.bound), "stroke: var(--bound); stroke-width: 2");
        result += fmt::format(
            "<circle cx=\"{}\" cy=\"{}\" r=\"4.5\" style=\"fill: var(--accent)\"><title>{}</title></circle>\n",
            number(x), number(frame.y(point.overhead)), html::escaped(point.name));
        result += text(x + 10, frame.y(point.overhead) - 7, x > kWidth - 200 ? "end" : "start", point.name);
    }
    return result + "</svg>\n";
}

} // namespace remat::svg
