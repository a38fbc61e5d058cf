// SPDX-License-Identifier: Apache-2.0
#include "core/views/saved_tensors.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace remat {

namespace {

/// On the compute lane: when the computation at a step, or the next one after it, begins; the end of all after the
/// last.
double timeOf(const MemoryTimeline &timeline, std::int32_t step)
{
    const auto at = std::lower_bound(timeline.step.begin(), timeline.step.end(), step);
    return at == timeline.step.end() ? timeline.timeUs
                                     : timeline.startUs[static_cast<std::size_t>(at - timeline.step.begin())];
}

/// Whether a condition about tensors holds for one.
bool meets(const Graph &graph, const SavedTensor &tensor, const FilterTerm &term)
{
    switch (term.field) {
    case FilterField::Kept:
        return tensor.fate == Fate::Kept;
    case FilterField::Recomputed:
        return tensor.fate == Fate::Recomputed;
    case FilterField::Offloaded:
        return tensor.fate == Fate::Offloaded;
    case FilterField::Size:
        return compare(static_cast<double>(graph.storage(tensor.storage).bytes), term.comparison, term.number);
    default:
        return true;
    }
}

} // namespace

std::vector<SavedTensor> savedTensors(const Graph &graph, const MemoryTimeline &timeline,
                                      const std::vector<std::vector<OpId>> &readers)
{
    std::vector<SavedTensor> tensors;
    std::vector<int> place(graph.storages.size(), -1);
    const std::vector<Fate> fates = storageFates(graph, timeline);
    for (std::size_t i = 0; i < graph.storages.size(); ++i) {
        const OpId producer = graph.storages[i].producer;
        if (!producer || graph.op(producer).phase == Phase::Backward) continue;
        SavedTensor tensor{.storage = StorageId(i), .producer = producer, .fate = fates[i], .readers = {}};
        for (const OpId reader : readers[i])
            if (graph.op(reader).phase == Phase::Backward) tensor.readers.push_back(reader);
        if (tensor.readers.empty()) continue;
        place[i] = static_cast<int>(tensors.size());
        tensor.sinceStep = -1;
        tensors.push_back(std::move(tensor));
    }
    for (const LiveRange &range : timeline.ranges) {
        const int at = place[range.storage.index()];
        if (at < 0) continue;
        SavedTensor &tensor = tensors[static_cast<std::size_t>(at)];
        if (tensor.sinceStep < 0) tensor.sinceStep = range.firstStep;
        tensor.untilStep = std::max(tensor.untilStep, range.lastStep);
    }
    for (SavedTensor &tensor : tensors) {
        tensor.sinceStep = std::max(tensor.sinceStep, 0);
        tensor.sinceUs = timeOf(timeline, tensor.sinceStep);
        tensor.untilUs = timeOf(timeline, tensor.untilStep + 1);
    }
    std::stable_sort(tensors.begin(), tensors.end(), [&graph](const SavedTensor &a, const SavedTensor &b) {
        return graph.storage(a.storage).bytes > graph.storage(b.storage).bytes;
    });
    return tensors;
}

std::vector<SavedTensor> filtered(const std::vector<SavedTensor> &tensors, const Filter &filter,
                                  const SearchedOps &searched)
{
    if (filter.empty()) return tensors;
    const auto isOfTensors = [](const FilterTerm &term) {
        return term.field == FilterField::Kept || term.field == FilterField::Recomputed ||
               term.field == FilterField::Offloaded || term.field == FilterField::Size;
    };
    Filter ofOps = filter;
    std::erase_if(ofOps.terms, isOfTensors);
    std::unordered_set<std::size_t> found;
    for (const OpId op : findOps(ofOps, searched))
        found.insert(op.index());
    std::vector<SavedTensor> left;
    for (const SavedTensor &tensor : tensors) {
        const bool all = std::all_of(filter.terms.begin(), filter.terms.end(), [&](const FilterTerm &term) {
            return !isOfTensors(term) || meets(searched.graph, tensor, term) != term.negated;
        });
        if (all && found.contains(tensor.producer.index())) left.push_back(tensor);
    }
    return left;
}

std::vector<SavedSum> savedSums(const Graph &graph, const std::vector<SavedTensor> &tensors, GroupBy by)
{
    std::map<std::string, SavedSum> sums;
    for (const SavedTensor &tensor : tensors) {
        const Storage &storage = graph.storage(tensor.storage);
        SavedSum &sum = sums[by == GroupBy::Type ? scalarType(storage.type) : groupOf(graph, tensor.producer, by)];
        ++sum.tensors;
        sum.bytes += storage.bytes;
        if (tensor.fate == Fate::Kept) sum.keptBytes += storage.bytes;
        if (tensor.fate == Fate::Recomputed) sum.recomputedBytes += storage.bytes;
        if (tensor.fate == Fate::Offloaded) sum.offloadedBytes += storage.bytes;
    }
    std::vector<SavedSum> sorted;
    sorted.reserve(sums.size());
    for (auto &[name, sum] : sums) {
        sum.name = name;
        sorted.push_back(std::move(sum));
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const SavedSum &a, const SavedSum &b) { return a.bytes > b.bytes; });
    return sorted;
}

} // namespace remat
