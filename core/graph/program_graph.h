// SPDX-License-Identifier: Apache-2.0
// From the nodes of a trace to the ops and storages that planners see.
#pragma once

#include "core/graph/program.h"

#include <string_view>

namespace remat {

/// Groups the program's values into storages (views share one), leaves out nodes that only make views, and returns the
/// finished graph. Fills `Value::storage` and `Node::op` of `program`.
Expected<Graph> buildGraph(Program &program);

/// True for operators whose outputs are views of an input by their schema (`aten::view`, `aten::detach`,
/// `aten::_unsafe_view`, `aten::split`, …): for archives that do not say so themselves.
bool isViewOperator(std::string_view opName);

/// True for operators that draw random numbers (`aten::native_dropout`, …): likewise.
bool isRandomOperator(std::string_view opName);

} // namespace remat
