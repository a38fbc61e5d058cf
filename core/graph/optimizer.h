// SPDX-License-Identifier: Apache-2.0
// Optimizers, and a training step that holds their updates.
#pragma once

#include "core/graph/model.h"

#include <span>
#include <string>

namespace remat {

/// An optimizer that is known by name: copies of each trained parameter that it keeps, and that its update makes for a
/// moment (as PyTorch's `foreach` implementations do).
struct KnownOptimizer {
    const char *name;
    const char *title; ///< as people write it; none for "no optimizer"
    int states, temporaries;
};
/// All of them, the usual one first.
std::span<const KnownOptimizer> knownOptimizers();
/// Fails with a sentence that names those there are.
Expected<KnownOptimizer> findOptimizer(const std::string &name);

/// When each parameter is updated: as soon as its gradient is there, as with PyTorch's
/// `register_post_accumulate_grad_hook`, or all of them when the backward pass has ended.
enum class UpdateAt : std::uint8_t { Gradient, End };

/// The updates that a training step is to hold.
struct Updates {
    std::string optimizer; ///< one of knownOptimizers(); empty or `none`: the step holds none
    UpdateAt at = UpdateAt::Gradient;
    bool onHost = false; ///< on the CPU, where the states then stay
    /// The step is to hold any.
    bool given() const { return !optimizer.empty() && optimizer != "none"; }
};

/// The model's graph with one op for each parameter that has a gradient, which reads both, updates the parameter and
/// the optimizer's states (inputs as large as the parameter, one after the other), and makes nothing: an update that
/// works in place, as PyTorch's `fused` ones do. It comes behind the last op that reads the parameter. A trace says
/// whose a gradient is; in a JSON graph it is that of the first parameter of its size that the forward op reads whose
/// backward op makes it, or, where there is none, that this op reads itself. Fails with a sentence where that leaves a
/// gradient without a parameter, where there are no gradients, and where the graph has updates already. O(graph).
Expected<Graph> withUpdates(const Model &model, const Updates &updates);

/// The updates that make a graph of that fingerprint from the model; none when it is the model's own, or no known ones
/// do. O(graph) for each optimizer, place and time.
Updates updatesOf(const Model &model, const std::string &fingerprint);

} // namespace remat
