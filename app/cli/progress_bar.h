// SPDX-License-Identifier: Apache-2.0
// Progress on standard error: a bar when it is a terminal, nothing when it is not.
#pragma once

#include <string>

namespace remat::cli {

class ProgressBar
{
public:
    ProgressBar();
    ~ProgressBar();
    ProgressBar(const ProgressBar &) = delete;
    ProgressBar &operator=(const ProgressBar &) = delete;

    /// Shows `fraction` (0 to 1; negative when unknown) of an activity and a note. One thread at a time.
    void show(const std::string &activity, double fraction, const std::string &note);

private:
    bool m_terminal = false;
    bool m_drawn = false;
};

} // namespace remat::cli
