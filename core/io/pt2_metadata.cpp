// SPDX-License-Identifier: Apache-2.0
#include "core/io/pt2_parts.h"

#include "core/graph/phase_name.h"
#include "core/graph/python_stack.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace {

/// Path and class of the innermost module: the last of `key,path,class;key,path,class`.
void readModuleStack(const std::string &stack, Node &result)
{
    std::string_view last = stack;
    if (const std::size_t semicolon = last.rfind(';'); semicolon != std::string_view::npos)
        last.remove_prefix(semicolon + 1);
    const std::size_t first = last.find(',');
    const std::size_t second = last.rfind(',');
    if (first == std::string_view::npos || first == second) return;
    result.module = last.substr(first + 1, second - first - 1);
    const std::string_view type = last.substr(second + 1);
    const std::size_t dot = type.rfind('.');
    result.moduleClass = dot == std::string_view::npos ? type : type.substr(dot + 1);
}

Phase readPhase(const JsonCursor &cursor)
{
    const std::string name = cursor.text();
    const std::optional<Phase> phase = phaseOf(name);
    if (!phase) cursor.fail("is \"{}\"; it must be forward, loss or backward.", name.substr(0, 60));
    return phase.value_or(Phase::Forward);
}

} // namespace

JsonCursor findRecord(const JsonCursor &node)
{
    const JsonCursor metadata = node.find("metadata");
    const JsonCursor custom = metadata ? metadata.find("custom") : metadata;
    return custom ? custom.embedded().find("remat") : custom;
}

bool readForeignRecord(const JsonCursor &node, Node &result)
{
    const JsonCursor metadata = node.find("metadata");
    const JsonCursor custom = metadata ? metadata.find("custom") : metadata;
    if (!custom) return false;
    const JsonCursor record = custom.embedded();
    if (const JsonCursor sequence = record.find("seq_nr"); sequence && sequence.isNumber())
        result.sequence = sequence.integer();
    const JsonCursor name = record.find("phase");
    const std::optional<Phase> phase = name && name.isText() ? phaseOf(name.text()) : std::nullopt;
    if (phase) result.phase = *phase;
    return phase.has_value();
}

std::pair<std::string, std::string> readTarget(const JsonCursor &target)
{
    constexpr std::string_view kPrefix = "torch.ops.";
    const std::string text = target.text();
    std::string_view rest = text;
    const auto refuse = [&] {
        target.fail(
            fmt::format("is \"{}\", which is no plain operator call and cannot be part of a plan. Trace the joint "
                        "graph with `python -m remat_studio.trace`, which says how to write this part of the model.",
                        text.substr(0, 100)));
        return std::pair<std::string, std::string>();
    };
    if (rest.substr(0, kPrefix.size()) != kPrefix) return refuse();
    rest.remove_prefix(kPrefix.size());
    const std::size_t first = rest.find('.');
    const std::size_t second = rest.find('.', first == std::string_view::npos ? first : first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos ||
        rest.find('.', second + 1) != std::string_view::npos || rest.substr(0, first) == "higher_order")
        return refuse();
    std::string overload(rest.substr(second + 1));
    if (overload == "default") overload.clear();
    return {fmt::format("{}::{}", std::string(rest.substr(0, first)),
                        std::string(rest.substr(first + 1, second - first - 1))),
            std::move(overload)};
}

void readMetadata(const JsonCursor &node, const JsonCursor &record, Node &result)
{
    if (const JsonCursor metadata = node.find("metadata")) {
        result.source = innermostFrame(metadata.textOr("stack_trace", ""));
        if (!record) readModuleStack(metadata.textOr("nn_module_stack", ""), result);
    }
    if (!record) return;
    result.phase = readPhase(record["phase"]);
    result.module = record.textOr("module", "");
    result.moduleClass = record.textOr("module_class", "");
    result.sequence = record.integerOr("seq", -1);
    result.forwardNode = record.textOr("forward_op", "");
    result.random = record.booleanOr("random", false);
    if (const JsonCursor mutates = record.find("mutates")) {
        for (const JsonCursor &name : mutates.items())
            result.mutates.push_back(name.text());
    }
}

} // namespace remat
