// SPDX-License-Identifier: Apache-2.0
// How long tests wait for what must end soon.
#pragma once

namespace remat::test {

/// On top of a limit that is kept: no measure of speed, only what tells late from never on a machine that is busy with
/// something else. What ignores its limit in a test goes on for longer.
inline constexpr double kPatienceSeconds = 120;
inline constexpr long long kPatienceMs = 120000;

} // namespace remat::test
