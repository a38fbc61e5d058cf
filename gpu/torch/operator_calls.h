// SPDX-License-Identifier: Apache-2.0
// The operators of a trace, looked up once and called as its nodes say.
#pragma once

#include "core/graph/model.h"
#include "gpu/torch/arguments.h"

#include <ATen/core/Tensor.h>
#include <functional>
#include <string>
#include <vector>

namespace remat {

/// Calls operators with their recorded arguments. The model (with a program) must outlive it. `const` functions may be
/// called on any thread.
class OperatorCalls
{
public:
    /// Looks every operator up for `device`; fails with a sentence for the first that is not to be had.
    static Expected<OperatorCalls> create(const Model &model, c10::Device device, std::uint64_t seed);

    const PreparedNode &prepared(NodeId node) const { return m_nodes[node.index()]; }
    /// The arguments of a node, its tensors filled in by `tensorOf`.
    Expected<std::vector<c10::IValue>> arguments(NodeId node,
                                                 const std::function<Expected<at::Tensor>(ValueId)> &tensorOf) const;
    /// Calls the operator with the arguments on the stack, and leaves what it returns there. `warned` tells whether
    /// LibTorch warned that it has no deterministic kernel for it. Fails with a sentence where the operator does.
    Expected<void> call(NodeId node, std::vector<c10::IValue> &stack, c10::Device device, bool &warned) const;
    /// Turns dropout off and on again: probabilities that decide what is dropped are 0 meanwhile.
    void dropNothing(bool on) { m_dropsNothing = on; }
    /// An op that draws numbers for something else than dropout, which `dropNothing` leaves as it is; empty without
    /// one.
    std::string drawingOp() const;

private:
    OperatorCalls(const Model &model, std::uint64_t seed) : m_model(&model), m_seed(seed) {}

    const Model *m_model;
    std::uint64_t m_seed;
    std::vector<PreparedNode> m_nodes;
    bool m_dropsNothing = false;
};

/// Flattens what an operator returned to the outputs of its node: lists of tensors are taken apart.
std::vector<c10::IValue> flattened(std::vector<c10::IValue> returned, std::size_t outputs);

} // namespace remat
