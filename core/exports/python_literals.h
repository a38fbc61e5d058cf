// Values of a trace as Python writes them.
#pragma once

#include "core/graph/program.h"

#include <string>
#include <vector>

namespace remat::python {

/// `name` where it is a name in Python, else one made from it.
std::string identifier(const std::string &name);
std::string number(double value);
std::string tuple(const std::vector<std::int64_t> &values);
/// `torch.float32`
std::string dtype(DType type);
/// An argument that is no tensor; tensors are for the caller.
std::string literal(const Argument &argument);

} // namespace remat::python
