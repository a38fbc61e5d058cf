// SPDX-License-Identifier: Apache-2.0
// `remat-report/1`: what `remat doctor` found of a machine and a device, for a person to send.
#pragma once

#include "core/base/expected.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace remat {

/// Something that was looked for.
struct ReportFinding {
    std::string name; ///< `LibTorch`
    bool there = false;
    std::string text; ///< version and place, or what to do
};

/// Something of the device that was tried.
struct ReportCheck {
    std::string name;
    bool passed = false;
    std::string sentence; ///< what was wrong
};

/// Copies of one size, µs.
struct ReportCopy {
    std::int64_t bytes = 0;
    double toHostUs = 0, toDeviceUs = 0;
};

/// One plan, run and compared with keep-all.
struct ReportRun {
    std::string model, planner;
    std::int64_t budgetBytes = 0;
    double budgetShare = 0; ///< share of the keep-all peak
    bool passed = false;
    bool equal = false; ///< loss, gradients and buffers, bit for bit
    std::int64_t measuredPeakBytes = 0, predictedPeakBytes = 0;
    std::int64_t heightBytes = 0, plannedHeightBytes = 0; ///< heights of addresses; 0 where they are not ours
    double measuredUs = 0, predictedUs = 0, keepAllUs = 0;
    std::string sentence; ///< what was found, or why it did not run
};

/// All of it. Names of the machine's people and files are not in it, but for the folders that `found` names.
struct Report {
    std::string writtenBy; ///< set by `reportText`
    std::string made;      ///< `2026-11-22 21:40 UTC`
    std::string device;    ///< `cpu`, `simulated` or `cuda`
    std::string title;     ///< `NVIDIA H200`
    std::vector<ReportFinding> found;
    std::vector<ReportCheck> checks;
    std::vector<ReportCopy> copies;
    double linkBytesPerSecond = 0, linkLatencyUs = 0; ///< as fitted; 0: not measured
    /// A copy and compute, each alone and both at once, in one run; 0: not measured.
    double overlapCopyUs = 0, overlapComputeUs = 0, overlapBothUs = 0;
    std::vector<ReportRun> runs;
    bool passed = false;
    std::string verdict; ///< one sentence
};
std::string reportText(const Report &report);
/// Fails with where and what on anything that is no such report.
Expected<Report> readReport(const std::filesystem::path &path);
/// The reports that came with the program, by title; what cannot be read is passed over.
std::vector<Report> keptReports();

} // namespace remat
