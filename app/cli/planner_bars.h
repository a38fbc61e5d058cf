// SPDX-License-Identifier: Apache-2.0
// Progress of several planners on standard error: a bar for each one at work, a line for each one that is done.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace remat::cli {

/// Shows nothing when standard error is no terminal. Calls from any thread, one at a time.
class PlannerBars
{
public:
    explicit PlannerBars(std::vector<std::string> names);
    ~PlannerBars();
    PlannerBars(const PlannerBars &) = delete;
    PlannerBars &operator=(const PlannerBars &) = delete;

    /// `done` of `total` budgets of a planner, and a note about the one at hand.
    void show(std::size_t planner, int done, int total, const std::string &note);

private:
    struct Row {
        std::string name, note;
        int done = 0, total = 0;
        bool started = false, printed = false;
    };

    std::string lineOf(const Row &row) const;
    void draw();

    std::vector<Row> m_rows;
    std::size_t m_nameWidth = 0;
    int m_liveLines = 0;
    bool m_terminal = false;
    std::chrono::steady_clock::time_point m_drawn;
};

} // namespace remat::cli
