// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/rewrite.h"

#include "core/chunk/joins.h"
#include "core/chunk/modes.h"
#include "core/chunk/prepare.h"
#include "core/chunk/region_writer.h"
#include "core/chunk/sums_in_place.h"
#include "core/graph/program_graph.h"

#include <charconv>
#include <unordered_map>
#include <unordered_set>

namespace remat {

namespace {

void renumber(ValueId &id, const std::vector<ValueId> &numbers)
{
    if (id) id = numbers[id.index()];
}

/// The same program with its values in the order in which they are made, those that nothing makes any more left out.
Program compacted(Program program)
{
    std::vector<ValueId> numbers(program.values.size());
    std::vector<Value> values;
    const auto take = [&](ValueId id) {
        if (!id) return;
        numbers[id.index()] = ValueId(values.size());
        values.push_back(std::move(program.values[id.index()]));
    };
    for (const ProgramInput &input : program.inputs)
        take(input.value);
    for (const Node &node : program.nodes)
        for (const ValueId id : node.outputs)
            take(id);
    program.values = std::move(values);
    for (Value &value : program.values)
        renumber(value.aliasOf, numbers);
    for (ProgramInput &input : program.inputs)
        renumber(input.value, numbers);
    for (ProgramOutput &output : program.outputs)
        renumber(output.value, numbers);
    for (Node &node : program.nodes) {
        for (NamedArgument &argument : node.arguments) {
            if (auto *one = std::get_if<ValueId>(&argument.value)) renumber(*one, numbers);
            if (auto *list = std::get_if<std::vector<ValueId>>(&argument.value))
                for (ValueId &id : *list)
                    renumber(id, numbers);
        }
        for (ValueId &id : node.outputs)
            renumber(id, numbers);
    }
    return program;
}

/// Backward nodes whose forward node runs in pieces belong to its first piece.
void repairPairs(Program &program)
{
    std::unordered_set<std::string_view> names;
    for (const Node &node : program.nodes)
        names.insert(node.name);
    for (Node &node : program.nodes) {
        if (node.forwardNode.empty() || names.contains(node.forwardNode)) continue;
        const std::string first = chunkOf(node.forwardNode).first + "#0";
        node.forwardNode = names.contains(first) ? first : std::string();
    }
}

Expected<void> checkProgram(const Model &model)
{
    if (!model.program)
        return fail(model.graph.name + " is a graph without operators, so nothing says how it can be cut into chunks. "
                                       "Open the trace (.pt2) it was made from.");
    return {};
}

Expected<Model> withGraph(const Model &model, Program program)
{
    Expected<Graph> graph = buildGraph(program);
    if (!graph) return tl::unexpected(graph.error());
    return Model{model.path, std::move(*graph), std::move(program)};
}

} // namespace

std::pair<std::string, int> chunkOf(const std::string &name)
{
    const std::size_t at = name.rfind('#');
    int chunk = -1;
    if (at == std::string::npos) return {name, chunk};
    const auto [end, error] = std::from_chars(name.data() + at + 1, name.data() + name.size(), chunk);
    // `mm#3_2`: the second of that name.
    if (error != std::errc() || chunk < 0 || (*end != '\0' && *end != '_')) return {name, -1};
    return {name.substr(0, at), chunk};
}

Expected<Program> inChunks(const Program &program, const Chunking &chunking)
{
    Program result = prepared(program);
    for (const ChunkRegion &region : chunking.regions) {
        const auto nodes = regionNodes(result, region);
        if (!nodes) return tl::unexpected(nodes.error());
        const ValueUses uses = usesOf(result);
        const auto groups = groupsInOrder(result, uses, *nodes);
        if (!groups) return tl::unexpected(groups.error());
        auto written = RegionWriter(std::move(result), region, *nodes, uses).write(*groups);
        if (!written) return tl::unexpected(written.error());
        result = compacted(std::move(*written));
    }
    if (!chunking.regions.empty()) result = compacted(withoutJoins(std::move(result)));
    repairPairs(result);
    if (chunking.regions.empty()) return compacted(std::move(result)); // views may have gone
    return withSumsInPlace(std::move(result));
}

Expected<Model> chunkedModel(const Model &model, const Chunking &chunking)
{
    if (chunking.regions.empty()) return model;
    if (auto known = checkProgram(model); !known) return tl::unexpected(known.error());
    Expected<Program> program = inChunks(*model.program, chunking);
    if (!program) return tl::unexpected(program.error());
    return withGraph(model, std::move(*program));
}

Expected<Model> preparedModel(const Model &model, Sums sums)
{
    if (auto known = checkProgram(model); !known) return tl::unexpected(known.error());
    Expected<Program> program = inChunks(*model.program, {});
    if (!program) return tl::unexpected(program.error());
    return withGraph(model, sums == Sums::InPlace ? withSumsInPlace(std::move(*program)) : std::move(*program));
}

} // namespace remat
