// SPDX-License-Identifier: Apache-2.0
// What ops are called on cards.
#pragma once

#include "core/graph/graph.h"

#include <string>

namespace remat {

/// The kind of an op in a person's words: `native_layer_norm` is `layer norm`, `_log_softmax` is `log softmax`, every
/// kind of fused attention is `attention`; what is a word already stays (`addmm`).
std::string humanKind(const std::string &kind);

/// `∂ x`
std::string backwardName(const std::string &name);

/// An op's own name as the user wrote it: its kind for traces, where names are made up by the exporter, and its name
/// for graphs that were written by hand.
std::string opBaseName(const Op &op);

/// Name of a cluster folded into its only child: `encoder` and `layers` are `encoder.layers`, `h` and `h.0` are `h.0`.
std::string foldedName(const std::string &outer, const std::string &inner);

/// Name of several in a row: `h.0 – h.10`, or `decoder.0 – 3` where the list has a long name.
std::string rangeName(const std::string &first, const std::string &last);

} // namespace remat
