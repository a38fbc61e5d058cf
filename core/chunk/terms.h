// SPDX-License-Identifier: Apache-2.0
// How operators treat the dims of their tensors, one letter a dim: `mm` is "self MK, mat2 KN -> MN".
#pragma once

#include "core/graph/program.h"

#include <optional>
#include <string>
#include <vector>

namespace remat {

/// Letters of the leading dims of each tensor. A capital may be cut; a small letter, a dot and dims without a letter
/// may not. Dims with the same letter are cut together. An output that lacks the letter of a cut is a sum over the
/// pieces, but for "=", which is the same in each piece.
struct Terms {
    std::vector<std::string> ins;  ///< in the order of tensorsRead()
    std::vector<std::string> outs; ///< in the order of Node::outputs
};

/// The table's row for a call; none for operators without one, and for calls that no row is right for.
std::optional<Terms> termsOf(const Program &program, const Node &node);

/// True for operators that only give other sizes to the same elements in the same order (`view`, `unsqueeze`,
/// `detach`).
bool keepsElements(const Node &node);

} // namespace remat
