// SPDX-License-Identifier: Apache-2.0
// Values of a trace as Python writes them.
#pragma once

#include "core/graph/program.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace remat::python {

/// Whether Python reads the text as one name: ASCII letters, digits and underscores, no word of the language.
bool isName(std::string_view text);
/// `name` where it is a name that code of an export may bind, else one made from it.
std::string identifier(const std::string &name);
/// `torch.ops.aten.add.Tensor`; none for what is neither an operator that a trace may run nor a collective.
std::optional<std::string> operatorName(const std::string &opName, const std::string &overload);
std::string number(double value);
std::string tuple(const std::vector<std::int64_t> &values);
/// `torch.float32`
std::string dtype(DType type);
/// An argument that is no tensor; tensors are for the caller.
std::string literal(const Argument &argument);

} // namespace remat::python
