// SPDX-License-Identifier: Apache-2.0
// Flags of the commands that take a model with the updates of an optimizer in its step.
#pragma once

#include "core/graph/optimizer.h"

#include <CLI/CLI.hpp>

#include <string>

namespace remat::cli {

/// `--optimizer NAME`, `--optimizer-at gradient|end` and `--optimizer-on device|host`; none: the model as it is.
struct UpdateFlags {
    std::string optimizer, at = "gradient", on = "device";

    void add(CLI::App &command);
    Updates updates() const;
};

} // namespace remat::cli
