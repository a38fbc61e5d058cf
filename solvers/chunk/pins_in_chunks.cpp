// SPDX-License-Identifier: Apache-2.0
#include "solvers/chunk/pins_in_chunks.h"

#include "core/base/text.h"
#include "core/chunk/rewrite.h"

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace remat {

namespace {

/// What has a name in the chunked graph, as one or in pieces.
template <class Id>
class Pieces
{
public:
    template <class Item>
    explicit Pieces(const std::vector<Item> &items)
    {
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto [name, chunk] = chunkOf(items[i].name);
            (chunk < 0 ? m_whole : m_pieces)[name].push_back(Id(i));
        }
    }

    /// All of that name; fails with a sentence where there are none.
    Expected<std::vector<Id>> named(const std::string &name, bool inPieces) const
    {
        std::vector<Id> found;
        for (const auto *ids : {&m_whole, inPieces ? &m_pieces : nullptr})
            if (ids)
                if (const auto at = ids->find(name); at != ids->end())
                    found.insert(found.end(), at->second.begin(), at->second.end());
        if (found.empty())
            return fail("{} was decided by hand, and the graph in these chunks has nothing of that name. Take the "
                        "decision back, or plan without these chunks.",
                        quotedName(name));
        return found;
    }

private:
    std::unordered_map<std::string, std::vector<Id>> m_whole, m_pieces;
};

} // namespace

Expected<Pins> pinsInChunks(const Pins &pins, const Graph &whole, const Chunking &chunking, const Graph &chunked)
{
    if (pins.empty() || chunking.regions.empty()) return pins;
    std::unordered_set<std::string_view> cut;
    for (const ChunkRegion &region : chunking.regions)
        for (const auto &entry : region.nodes)
            cut.insert(entry.first);
    const Pieces<OpId> ops(chunked.ops);
    const Pieces<StorageId> storages(chunked.storages);
    Pins result;
    const auto takeOps = [&](const std::vector<OpId> &from, std::vector<OpId> &to) -> Expected<void> {
        for (const OpId op : from) {
            const std::string &name = whole.op(op).name;
            const auto found = ops.named(name, cut.contains(name));
            if (!found) return tl::unexpected(found.error());
            to.insert(to.end(), found->begin(), found->end());
        }
        return {};
    };
    if (auto taken = takeOps(pins.recompute, result.recompute); !taken) return tl::unexpected(taken.error());
    if (auto taken = takeOps(pins.never, result.never); !taken) return tl::unexpected(taken.error());
    for (const StorageId storage : pins.keep) {
        const OpId maker = whole.storage(storage).producer;
        const auto found = storages.named(whole.storage(storage).name, maker && cut.contains(whole.op(maker).name));
        if (!found) return tl::unexpected(found.error());
        result.keep.insert(result.keep.end(), found->begin(), found->end());
    }
    for (const OpId piece : result.recompute)
        if (const std::string why = whyNotRecompute(chunked, piece); !why.empty())
            return fail("{} was to be computed again, which is not possible in these chunks: {} Take the decision "
                        "back, or plan without these chunks.",
                        quotedName(chunkOf(chunked.op(piece).name).first), why);
    dropUnknown(result, chunked);
    return result;
}

} // namespace remat
