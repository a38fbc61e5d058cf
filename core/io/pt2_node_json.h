// SPDX-License-Identifier: Apache-2.0
// Nodes and tensors of a program as `models/model.json` has them.
#pragma once

#include "core/graph/program.h"

#include <nlohmann/json.hpp>

namespace remat {

/// An entry of `nodes`, without metadata.
nlohmann::ordered_json nodeJson(const Program &program, const Node &node);
/// What the tracer would write into the node's `metadata["custom"]["remat"]`.
nlohmann::ordered_json nodeRecordJson(const Program &program, const Node &node);
/// An entry of `tensor_values`.
nlohmann::ordered_json tensorJson(const Value &value);

} // namespace remat
