// SPDX-License-Identifier: Apache-2.0
#include "solvers/chunk/micro_batches.h"

#include "core/base/text.h"
#include "core/chunk/modes.h"
#include "core/chunk/region.h"
#include "core/chunk/terms.h"

#include <algorithm>
#include <fmt/core.h>
#include <limits>

namespace remat {

namespace {

constexpr int kBatchDim = 0;

/// An op that reads an input of the step in parts, and how.
struct Seed {
    NodeId node;
    Mode mode;
};

/// Every op that reads an input of the step in parts of the batch, in the order of the program.
std::vector<Seed> seedsOf(const Program &program, int k)
{
    const auto isGiven = [&](ValueId id) {
        return std::any_of(program.inputs.begin(), program.inputs.end(), [&](const ProgramInput &input) {
            return input.value == id && input.kind == StorageKind::Input;
        });
    };
    std::vector<Seed> seeds;
    for (std::size_t n = 0; n < program.nodes.size(); ++n) {
        const std::vector<ValueId> read = tensorsRead(program.nodes[n]);
        for (std::size_t i = 0; i < read.size(); ++i) {
            if (!isGiven(read[i])) continue;
            for (const Mode &mode : modesOf(program, program.nodes[n], k))
                if (mode.ins[i] == kBatchDim && mode.outs.front() == kBatchDim) {
                    seeds.push_back({NodeId(n), mode});
                    break;
                }
        }
    }
    return seeds;
}

/// The largest region that grows from an input.
ChunkRegion largestRegion(const Program &program, const ValueUses &uses, int k)
{
    ChunkRegion largest;
    for (const Seed &seed : seedsOf(program, k)) {
        if (largest.nodes.contains(program.nodes[seed.node.index()].name)) continue;
        ChunkRegion region =
            grownRegion(program, uses, seed.node, seed.mode, k, -1, std::numeric_limits<std::size_t>::max());
        if (region.nodes.size() > largest.nodes.size()) largest = std::move(region);
    }
    return largest;
}

/// What a region is to the nodes around it.
class Border
{
public:
    Border(const Program &program, const ValueUses &uses, const ChunkRegion &region)
        : m_program(program), m_uses(uses), m_region(region)
    {
    }

    /// The op that keeps parts of the batch from running one after the other: it needs what they make put together, and
    /// stands before the end of the forward pass or before a node of the region. None where there is none.
    NodeId needsAll() const
    {
        std::vector<NodeId> waitsFor(m_program.nodes.size());
        for (std::size_t n = 0; n < m_program.nodes.size(); ++n) {
            const Node &node = m_program.nodes[n];
            for (const ValueId id : tensorsRead(node))
                if (const NodeId maker = m_uses.maker[id.index()]; maker && waitsFor[maker.index()])
                    waitsFor[n] = waitsFor[maker.index()];
            if (m_region.nodes.contains(node.name)) {
                if (waitsFor[n]) return waitsFor[n];
            } else if (!keepsElements(node) && !partsReadBy(NodeId(n)).empty()) {
                if (node.phase != Phase::Backward) return NodeId(n);
                if (!waitsFor[n]) waitsFor[n] = NodeId(n);
            }
        }
        return {};
    }

    /// Nodes of the region that make what the node reads in parts.
    std::vector<NodeId> partsReadBy(NodeId reader) const
    {
        std::vector<NodeId> makers;
        for (const ValueId id : tensorsRead(m_program.nodes[reader.index()])) {
            const NodeId maker = m_uses.maker[id.index()];
            if (!maker) continue;
            const Node &made = m_program.nodes[maker.index()];
            const auto mode = m_region.nodes.find(made.name);
            if (mode == m_region.nodes.end()) continue;
            for (std::size_t o = 0; o < made.outputs.size(); ++o)
                if (made.outputs[o] == id && mode->second.outs[o] >= 0) makers.push_back(maker);
        }
        return makers;
    }

private:
    const Program &m_program;
    const ValueUses &m_uses;
    const ChunkRegion &m_region;
};

std::string described(const Program &program, NodeId id)
{
    const Node &node = program.nodes[id.index()];
    return fmt::format("{} ({})", quotedName(node.name), node.opName);
}

/// How many rows the inputs of the step have, in a sentence; empty where none has dims.
std::string batchSizes(const Program &program)
{
    std::string names;
    for (const ProgramInput &input : program.inputs) {
        const Value &value = program.value(input.value);
        if (input.kind != StorageKind::Input || value.sizes.empty()) continue;
        names += fmt::format("{}{} {}", names.empty() ? "" : ", ", quotedName(value.name), value.sizes[kBatchDim]);
    }
    return names.empty() ? names : fmt::format("Rows of the inputs: {}. ", names);
}

/// The first op of all that reads parts of the batch, and is not known to run on them.
NodeId firstThatStops(const Program &program, const ValueUses &uses, int k)
{
    NodeId first;
    for (const Seed &seed : seedsOf(program, k)) {
        const ChunkRegion region =
            grownRegion(program, uses, seed.node, seed.mode, k, -1, std::numeric_limits<std::size_t>::max());
        const Border border(program, uses, region);
        for (std::size_t n = 0; n < program.nodes.size() && (!first || n < first.index()); ++n) {
            const Node &node = program.nodes[n];
            if (!region.nodes.contains(node.name) && !keepsElements(node) && !border.partsReadBy(NodeId(n)).empty())
                first = NodeId(n);
        }
    }
    return first;
}

/// Whether an op makes numbers of words, targets or masks alone.
bool makesCounts(const Program &program, const Node &node)
{
    const auto isCount = [&](ValueId id) {
        return !id || program.value(id).dtype == DType::Int64 || program.value(id).dtype == DType::Int32 ||
               program.value(id).dtype == DType::Bool;
    };
    return std::all_of(node.outputs.begin(), node.outputs.end(), isCount);
}

/// Leaves what an op makes of targets and masks whole, with what leads to it: how many targets count is asked before
/// the first part. False where floating-point numbers lead to it.
bool leaveTargetsWhole(const Program &program, const ValueUses &uses, NodeId reader, ChunkRegion &region)
{
    std::vector<NodeId> open = Border(program, uses, region).partsReadBy(reader), whole;
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (!makesCounts(program, program.nodes[id.index()])) return false;
        whole.push_back(id);
        for (const NodeId before : Border(program, uses, region).partsReadBy(id))
            open.push_back(before);
    }
    for (const NodeId id : whole)
        region.nodes.erase(program.nodes[id.index()].name);
    return !whole.empty();
}

} // namespace

Expected<ChunkRegion> microBatches(const Program &program, int k)
{
    const std::string parts = std::to_string(k) + " micro-batches";
    const ValueUses uses = usesOf(program);
    ChunkRegion region = largestRegion(program, uses, k);
    while (const NodeId all = Border(program, uses, region).needsAll()) {
        if (leaveTargetsWhole(program, uses, all, region)) continue;
        return fail("The step cannot run in {}: {} needs all of the batch at once. Cut what is around another op.",
                    parts, described(program, all));
    }
    if (region.nodes.empty())
        return fail("The step cannot run in {}: no input has a batch that can be cut so. {}Take another number.", parts,
                    batchSizes(program));
    if (region.nodes.size() * 2 < program.nodes.size()) {
        const NodeId first = firstThatStops(program, uses, k);
        return fail("The step cannot run in {}: only {} of its {} nodes can. {}Cut what is around an op.", parts,
                    region.nodes.size(), program.nodes.size(),
                    first ? described(program, first) + " needs all of the batch at once. " : std::string());
    }
    return region;
}

} // namespace remat
