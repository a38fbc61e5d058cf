// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_bars.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace remat::cli {

namespace {

constexpr int kBarWidth = 18;
constexpr std::chrono::milliseconds kBetweenDraws{50};

int terminalWidth()
{
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// At most `width` characters of UTF-8 text: a line that wraps could not be drawn over.
std::string clipped(const std::string &text, int width)
{
    int characters = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
        if (starts && ++characters > width) return text.substr(0, i);
    }
    return text;
}

} // namespace

PlannerBars::PlannerBars(std::vector<std::string> names) : m_terminal(isatty(STDERR_FILENO) != 0)
{
    for (std::string &name : names) {
        m_nameWidth = std::max(m_nameWidth, name.size());
        m_rows.emplace_back();
        m_rows.back().name = std::move(name);
    }
}

PlannerBars::~PlannerBars()
{
    if (m_liveLines > 0) std::fprintf(stderr, "\033[%dA\033[J", m_liveLines);
}

void PlannerBars::show(std::size_t planner, int done, int total, const std::string &note)
{
    if (!m_terminal) return;
    Row &row = m_rows[planner];
    const bool ends = done == total && !row.printed;
    row.started = true;
    row.done = done;
    row.total = total;
    row.note = note;
    const auto now = std::chrono::steady_clock::now();
    if (!ends && now - m_drawn < kBetweenDraws) return;
    m_drawn = now;
    draw();
}

std::string PlannerBars::lineOf(const Row &row) const
{
    const auto filled = static_cast<std::size_t>(row.total > 0 ? kBarWidth * row.done / row.total : 0);
    std::string line = row.name;
    line.append(m_nameWidth - row.name.size() + 2, ' ');
    line.append(filled, '#').append(kBarWidth - filled, '.');
    line += fmt::format("  {} of {}  {}", row.done, row.total, row.note);
    return clipped(printable(line), terminalWidth() - 1);
}

void PlannerBars::draw()
{
    std::string text;
    if (m_liveLines > 0) text += fmt::format("\033[{}A", m_liveLines);
    text += "\r\033[J";
    for (Row &row : m_rows)
        if (row.started && !row.printed && row.done == row.total) {
            row.printed = true;
            text += lineOf(row) + "\n";
        }
    m_liveLines = 0;
    for (const Row &row : m_rows)
        if (row.started && !row.printed) {
            text += lineOf(row) + "\n";
            ++m_liveLines;
        }
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

} // namespace remat::cli
