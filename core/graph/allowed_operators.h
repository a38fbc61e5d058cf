// SPDX-License-Identifier: Apache-2.0
// Which operators of LibTorch a trace may run. Nothing of LibTorch.
#pragma once

#include "core/graph/program.h"

#include <string>
#include <string_view>

namespace remat {

/// True for operators that compute on tensors and do nothing else: no files, no printing, no other processes, no
/// change of a storage behind a tensor's back. `overload` is empty for the default one. Any thread.
bool isAllowedOperator(std::string_view opName, std::string_view overload);

/// `aten::add.Tensor`, as messages name an operator.
std::string operatorText(const Node &node);

/// Fails with a sentence that names the first op whose operator is not allowed.
Expected<void> checkOperators(const Program &program);

} // namespace remat
