// SPDX-License-Identifier: Apache-2.0
// Which program this is; every file that it writes says so.
#pragma once

#include <string>

namespace remat {

/// `0.1.0`, from the one place that has it: the project's CMake file.
const std::string &programVersion();

/// `remat-studio 0.1.0`, for the member `written_by` of files.
const std::string &writtenBy();

} // namespace remat
