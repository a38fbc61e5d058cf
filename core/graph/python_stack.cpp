// SPDX-License-Identifier: Apache-2.0
#include "core/graph/python_stack.h"

#include <algorithm>
#include <charconv>

namespace remat {

namespace {

constexpr std::string_view kFile = "File \"", kLine = "line ", kFunction = ", in ";
constexpr std::size_t kLongestText = 300;

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string_view lineAt(std::string_view text)
{
    return text.substr(0, std::min(text.find('\n'), text.size()));
}

std::string shortened(std::string_view text)
{
    return std::string(trimmed(text).substr(0, kLongestText));
}

/// The frame whose file name begins at `rest`; without a file where the name does not end on its line.
StackFrame readFrame(std::string_view rest)
{
    StackFrame frame;
    const std::string_view first = lineAt(rest);
    const std::size_t quote = first.find('"');
    if (quote == std::string_view::npos) return frame;
    frame.file = shortened(first.substr(0, quote));
    const std::string_view place = first.substr(quote);
    if (const std::size_t line = place.find(kLine); line != std::string_view::npos)
        std::from_chars(place.data() + line + kLine.size(), place.data() + place.size(), frame.line);
    if (const std::size_t in = place.find(kFunction); in != std::string_view::npos)
        frame.function = shortened(place.substr(in + kFunction.size()));
    if (first.size() == rest.size()) return frame;
    const std::string_view code = trimmed(lineAt(rest.substr(first.size() + 1)));
    if (code.substr(0, kFile.size()) != kFile) frame.code = shortened(code);
    return frame;
}

} // namespace

std::vector<StackFrame> stackFrames(std::string_view trace)
{
    std::vector<StackFrame> frames; // innermost first, until all are there
    while (frames.size() < kMostFrames) {
        const std::size_t start = trace.rfind(kFile);
        if (start == std::string_view::npos) break;
        StackFrame frame = readFrame(trace.substr(start + kFile.size()));
        if (!frame.file.empty()) frames.push_back(std::move(frame));
        trace = trace.substr(0, start);
    }
    std::reverse(frames.begin(), frames.end());
    return frames;
}

std::string innermostFrame(std::string_view trace)
{
    const std::size_t start = trace.rfind(kFile);
    if (start == std::string_view::npos) return {};
    const StackFrame frame = readFrame(trace.substr(start + kFile.size()));
    std::string result = frame.file.substr(frame.file.find_last_of("/\\") + 1);
    if (frame.line > 0) result += ":" + std::to_string(frame.line);
    if (!frame.code.empty()) result += "  " + frame.code;
    return result;
}

} // namespace remat
