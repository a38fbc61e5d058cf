// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/region.h"

#include "core/base/text.h"
#include "core/chunk/modes.h"

#include <algorithm>
#include <deque>

namespace remat {

namespace {

bool isHalf(DType type)
{
    return type == DType::Float16 || type == DType::BFloat16;
}

/// Output number of `value` at its maker.
std::size_t outputIndex(const Node &node, ValueId value)
{
    return static_cast<std::size_t>(std::find(node.outputs.begin(), node.outputs.end(), value) - node.outputs.begin());
}

/// What a region does to the values at its nodes.
class Edges
{
public:
    Edges(const Program &program, const ValueUses &uses, const RegionNodes &nodes)
        : m_program(program), m_uses(uses), m_nodes(nodes)
    {
    }

    /// Whether a node with this mode agrees with all its neighbours in the region. What is the same in each piece may
    /// be read by all, from the first.
    bool fits(NodeId id, const Mode &mode) const
    {
        const Node &node = m_program.nodes[id.index()];
        const std::vector<ValueId> read = tensorsRead(node);
        for (std::size_t i = 0; i < read.size(); ++i) {
            const NodeId maker = m_uses.maker[read[i].index()];
            const auto made = maker ? m_nodes.find(maker) : m_nodes.end();
            if (made == m_nodes.end()) continue;
            const int cut = made->second.outs[outputIndex(m_program.nodes[maker.index()], read[i])];
            if (cut == kSum || cut != mode.ins[i]) return false;
        }
        for (std::size_t o = 0; o < node.outputs.size(); ++o) {
            if (!node.outputs[o]) continue;
            for (const NodeId reader : m_uses.readers[node.outputs[o].index()]) {
                const auto other = m_nodes.find(reader);
                if (other == m_nodes.end()) continue;
                const std::vector<ValueId> theirs = tensorsRead(m_program.nodes[reader.index()]);
                for (std::size_t i = 0; i < theirs.size(); ++i)
                    if (theirs[i] == node.outputs[o] && (mode.outs[o] == kSum || mode.outs[o] != other->second.ins[i]))
                        return false;
            }
        }
        return true;
    }

private:
    const Program &m_program;
    const ValueUses &m_uses;
    const RegionNodes &m_nodes;
};

/// A region that grows, node by node.
class Growth
{
public:
    Growth(const Program &program, const ValueUses &uses, int k, std::int64_t threshold)
        : m_program(program), m_uses(uses), m_k(k), m_threshold(threshold)
    {
    }

    bool grow(NodeId seed, const Mode &mode, std::size_t mostNodes)
    {
        add(seed, mode);
        while (!m_open.empty()) {
            const NodeId id = m_open.front();
            m_open.pop_front();
            const Node &node = m_program.nodes[id.index()];
            const Mode own = m_nodes.at(id);
            const std::vector<ValueId> read = tensorsRead(node);
            for (std::size_t i = 0; i < read.size(); ++i)
                if (own.ins[i] >= 0 && isLarge(read[i])) tryAdd(m_uses.maker[read[i].index()]);
            for (std::size_t o = 0; o < node.outputs.size(); ++o) {
                if (!node.outputs[o] || own.outs[o] < 0 || !isLarge(node.outputs[o])) continue;
                for (const NodeId reader : m_uses.readers[node.outputs[o].index()])
                    tryAdd(reader);
            }
            if (m_nodes.size() > mostNodes) return false;
        }
        while (dropEnds()) {
        }
        return true;
    }

    const RegionNodes &nodes() const { return m_nodes; }

private:
    bool isLarge(ValueId id) const { return m_uses.bytes[id.index()] > m_threshold; }

    void add(NodeId id, const Mode &mode)
    {
        m_nodes.emplace(id, mode);
        m_open.push_back(id);
    }

    void tryAdd(NodeId id)
    {
        if (!id || m_nodes.contains(id)) return;
        const Edges edges(m_program, m_uses, m_nodes);
        for (const Mode &mode : modesOf(m_program, m_program.nodes[id.index()], m_k)) {
            if (!edges.fits(id, mode)) continue;
            add(id, mode);
            return;
        }
    }

    bool inside(const std::vector<NodeId> &readers) const
    {
        return std::any_of(readers.begin(), readers.end(), [&](NodeId reader) { return m_nodes.contains(reader); });
    }

    /// Views that nobody in the region reads, or that show what the region does not make: they cost nothing whole.
    bool dropEnds()
    {
        return std::erase_if(m_nodes, [&](const auto &entry) {
                   const Node &node = m_program.nodes[entry.first.index()];
                   const auto isView = [&](ValueId id) { return id && m_program.value(id).aliasOf; };
                   if (!std::all_of(node.outputs.begin(), node.outputs.end(), isView)) return false;
                   const auto read = [&](ValueId id) { return inside(m_uses.readers[id.index()]); };
                   const NodeId maker = m_uses.maker[m_program.value(node.outputs[0]).aliasOf.index()];
                   return !maker || !m_nodes.contains(maker) ||
                          std::none_of(node.outputs.begin(), node.outputs.end(), read);
               }) > 0;
    }

    const Program &m_program;
    const ValueUses &m_uses;
    int m_k;
    std::int64_t m_threshold;
    RegionNodes m_nodes;
    std::deque<NodeId> m_open;
};

} // namespace

ValueUses usesOf(const Program &program)
{
    const std::size_t count = program.values.size();
    ValueUses uses{std::vector<NodeId>(count), std::vector<std::vector<NodeId>>(count), std::vector<char>(count, 0),
                   std::vector<std::int64_t>(count, 0)};
    for (const ProgramInput &input : program.inputs)
        if (!isResident(input.kind)) uses.bytes[input.value.index()] = extentBytes(program.value(input.value));
    for (std::size_t n = 0; n < program.nodes.size(); ++n) {
        const Node &node = program.nodes[n];
        for (const ValueId id : tensorsRead(node)) {
            std::vector<NodeId> &readers = uses.readers[id.index()];
            if (readers.empty() || readers.back() != NodeId(n)) readers.emplace_back(n);
        }
        for (const ValueId id : node.outputs) {
            if (!id) continue;
            const Value &value = program.value(id);
            uses.maker[id.index()] = NodeId(n);
            uses.bytes[id.index()] = value.aliasOf ? uses.bytes[value.aliasOf.index()] : extentBytes(value);
        }
    }
    for (const ProgramOutput &output : program.outputs)
        uses.isOutput[output.value.index()] = 1;
    return uses;
}

Expected<RegionNodes> regionNodes(const Program &program, const ChunkRegion &region)
{
    if (region.k < 2 || region.k > kMostChunks)
        return fail("A region in {} chunks cannot be: 2 to {} are possible.", region.k, kMostChunks);
    std::unordered_map<std::string_view, NodeId> named;
    for (std::size_t n = 0; n < program.nodes.size(); ++n)
        named.emplace(program.nodes[n].name, NodeId(n));
    RegionNodes nodes;
    for (const auto &[name, mode] : region.nodes) {
        const auto found = named.find(name);
        if (found == named.end()) return fail("The chunks name {}, which is no node of this graph.", quotedName(name));
        const std::vector<Mode> modes = modesOf(program, program.nodes[found->second.index()], region.k);
        if (std::find(modes.begin(), modes.end(), mode) == modes.end())
            return fail("The chunks split {} in a way that is not proven to give the same: {} has no such rule for {} "
                        "chunks. Plan again.",
                        quotedName(name), program.nodes[found->second.index()].opName, region.k);
        nodes.emplace(found->second, mode);
    }
    const ValueUses uses = usesOf(program);
    const Edges edges(program, uses, nodes);
    for (const auto &[name, mode] : region.nodes) {
        if (!edges.fits(named.at(name), mode))
            return fail("The chunks split {} in another way than the node beside it, so a piece would lack what it "
                        "reads. Plan again.",
                        quotedName(name));
    }
    if (nodes.empty()) return fail("A region of the chunks has no nodes. Plan again.");
    return nodes;
}

ChunkRegion grownRegion(const Program &program, const ValueUses &uses, NodeId seed, const Mode &mode, int k,
                        std::int64_t threshold, std::size_t mostNodes)
{
    Growth growth(program, uses, k, threshold);
    ChunkRegion region;
    region.k = k;
    if (!growth.grow(seed, mode, mostNodes)) return region;
    for (const auto &[id, own] : growth.nodes())
        region.nodes.emplace(program.nodes[id.index()].name, own);
    return region;
}

bool addsInFloat32(const ChunkRegion &region, DType type)
{
    return region.accumulate == Accumulate::Float32 && isHalf(type);
}

void setUsualSums(ChunkRegion &region, const Program &program)
{
    const auto sumsHalves = [&](const Node &node) {
        const auto own = region.nodes.find(node.name);
        if (own == region.nodes.end()) return false;
        for (std::size_t o = 0; o < std::min(node.outputs.size(), own->second.outs.size()); ++o)
            if (node.outputs[o] && own->second.outs[o] == kSum && isHalf(program.value(node.outputs[o]).dtype))
                return true;
        return false;
    };
    const bool wide = region.k >= kFewestWide && std::any_of(program.nodes.begin(), program.nodes.end(), sumsHalves);
    region.accumulate = wide ? Accumulate::Float32 : Accumulate::SameType;
}

} // namespace remat
