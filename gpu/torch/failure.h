// SPDX-License-Identifier: Apache-2.0
// From LibTorch's exceptions to sentences.
#pragma once

#include "core/graph/program.h"

#include <c10/core/Device.h>
#include <exception>
#include <string>

namespace remat {

/// The first line of what LibTorch says, without its C++ backtrace.
std::string firstLine(const std::exception &error);

/// Why a node could not be run, and what to do.
std::string operatorFailure(const Node &node, c10::Device device, const std::exception &error);

} // namespace remat
