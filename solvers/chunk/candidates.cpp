// SPDX-License-Identifier: Apache-2.0
#include "solvers/chunk/candidates.h"

#include "core/chunk/modes.h"
#include "core/chunk/region.h"

#include <algorithm>
#include <optional>

namespace remat {

namespace {

/// A region is only worth its nodes where it brings the floor down by this share at least.
constexpr double kLeastGain = 0.1;
constexpr int kMostRounds = 12;

std::int64_t workingSet(const Graph &graph, const CostTable &costs, OpId id)
{
    std::int64_t bytes = costs.workspace(id);
    for (const auto *storages : {&graph.op(id).inputs, &graph.op(id).outputs})
        for (const StorageId storage : *storages)
            if (graph.planned(storage)) bytes += graph.storage(storage).bytes;
    return bytes;
}

/// How far a graph is from a target: the most that an op needs, and how many ops need it. Nothing below the target.
struct Need {
    std::int64_t bytes = 0;
    int ops = 0;
    auto operator<=>(const Need &) const = default;
};

Need needOf(const ChunkedModel &chunked, std::int64_t target)
{
    Need need{target, 0};
    const Graph &graph = chunked.model->graph;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (!graph.ops[i].updates.empty()) continue;
        const std::int64_t own = workingSet(graph, chunked.costs, OpId(i));
        if (own > need.bytes) need = {own, 0};
        if (own == need.bytes && own > target) ++need.ops;
    }
    return need;
}

/// Whether two calls have the same operator and tensors of the same sizes.
bool isAlike(const Program &program, const Node &a, const Node &b)
{
    if (a.opName != b.opName || a.overload != b.overload || a.phase != b.phase) return false;
    const std::vector<ValueId> ours = tensorsRead(a), theirs = tensorsRead(b);
    return ours.size() == theirs.size() &&
           std::equal(ours.begin(), ours.end(), theirs.begin(), [&](ValueId x, ValueId y) {
               return program.value(x).sizes == program.value(y).sizes &&
                      program.value(x).dtype == program.value(y).dtype;
           });
}

int joinedDim(const Program &program, const Node &join)
{
    for (const NamedArgument &argument : join.arguments)
        if (const auto *dim = std::get_if<std::int64_t>(&argument.value); dim && argument.name == "dim")
            return static_cast<int>(*dim < 0 ? *dim + std::ssize(program.value(join.outputs[0]).sizes) : *dim);
    return 0;
}

bool isInRegion(const Chunking &chunking, const std::string &node)
{
    return std::any_of(chunking.regions.begin(), chunking.regions.end(),
                       [&](const ChunkRegion &region) { return region.nodes.contains(node); });
}

Expected<ChunkedModel> settled(Expected<Model> chunked, const Chunking &chunking, const ChunkSetting &setting)
{
    if (chunked && setting.finish) chunked = setting.finish(std::move(*chunked));
    if (!chunked) return tl::unexpected(chunked.error());
    ChunkedModel result;
    result.chunking = chunking;
    result.costs = setting.costs(*chunked);
    result.floor = workingSetBound(chunked->graph, result.costs);
    result.keepAllTimeUs = keepAllTimeUs(result.costs);
    result.model = std::make_shared<const Model>(std::move(*chunked));
    return result;
}

class FloorSearch
{
public:
    FloorSearch(const Model &model, std::int64_t target, const ChunkSetting &setting, const StopCheck &stop)
        : m_model(model), m_target(target), m_setting(setting), m_stop(stop)
    {
    }

    Chunking search()
    {
        auto start = settled(preparedModel(m_model), {}, m_setting);
        if (!start) return {};
        m_best = std::move(*start);
        for (int round = 0; round < kMostRounds && !stopped(); ++round) {
            const OpId op = neediestOf(m_best);
            if (!op || workingSet(m_best.model->graph, m_best.costs, op) <= m_target) break;
            if (!improve(op)) break;
        }
        return m_best.chunking;
    }

private:
    bool stopped() const { return m_stop && m_stop(); }
    /// Takes the best way found to bring this op's working set down; false where there is none.
    bool improve(OpId op)
    {
        const NodeId id = m_best.model->graph.op(op).node;
        if (!id) return false;
        const Node &node = m_best.model->program->nodes[id.index()];
        std::optional<ChunkedModel> found;
        if (const auto [name, chunk] = chunkOf(node.name); chunk >= 0)
            tryMorePieces(name, found);
        else
            tryRegions(id, found);
        if (node.opName == "aten::cat") tryReaders(node, found);
        if (!found || !(needOf(*found, m_target) < needOf(m_best, m_target))) return false;
        m_best = std::move(*found);
        return true;
    }

    void setSums(ChunkRegion &region, const Program &program) const
    {
        setUsualSums(region, program);
        if (!m_setting.wideSums) region.accumulate = Accumulate::SameType;
    }

    /// The region of a copy that is still too large, in twice as many pieces.
    void tryMorePieces(const std::string &node, std::optional<ChunkedModel> &found)
    {
        Chunking more = m_best.chunking;
        for (ChunkRegion &region : more.regions) {
            if (!region.nodes.contains(node)) continue;
            region.k = morePieces(region.k, m_setting);
            setSums(region, *m_model.program);
        }
        if (!(more == m_best.chunking)) consider(more, found);
    }

    /// What is joined only to be read part by part is not joined at all: each reader in pieces along the joined dim.
    void tryReaders(const Node &join, std::optional<ChunkedModel> &found)
    {
        const Program &program = *m_best.model->program;
        const auto k = static_cast<int>(tensorsRead(join).size());
        if (k > m_setting.mostChunks) return;
        const ValueUses uses = usesOf(program);
        Chunking chunking = m_best.chunking;
        for (const NodeId id : uses.readers[join.outputs[0].index()]) {
            const Node &reader = program.nodes[id.index()];
            const std::vector<ValueId> read = tensorsRead(reader);
            const auto at = std::find(read.begin(), read.end(), join.outputs[0]) - read.begin();
            const std::vector<Mode> modes = modesOf(program, reader, k);
            const auto mode = std::find_if(modes.begin(), modes.end(), [&](const Mode &one) {
                return one.ins[static_cast<std::size_t>(at)] == joinedDim(program, join);
            });
            if (mode == modes.end() || chunkOf(reader.name).second >= 0) continue;
            ChunkRegion region;
            region.k = k;
            region.nodes.emplace(reader.name, *mode);
            if (!mayRun(region, m_setting)) continue;
            setSums(region, program);
            chunking.regions.push_back(std::move(region));
        }
        consider(chunking, found);
    }

    void tryRegions(NodeId seed, std::optional<ChunkedModel> &found)
    {
        const Program &program = *m_best.model->program;
        const Need before = needOf(m_best, m_target);
        const std::int64_t ratio = (before.bytes + m_target - 1) / std::max<std::int64_t>(m_target, 1);
        int fewest = std::min(2, m_setting.mostChunks);
        while (fewest < m_setting.mostChunks && fewest < ratio)
            fewest = morePieces(fewest, m_setting);
        for (const std::int64_t threshold : {m_target / 2, m_target / 8}) {
            Need last = before;
            for (int k = fewest; !stopped(); k = morePieces(k, m_setting)) {
                Need least = last;
                for (std::size_t mode = 0; mode < modesOf(program, program.nodes[seed.index()], k).size(); ++mode) {
                    const std::optional<Chunking> chunking = grown(seed, mode, k, threshold);
                    if (!chunking) continue;
                    if (const auto need = consider(*chunking, found)) least = std::min(least, *need);
                }
                const auto enough = (1 - kLeastGain) * static_cast<double>(last.bytes);
                if (least.ops == 0 || static_cast<double>(least.bytes) > enough || k == m_setting.mostChunks) break;
                last = least;
            }
        }
    }

    /// The chunking so far with a region around the seed, and around each op alike that is too large, too.
    std::optional<Chunking> grown(NodeId seed, std::size_t mode, int k, std::int64_t threshold) const
    {
        const Program &program = *m_best.model->program;
        const Node &first = program.nodes[seed.index()];
        Chunking chunking = m_best.chunking;
        const std::size_t before = chunking.regions.size();
        const ValueUses uses = usesOf(program);
        const Graph &graph = m_best.model->graph;
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            const Op &op = graph.ops[i];
            if (!op.node) continue;
            const Node &node = program.nodes[op.node.index()];
            if (op.node != seed &&
                (!isAlike(program, first, node) || workingSet(graph, m_best.costs, OpId(i)) <= m_target))
                continue;
            if (chunkOf(node.name).second >= 0 || isInRegion(chunking, node.name)) continue;
            const std::vector<Mode> modes = modesOf(program, node, k);
            if (mode >= modes.size()) continue;
            ChunkRegion region = grownRegion(program, uses, op.node, modes[mode], k, threshold);
            // What another region has cut already stays as it is.
            const bool free = std::none_of(region.nodes.begin(), region.nodes.end(), [&](const auto &entry) {
                return chunkOf(entry.first).second >= 0 || isInRegion(chunking, entry.first);
            });
            if (region.nodes.empty() || !free || !mayRun(region, m_setting)) continue;
            setSums(region, program);
            chunking.regions.push_back(std::move(region));
        }
        if (chunking.regions.size() == before) return {};
        return chunking;
    }

    /// Keeps the candidate when it is better than what was found: nearer to the target, or as near in less time. Tells
    /// how far it is from the target.
    std::optional<Need> consider(const Chunking &chunking, std::optional<ChunkedModel> &found)
    {
        auto chunked = inSetting(m_model, chunking, m_setting);
        if (!chunked) return {};
        const Need need = needOf(*chunked, m_target);
        if (!found || std::make_pair(need, chunked->keepAllTimeUs) <
                          std::make_pair(needOf(*found, m_target), found->keepAllTimeUs))
            found = std::move(*chunked);
        return need;
    }

    const Model &m_model;
    std::int64_t m_target;
    const ChunkSetting &m_setting;
    const StopCheck &m_stop;
    ChunkedModel m_best;
};

} // namespace

OpId neediestOf(const ChunkedModel &chunked, const std::function<bool(OpId)> &counts)
{
    OpId most;
    std::int64_t bytes = 0;
    const Graph &graph = chunked.model->graph;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (!graph.ops[i].updates.empty() || (counts && !counts(OpId(i)))) continue;
        const std::int64_t own = workingSet(graph, chunked.costs, OpId(i));
        if (own > bytes) {
            bytes = own;
            most = OpId(i);
        }
    }
    return most;
}

int morePieces(int k, const ChunkSetting &setting)
{
    return std::min(k * 2, setting.mostChunks);
}

bool mayRun(const ChunkRegion &region, const ChunkSetting &setting)
{
    return std::none_of(setting.whole.begin(), setting.whole.end(),
                        [&](const std::string &node) { return region.nodes.contains(node); });
}

ChunkSetting settingOf(const Device &device, const Updates &updates)
{
    ChunkSetting setting;
    setting.costs = [device](const Model &finished) { return rooflineCosts(finished, device); };
    setting.finish = [updates](Model chunked) -> Expected<Model> {
        auto graph = withUpdates(chunked, updates);
        if (!graph) return tl::unexpected(graph.error());
        chunked.graph = std::move(*graph);
        return chunked;
    };
    return setting;
}

Expected<ChunkedModel> inSetting(const Model &model, const Chunking &chunking, const ChunkSetting &setting)
{
    return settled(chunkedModel(model, chunking), chunking, setting);
}

Chunking chunkingForFloor(const Model &model, std::int64_t targetBytes, const ChunkSetting &setting,
                          const StopCheck &stop)
{
    if (!model.program) return {};
    return FloorSearch(model, targetBytes, setting, stop).search();
}

} // namespace remat
