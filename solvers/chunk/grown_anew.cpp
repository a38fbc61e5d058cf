// SPDX-License-Identifier: Apache-2.0
#include "solvers/chunk/grown_anew.h"

#include "core/chunk/modes.h"
#include "core/chunk/prepare.h"
#include "core/chunk/region.h"
#include "solvers/chunk/kinds.h"

#include <optional>
#include <utility>

namespace remat {

namespace {

/// What is cut at the border of a region joins it when it is more than this part of its op's largest tensor.
constexpr std::int64_t kThresholdPart = 8;
/// The same for wider and for narrower regions.
constexpr std::int64_t kOtherThresholdParts[] = {32, 2};

/// Regions of one kind that are to be grown anew.
class Kind
{
public:
    Kind(const Program &program, const ValueUses &uses, const Chunking &chunking,
         const std::vector<std::size_t> &regions, const ChunkSetting &setting)
        : m_program(program), m_uses(uses), m_chunking(chunking), m_regions(regions), m_setting(setting)
    {
    }

    /// Nothing where its nodes are pieces of another region.
    std::vector<Mode> modes() const { return modesOf(largestOf(m_program, first())); }

    /// How its largest op runs now.
    Mode mode() const { return first().nodes.at(m_program.nodes[largestOf(m_program, first()).node.index()].name); }

    /// The chunking with all of them so; none where one of them cannot be, or where that changes nothing.
    std::optional<Chunking> grown(std::size_t way, std::int64_t thresholdPart) const
    {
        Chunking changed = m_chunking;
        for (const std::size_t r : m_regions) {
            const LargestOp seed = largestOf(m_program, m_chunking.regions[r]);
            const std::vector<Mode> modes = modesOf(seed);
            if (way >= modes.size()) return {};
            ChunkRegion region =
                grownRegion(m_program, m_uses, seed.node, modes[way], first().k, seed.bytes / thresholdPart);
            if (region.nodes.empty() || !mayRun(region, m_setting)) return {};
            if (m_setting.wideSums) setUsualSums(region, m_program);
            changed.regions[r] = std::move(region);
        }
        if (changed == m_chunking) return {};
        return changed;
    }

private:
    const ChunkRegion &first() const { return m_chunking.regions[m_regions.front()]; }
    std::vector<Mode> modesOf(const LargestOp &op) const
    {
        return op.node ? remat::modesOf(m_program, m_program.nodes[op.node.index()], first().k) : std::vector<Mode>();
    }

    const Program &m_program;
    const ValueUses &m_uses;
    const Chunking &m_chunking;
    const std::vector<std::size_t> &m_regions;
    const ChunkSetting &m_setting;
};

} // namespace

std::vector<Chunking> grownAnew(const Model &model, const Chunking &chunking, const ChunkSetting &setting)
{
    if (!model.program) return {};
    const Program program = prepared(*model.program);
    const ValueUses uses = usesOf(program);
    std::vector<Chunking> result;
    const auto add = [&result](std::optional<Chunking> changed) {
        if (changed) result.push_back(std::move(*changed));
    };
    for (const std::vector<std::size_t> &regions : kindsOf(chunking)) {
        const Kind kind(program, uses, chunking, regions, setting);
        const std::vector<Mode> modes = kind.modes();
        for (std::size_t way = 0; way < modes.size(); ++way) {
            add(kind.grown(way, kThresholdPart));
            if (!(modes[way] == kind.mode())) continue;
            for (const std::int64_t part : kOtherThresholdParts)
                add(kind.grown(way, part));
        }
    }
    return result;
}

} // namespace remat
