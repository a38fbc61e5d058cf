// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/direct_views.h"

#include "core/chunk/builder.h"
#include "core/chunk/modes.h"
#include "core/chunk/terms.h"

#include <algorithm>
#include <unordered_set>

namespace remat {

namespace {

/// What others show has sizes that depend on what they are given.
bool saysItsSizes(const Node &node)
{
    return node.opName == "aten::view" || node.opName == "aten::_unsafe_view" || node.opName == "aten::reshape";
}

NamedArgument *sourceOf(Node &node)
{
    const auto found = std::find_if(node.arguments.begin(), node.arguments.end(),
                                    [](const NamedArgument &argument) { return argument.name == "self"; });
    const auto *tensor = found == node.arguments.end() ? nullptr : std::get_if<ValueId>(&found->value);
    return tensor && *tensor ? &*found : nullptr;
}

/// Whether it shows another tensor, all of it as it lies in memory.
bool isDenseView(const Program &program, const Node &node, ValueId shown)
{
    if (!keepsElements(node) || node.outputs.size() != 1 || !node.outputs[0]) return false;
    const Value &from = program.value(shown), &made = program.value(node.outputs[0]);
    return made.aliasOf == shown && from.dtype == made.dtype && from.storageOffset == made.storageOffset &&
           from.strides == denseStrides(from.sizes) && made.strides == denseStrides(made.sizes);
}

void dropUnread(Program &program, const std::unordered_set<ValueId> &candidates)
{
    std::vector<int> readers(program.values.size());
    for (const Node &node : program.nodes)
        for (const ValueId read : tensorsRead(node))
            ++readers[read.index()];
    for (const ProgramOutput &output : program.outputs)
        ++readers[output.value.index()];
    std::erase_if(program.nodes, [&](const Node &node) {
        return node.outputs.size() == 1 && candidates.contains(node.outputs[0]) &&
               readers[node.outputs[0].index()] == 0;
    });
}

} // namespace

Program withDirectViews(Program program)
{
    std::unordered_set<ValueId> views, passedOver;
    for (Node &node : program.nodes) {
        NamedArgument *source = sourceOf(node);
        const ValueId shown = source ? std::get<ValueId>(source->value) : ValueId();
        if (!shown || !isDenseView(program, node, shown)) continue;
        views.insert(node.outputs[0]);
        if (!views.contains(shown) || !saysItsSizes(node)) continue;
        const ValueId first = program.value(shown).aliasOf;
        source->value = first;
        program.values[node.outputs[0].index()].aliasOf = first;
        passedOver.insert(shown);
    }
    dropUnread(program, passedOver);
    return program;
}

} // namespace remat
