// SPDX-License-Identifier: Apache-2.0
// What ops and storages are summed by in tables: a word for each of them.
#pragma once

#include "core/graph/graph.h"

#include <string>

namespace remat {

/// A block is a module path up to its first number: `transformer.h.3` of `transformer.h.3.mlp.act`; the whole path
/// where there is none. A type is the scalar type of the largest thing that the op makes.
enum class GroupBy : std::uint8_t { Module, Block, Kind, Type, Category, Storage };

/// The group of an op; empty where it has none (no module, nothing made). Categories and storages are no groups of ops.
std::string groupOf(const Graph &graph, OpId op, GroupBy by);

/// `f32` of `f32[8,512]`; empty when unknown.
std::string scalarType(const std::string &type);

/// The storage of the most bytes that the op makes; none where it makes nothing.
StorageId largestOutput(const Graph &graph, OpId op);

} // namespace remat
