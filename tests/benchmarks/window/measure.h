// SPDX-License-Identifier: Apache-2.0
// Clocks, and what is measured with them.
#pragma once

#include <QString>

#include <ctime>
#include <vector>

namespace remat::bench {

/// Any clock of the system.
double clockMs(clockid_t clock);
/// Time of this thread on a processor, so that what else runs on the machine does not count.
double threadMs();
/// The same for all threads.
double processMs();
double wallMs();

/// One measured thing: values in `unit`, its median and 99th percentile against what they may be.
struct Measure {
    QString name, unit;
    std::vector<double> wall, cpu;        ///< processor time of the GUI thread; empty where it says nothing
    double mostMedian = 0, mostWorst = 0; ///< 0: no limit
    double least = 0;                     ///< the least median that passes, where more is better

    bool met() const;
};

/// A table, or one JSON object, on standard output.
void print(const std::vector<Measure> &measures);
void printJson(const std::vector<Measure> &measures);

} // namespace remat::bench
