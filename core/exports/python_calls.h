// SPDX-License-Identifier: Apache-2.0
// The forward calls of a trace as other programs of PyTorch see them: by operator, in order, with what is kept of each.
#pragma once

#include "core/exports/kept_choice.h"

#include <string>
#include <vector>

namespace remat {

/// One forward op of the graph.
struct ForwardCall {
    OpId op;
    std::string operatorName;        ///< `aten.addmm.default`, as `str(op)` says in Python; in-place ones as functional
    std::vector<std::string> shapes; ///< shape of each output, as Python tuples
    std::string kept;                ///< for each output 1: kept, 0: computed again, h: in host memory
    std::string module;
};

/// In graph order. Fails where the model is no trace, or calls what is no operator.
Expected<std::vector<ForwardCall>> forwardCalls(const Model &model, const KeptChoice &choice);

/// Python: the table `CALLS`, and `tag(module)`, which marks the values of a joint graph by it.
std::string pythonTags(const std::vector<ForwardCall> &calls);

} // namespace remat
