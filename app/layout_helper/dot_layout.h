// SPDX-License-Identifier: Apache-2.0
// Graphviz, and nothing but Graphviz.
#pragma once

#include "app/layout_helper/request.h"

#include <memory>

namespace remat::layout {

/// Owns the one Graphviz context of the process. Not thread-safe, and a layout cannot be interrupted: whoever waits
/// too long kills the process.
class DotLayout
{
public:
    DotLayout();
    ~DotLayout();
    DotLayout(const DotLayout &) = delete;
    DotLayout &operator=(const DotLayout &) = delete;

    /// Lays the boxes out in ranks from the top down with `dot`. Fails when Graphviz does.
    Expected<Answer> layOut(const Request &request);

private:
    struct Context;
    std::unique_ptr<Context> m_context;
};

} // namespace remat::layout
