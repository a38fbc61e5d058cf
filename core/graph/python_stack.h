// SPDX-License-Identifier: Apache-2.0
// Stack traces of Python, as PyTorch writes them into its graphs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace remat {

/// One call that was open while an op was recorded.
struct StackFrame {
    std::string file;     ///< as the trace names it: `transformers/models/gpt2/modeling_gpt2.py`
    int line = 0;         ///< from 1; 0 where the trace does not say
    std::string function; ///< `forward`; may be empty
    std::string code;     ///< the line itself, without its indentation; may be empty
};

/// More calls than this are not shown: the outermost are left out.
constexpr std::size_t kMostFrames = 100;

/// Frames of `File "FILE", line N, in FUNCTION` and a line of code each, from the outermost call to the innermost.
/// What is no frame is passed over, and texts are cut at 300 bytes. O(trace).
std::vector<StackFrame> stackFrames(std::string_view trace);

/// The innermost frame as `model.py:41  x = self.fc(x)`; empty where there is none.
std::string innermostFrame(std::string_view trace);

} // namespace remat
