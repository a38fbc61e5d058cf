// SPDX-License-Identifier: Apache-2.0
#include "core/views/storage_bands.h"

#include <algorithm>
#include <array>

namespace remat {

namespace {

/// The category a band is in for longest.
Category mainCategory(const StorageBand &band)
{
    std::array<std::int64_t, kCategoryCount> samples{};
    for (const BandPiece &piece : band.pieces)
        samples[static_cast<std::size_t>(piece.category)] += piece.end - piece.first;
    return static_cast<Category>(std::max_element(samples.begin(), samples.end()) - samples.begin());
}

} // namespace

StorageBands storageBands(const Graph &graph, const MemoryTimeline &timeline, std::size_t most, StorageId also)
{
    std::vector<StorageBand> all(graph.storages.size());
    std::vector<double> area(graph.storages.size(), 0);
    const auto sampleOf = [&](std::int32_t step) {
        return static_cast<std::int32_t>(std::lower_bound(timeline.step.begin(), timeline.step.end(), step) -
                                         timeline.step.begin());
    };
    for (const LiveRange &range : timeline.ranges) {
        const std::int32_t first = sampleOf(range.firstStep), end = sampleOf(range.lastStep + 1);
        if (end <= first || graph.storage(range.storage).bytes == 0) continue;
        StorageBand &band = all[range.storage.index()];
        band.storage = range.storage;
        band.bytes = graph.storage(range.storage).bytes;
        band.pieces.push_back({first, end, range.category});
        const double aliveUs =
            timeline.endUs[static_cast<std::size_t>(end) - 1] - timeline.startUs[static_cast<std::size_t>(first)];
        area[range.storage.index()] += aliveUs * static_cast<double>(band.bytes);
    }
    StorageBands result;
    for (StorageBand &band : all)
        if (!band.pieces.empty()) result.bands.push_back(std::move(band));
    std::sort(result.bands.begin(), result.bands.end(), [&](const StorageBand &a, const StorageBand &b) {
        const double ofA = area[a.storage.index()], ofB = area[b.storage.index()];
        return ofA != ofB ? ofA > ofB : a.storage.index() < b.storage.index();
    });
    if (result.bands.size() > most) {
        const auto wanted = std::find_if(result.bands.begin() + static_cast<std::ptrdiff_t>(most), result.bands.end(),
                                         [also](const StorageBand &band) { return also && band.storage == also; });
        if (wanted != result.bands.end()) std::swap(*wanted, result.bands[most++]);
        result.others = static_cast<std::int64_t>(result.bands.size() - most);
        result.bands.resize(most);
    }
    std::sort(result.bands.begin(), result.bands.end(), [](const StorageBand &a, const StorageBand &b) {
        const Category ofA = mainCategory(a), ofB = mainCategory(b);
        if (ofA != ofB) return ofA < ofB;
        if (a.pieces.front().first != b.pieces.front().first) return a.pieces.front().first < b.pieces.front().first;
        return a.storage.index() < b.storage.index();
    });
    return result;
}

StorageHeights storageHeights(const Graph &graph, const MemoryTimeline &timeline, StorageId storage)
{
    const std::size_t samples = timeline.step.size();
    StorageHeights heights{std::vector<std::int64_t>(samples, 0), std::vector<std::int64_t>(samples, 0)};
    const auto sampleOf = [&](std::int32_t step) {
        return static_cast<std::size_t>(std::lower_bound(timeline.step.begin(), timeline.step.end(), step) -
                                        timeline.step.begin());
    };
    const std::int64_t bytes = graph.storage(storage).bytes;
    for (std::size_t own = 0; own < timeline.ranges.size(); ++own) {
        const LiveRange &life = timeline.ranges[own];
        if (life.storage != storage) continue;
        const std::size_t first = sampleOf(life.firstStep), end = sampleOf(life.lastStep + 1);
        std::vector<std::int64_t> below(samples + 1, 0); // changes from sample to sample
        for (std::size_t i = 0; i < timeline.ranges.size(); ++i) {
            const LiveRange &other = timeline.ranges[i];
            if (other.firstStep > life.lastStep) break; // they stand by first step
            if (i == own || other.category != life.category || other.lastStep < life.firstStep) continue;
            const std::int64_t size = graph.storage(other.storage).bytes;
            if (size < bytes || (size == bytes && i > own)) continue;
            below[std::max(sampleOf(other.firstStep), first)] += size;
            below[std::min(sampleOf(other.lastStep + 1), end)] -= size;
        }
        std::int64_t sum = 0;
        for (std::size_t sample = first; sample < end; ++sample) {
            sum += below[sample];
            std::int64_t bottom = sum;
            for (std::size_t category = 0; category < static_cast<std::size_t>(life.category); ++category)
                bottom += timeline.bytes[category][sample];
            heights.bottomBytes[sample] = bottom;
            heights.topBytes[sample] = bottom + bytes;
        }
    }
    return heights;
}

int bandAt(const StorageBands &bands, std::int32_t sample, std::int64_t bytes)
{
    for (std::size_t i = 0; i < bands.bands.size(); ++i) {
        const StorageBand &band = bands.bands[i];
        for (const BandPiece &piece : band.pieces) {
            if (sample < piece.first || sample >= piece.end) continue;
            if (bytes < band.bytes) return static_cast<int>(i);
            bytes -= band.bytes;
        }
    }
    return -1;
}

std::vector<BandColumns> bandColumns(const StorageBands &bands, const std::vector<std::int32_t> &samples,
                                     const std::vector<std::int64_t> &totalBytes)
{
    const std::size_t columns = samples.size();
    std::vector<BandColumns> result;
    std::vector<std::int64_t> sums(columns, 0);
    for (const StorageBand &band : bands.bands) {
        BandColumns line{sums, sums, std::vector<Category>(columns, Category::KeptActivations)};
        std::size_t next = 0;
        for (std::size_t column = 0; column < columns; ++column) {
            const std::int32_t sample = samples[column];
            if (sample < 0) continue;
            while (next < band.pieces.size() && band.pieces[next].end <= sample)
                ++next;
            for (std::size_t i = next; i < band.pieces.size() && band.pieces[i].first <= sample; ++i) {
                if (band.pieces[i].end <= sample) continue;
                line.topBytes[column] += band.bytes;
                line.category[column] = band.pieces[i].category;
            }
        }
        sums = line.topBytes;
        result.push_back(std::move(line));
    }
    BandColumns rest{sums, sums, std::vector<Category>(columns, Category::Workspace)};
    for (std::size_t column = 0; column < columns; ++column)
        if (samples[column] >= 0)
            rest.topBytes[column] = std::max(sums[column], totalBytes[static_cast<std::size_t>(samples[column])]);
    result.push_back(std::move(rest));
    return result;
}

} // namespace remat
