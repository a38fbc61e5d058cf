// SPDX-License-Identifier: Apache-2.0
// Strong indices into the flat vectors of a Graph, so that an op cannot be taken for a storage.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace remat {

/// Index into one flat vector; -1 means "none". Cheap to copy, ordered, hashable.
template <class Tag>
struct Id {
    std::int32_t value = -1;

    constexpr Id() = default;
    constexpr explicit Id(std::int32_t v) : value(v) {}
    constexpr explicit Id(std::size_t v) : value(static_cast<std::int32_t>(v)) {}

    /// True when the id points somewhere.
    constexpr explicit operator bool() const { return value >= 0; }
    /// Position in the vector; only for ids that point somewhere.
    constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
    constexpr auto operator<=>(const Id &) const = default; // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0
};

using OpId = Id<struct OpTag>;
using StorageId = Id<struct StorageTag>;
using ClusterId = Id<struct ClusterTag>;
using ValueId = Id<struct ValueTag>;
using NodeId = Id<struct NodeTag>;

} // namespace remat

namespace std {
template <class Tag>
struct hash<remat::Id<Tag>> {
    std::size_t operator()(remat::Id<Tag> id) const noexcept { return std::hash<std::int32_t>()(id.value); }
};
} // namespace std
