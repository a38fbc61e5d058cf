// SPDX-License-Identifier: Apache-2.0
#include "app/cli/progress_bar.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace remat::cli {

namespace {
constexpr int kBarWidth = 24;
}

ProgressBar::ProgressBar() : m_terminal(isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar()
{
    if (m_drawn) std::fputs("\r\033[K", stderr);
}

void ProgressBar::show(const std::string &activity, double fraction, const std::string &note)
{
    if (!m_terminal) return;
    m_drawn = true;
    std::string bar;
    if (fraction >= 0) {
        const auto filled = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * kBarWidth);
        bar.append(filled, '#').append(kBarWidth - filled, '.').append(1, ' ');
    }
    std::fprintf(stderr, "\r\033[K%s%s  %s", bar.c_str(), printable(activity).c_str(), printable(note).c_str());
    std::fflush(stderr);
}

} // namespace remat::cli
