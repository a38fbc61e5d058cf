// SPDX-License-Identifier: Apache-2.0
// `remat-comparison/1`: what the tracer found when it ran the model beside the graph, kept in the archive.
#pragma once

#include "core/graph/eager_comparison.h"
#include "core/io/archive_data.h"

#include <string_view>

namespace remat {

/// The comparison that an archive holds. Where it holds none, or one that cannot be read, the verdict is NotCompared,
/// and `why` says what is wrong with it: an archive is no worse for it.
EagerComparison readEagerComparison(ArchiveData &archive);

/// The same of a text; `title` names it in errors.
Expected<EagerComparison> parseEagerComparison(std::string_view text, const std::string &title);

} // namespace remat
