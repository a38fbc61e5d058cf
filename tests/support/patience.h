// How long tests wait for what must end soon.
#pragma once

namespace remat::test {

/// On top of a limit that is kept: far more than it takes, far less than what ignores the limit would, and enough for a
/// machine that is busy with something else.
inline constexpr double kPatienceSeconds = 8;
inline constexpr long long kPatienceMs = 8000;

} // namespace remat::test
