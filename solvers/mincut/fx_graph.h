// SPDX-License-Identifier: Apache-2.0
// The joint graph as PyTorch's min-cut partitioner sees it: a node per call, views included, and one per item of a
// tuple.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/program.h"

#include <vector>

namespace remat::mincut {

enum class FxKind : std::uint8_t { Placeholder, Call, GetItem, Output };

/// Nodes not on any path to the backward pass.
constexpr int kFarFromBackward = 1000000000;

/// One node. Lists of nodes are indices into FxGraph::nodes, without twins unless said otherwise.
struct FxNode {
    FxKind kind = FxKind::Call;
    std::uint8_t classes = 0;    ///< OperatorClass bits
    std::vector<int> arguments;  ///< everything it reads
    std::vector<int> positional; ///< what stands directly in its positional arguments, twins included
    std::vector<int> users;
    std::int64_t bytes = 0;   ///< elements × item size, of all items for a tuple
    bool tuple = false;       ///< has no tensor value of its own
    bool primal = false;      ///< an input of the training step
    bool free = false;        ///< an input that stays in memory anyway: parameter, buffer, constant
    bool sideEffects = false; ///< draws random numbers or writes to an input: never dead code
    bool collective = false;
    bool mustBeInBackward = false;
    double runtime = 1; ///< what doing it again costs, in the estimator's unit
    StorageId storage;  ///< storage of the graph that its value lies in; none for tuples and the output

    bool requiredForward = false;  ///< the forward outputs depend on it
    bool requiredBackward = false; ///< depends on the incoming gradient, or is an output of the backward pass
    bool gradientClosure = false;  ///< depends on the incoming gradient
    int forwardOrder = -1;         ///< position among those required forward
    int distance = 0;              ///< steps to the nearest node that is not required forward
};

struct FxGraph {
    std::vector<FxNode> nodes; ///< in execution order, dead code left out; the output node last
    std::vector<int> primals;
};

/// How the runtime of a node is estimated.
enum class Runtime { Flops, Costs };

struct FxSettings {
    Runtime runtime = Runtime::Flops;
    /// Takes the CPU's attention kernel, in traces made without a GPU, for the GPU's.
    bool gpuAttention = false;
};

/// From a trace whose storages and ops are set. The gradient of the loss, which traces make by `ones_like`, is the
/// backward pass's input, as it is in PyTorch. `costs` are those of the graph made from the trace.
FxGraph fxGraph(const Program &program, const CostTable &costs, const FxSettings &settings);

/// From a graph without a trace: ops stand for calls, storages for their values, the kind of an op is taken for the
/// name of an ATen operator, and everything of the backward phase depends on the incoming gradient. Runtimes are costs.
FxGraph fxGraph(const Graph &graph, const CostTable &costs);

} // namespace remat::mincut
