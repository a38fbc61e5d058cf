// SPDX-License-Identifier: Apache-2.0
// What one step of the model, as its user wrote it, gave beside the traced graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace remat {

enum class EagerVerdict : std::uint8_t {
    NotCompared,
    Equal,     ///< every tensor, bit for bit
    Explained, ///< what differs has a named cause: dropout's generator, the order of a sum
    Different, ///< the graph is not what PyTorch computes
};

/// One tensor of the step on both sides.
struct EagerTensor {
    std::string name; ///< `loss`, a parameter, a buffer
    std::string kind; ///< `loss`, `gradient`, `buffer`
    bool equal = false;
    double relative = 0;     ///< largest difference as a share of the largest value; may be infinite or NaN
    std::string explainedBy; ///< empty where nothing explains it
};

/// The first op, in the order of the graph, whose values differ though its inputs do not.
struct EagerOp {
    std::string name;         ///< the name of the node
    std::string operatorName; ///< `aten.linalg_pinv`
    std::string module, line; ///< where the user's model calls it; may be empty
    double relative = 0;
};

/// `remat-comparison/1`, which the tracer writes into the archive.
struct EagerComparison {
    EagerVerdict verdict = EagerVerdict::NotCompared;
    std::string why;          ///< a sentence; empty where there is nothing to add
    std::string batch;        ///< the same; that the graph is for one batch and one state of the weights alone
    std::string torchVersion; ///< that ran the step
    std::vector<EagerTensor> tensors;
    std::optional<EagerOp> firstOp; ///< the first op that differs; none where it was not found
};

/// `not compared`, `equal`, `explained`, `different`: for files and `--json`.
const char *eagerVerdictName(EagerVerdict verdict);
/// The verdict of that name; none for other texts.
std::optional<EagerVerdict> eagerVerdictOf(const std::string &name);

} // namespace remat
