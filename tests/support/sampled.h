// SPDX-License-Identifier: Apache-2.0
// Walks over many rows look at a part of them in a run, another part each day.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace remat::test {

/// True when a walk looks at this row today: one row of `days`, so that so many days see all. `packaging/test --all`,
/// which sets REMAT_TEST_ALL, looks at every row; REMAT_TEST_DAY (days since 1970) is another day than today.
bool isSampled(std::size_t row, std::size_t days = 7);

/// The seeds from `first` to `last` that are looked at today: neighbours, so that each day has even and odd ones, and
/// all remainders by other small numbers.
std::vector<std::uint64_t> seedsOfToday(std::uint64_t first, std::uint64_t last, std::size_t days = 3);

/// True when every row is looked at: what counts rows asks for that.
bool testsAll();

} // namespace remat::test
