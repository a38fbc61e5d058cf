// SPDX-License-Identifier: Apache-2.0
// A plan for programs that only choose what is kept from the forward to the backward pass, and compute the rest again.
#pragma once

#include "core/exports/exporter.h"
#include "core/plan/simulator.h"

#include <string>
#include <vector>

namespace remat {

/// What such a program can take from a plan. Forward ops are those before `border`, the first backward op.
struct KeptChoice {
    std::size_t border = 0;
    std::vector<char> kept;   ///< per storage: made by a forward op, and on the device when the backward pass begins
    std::vector<char> onHost; ///< per storage: in host memory at that time, and not on the device
    std::vector<std::string> lost; ///< sentences about what of the plan has no place in such a choice
};

/// Fails where the graph has no backward ops, so that there is no choice. O(steps × degree).
Expected<KeptChoice> keptChoice(const Graph &graph, const Plan &plan);

/// Has random ops computed once, for programs that cannot set the generator back.
void drawOnce(const Graph &graph, KeptChoice &choice);
/// Has ops that read a buffer which the step overwrites computed once, for programs whose backward pass finds the new
/// values there: norms in training, for one.
void readBuffersOnce(const Model &model, KeptChoice &choice);
/// Counts what is in host memory as kept, for programs that copy nothing, and says so.
void keepOnDevice(KeptChoice &choice);

/// Every op once in graph order; what is not kept is computed again, once, before the first backward op that reads it,
/// with all that this takes. O(graph).
std::vector<OpId> sequenceOf(const Graph &graph, const KeptChoice &choice);

/// Offloads each storage after its last forward read, and prefetches it before its first backward read.
std::vector<Step> withCopies(const Graph &graph, const KeptChoice &choice, const std::vector<Step> &steps);

/// The beginning of a Python file: a docstring with title, use and figures, then `PREDICTED` and `LOST`.
struct RouteText {
    std::string title;              ///< `One partition for Inductor`
    std::string use;                ///< lines of code, indented by four
    std::vector<std::string> lost;  ///< what is lost on every such way
    const Simulation &predicted;    ///< what the simulator says of the plan that the file makes
    const std::string imports = ""; ///< lines
};
Expected<std::string> headOfRoute(const ExportInput &input, const KeptChoice &choice, const RouteText &text);

} // namespace remat
