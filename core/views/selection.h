// What all views point at together.
#pragma once

#include "core/base/ids.h"

namespace remat {

/// What is selected in all views at once. At most one of op and storage leads; the other is derived (an op's first
/// output, a storage's producer).
struct Selection {
    OpId op;
    StorageId storage;
    bool operator==(const Selection &) const = default;
};

} // namespace remat
