// SPDX-License-Identifier: Apache-2.0
#include "core/views/python_calls.h"

#include <algorithm>
#include <charconv>
#include <tuple>
#include <unordered_set>

namespace remat {

namespace {

/// `model.py:41  x = self.fc(x)`, as a graph holds it, taken apart.
std::vector<StackFrame> callOf(const std::string &source)
{
    if (source.empty()) return {};
    constexpr std::string_view kGap = "  ";
    StackFrame frame;
    const std::size_t gap = std::min(source.find(kGap), source.size());
    if (gap < source.size()) frame.code = source.substr(gap + kGap.size());
    frame.file = source.substr(0, gap);
    const std::size_t colon = frame.file.rfind(':');
    if (colon != std::string::npos) {
        std::from_chars(frame.file.data() + colon + 1, frame.file.data() + frame.file.size(), frame.line);
        if (frame.line > 0) frame.file.resize(colon);
    }
    return {frame};
}

bool sameCall(const StackFrame &a, const StackFrame &b)
{
    return std::tie(a.file, a.line, a.function) == std::tie(b.file, b.line, b.function);
}

} // namespace

std::vector<StackFrame> callsOf(const Graph &graph, const PythonStacks &stacks, OpId id)
{
    const Op &op = graph.op(id);
    const std::string *trace = stacks.find(op.name);
    return trace ? stackFrames(*trace) : callOf(op.source);
}

std::vector<StackFrame> sharedCalls(const Graph &graph, const PythonStacks &stacks, const std::vector<OpId> &ops)
{
    std::vector<StackFrame> shared;
    std::unordered_set<const std::string *> seen;
    bool first = true;
    for (const OpId op : ops) {
        const std::string *trace = stacks.find(graph.op(op).name);
        if (trace && !seen.insert(trace).second) continue;
        const std::vector<StackFrame> calls = callsOf(graph, stacks, op);
        if (calls.empty()) continue;
        if (first)
            shared = calls;
        else
            shared.erase(std::mismatch(shared.begin(), shared.end(), calls.begin(), calls.end(), sameCall).first,
                         shared.end());
        first = false;
    }
    return shared;
}

} // namespace remat
