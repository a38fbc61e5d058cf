// SPDX-License-Identifier: Apache-2.0
// From the arguments of a trace to the values that LibTorch's dispatcher takes.
#pragma once

#include "core/graph/program.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <optional>
#include <vector>

namespace remat {

/// PyTorch's number for our dtype.
at::ScalarType scalarType(DType type);

/// A node made ready to run: its operator, its arguments in schema order, and where tensors go in.
struct PreparedNode {
    c10::OperatorHandle op;
    std::vector<c10::IValue> arguments; ///< constants and defaults; none where a tensor goes in

    struct TensorSlot {
        std::size_t position;
        ValueId value;
    };
    struct ListSlot {
        std::size_t position;
        std::vector<ValueId> values;
        bool optionalItems; ///< the schema says `Tensor?[]`
    };
    std::vector<TensorSlot> tensors;
    std::vector<ListSlot> lists;
    bool random = false; ///< draws random numbers: the trace or the operator says so
    /// Where the probability of dropping stands; nothing when the operator has none.
    std::optional<std::size_t> dropPosition = std::nullopt;
    double dropNothing = 0; ///< what stands there when nothing is dropped
};

/// Finds the operator and lays its arguments out. Device arguments become `device`. Fails with a sentence that names
/// the node when this LibTorch has no such operator or an argument does not fit its schema.
Expected<PreparedNode> prepareNode(const Program &program, const Node &node, c10::Device device);

} // namespace remat
