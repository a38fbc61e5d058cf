// SPDX-License-Identifier: Apache-2.0
// Walks over many rows look at a part of them in a run, another part each day.
#pragma once

#include <cstddef>

namespace remat::test {

/// True when a walk looks at this row today: one row of `days`, so that so many days see all. `packaging/test --all`,
/// which sets REMAT_TEST_ALL, looks at every row.
bool isSampled(std::size_t row, std::size_t days = 7);

/// True when every row is looked at: what counts rows asks for that.
bool testsAll();

} // namespace remat::test
