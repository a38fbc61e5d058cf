// SPDX-License-Identifier: Apache-2.0
// What readers take in at most. The rule that these keep, measured by tests/app/tst_memory_rule.cpp: opening, planning,
// checking and exporting an input of n bytes needs at most 200 MB + 400 n.
#pragma once

#include <cstdint>

namespace remat {

/// Largest file of JSON, in bytes: a graph of half a million ops.
constexpr std::int64_t kMaxJsonBytes = std::int64_t(128) << 20;

/// Largest text of a trace (`models/model.json`), unpacked, in bytes: twice what a graph as JSON may have, since its
/// nodes say more.
constexpr std::int64_t kMaxModelBytes = std::int64_t(256) << 20;

/// Largest device file, in bytes; the shipped ones have one or two thousand.
constexpr std::int64_t kMaxDeviceBytes = std::int64_t(1) << 20;

/// What the text of an archive and the tree made of it may take, in bytes: `kArchiveRoom`, and `kArchiveRoomPerByte`
/// for each byte of the file. Deflate packs a thousand bytes into one, so what a small file unpacks to says nothing;
/// traces of real models shrink 25 to 30 times, and their trees are six times as large as their text.
constexpr std::int64_t kArchiveRoom = std::int64_t(64) << 20;
constexpr std::int64_t kArchiveRoomPerByte = 200;

/// What a profile may say of one op, and of how often it was measured. More would not fit beside the sizes of a graph;
/// see finishGraph().
constexpr double kMaxMeasuredUs = 1e15;
constexpr std::int64_t kMaxMeasuredBytes = std::int64_t(1) << 60;
constexpr int kMaxRepeats = 1'000'000'000;
constexpr std::int64_t kMaxSamples = std::int64_t(1) << 50;
constexpr double kMaxMhz = 1e6;

/// Rates of devices and links: from less than a pocket calculator does to a thousand times the largest cluster of
/// today, per second. Within them no time of an op or a copy, nor a sum of such times, leaves the range of numbers.
constexpr double kLeastRate = 1e3, kMostFlops = 1e22, kMostBytesPerSecond = 1e18;
constexpr double kMostLatencyUs = 1e9; ///< a quarter of an hour
constexpr double kMostLaunches = 1e6;  ///< kernels of one op

} // namespace remat
