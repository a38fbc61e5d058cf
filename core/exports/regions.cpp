// SPDX-License-Identifier: Apache-2.0
#include "core/exports/regions.h"

#include "core/base/units.h"

#include <algorithm>
#include <map>

namespace remat {

namespace {

std::vector<std::string> componentsOf(const std::string &path)
{
    std::vector<std::string> components;
    std::size_t begin = 0;
    while (begin < path.size()) {
        const std::size_t dot = std::min(path.find('.', begin), path.size());
        components.push_back(path.substr(begin, dot - begin));
        begin = dot + 1;
    }
    return components;
}

bool isNumber(const std::string &text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The regions of one level: paths of so many components, and more where such a path is a list of modules.
std::vector<Region> regionsOfLevel(const Graph &graph, std::size_t border, std::size_t level)
{
    struct Found {
        Region region;
        bool isWhole = true; ///< no other op lies between its ops
    };
    std::vector<Found> found;
    std::map<std::string, std::size_t> places;
    std::string last = "\n"; // no path
    for (std::size_t i = 0; i < border; ++i) {
        const Op &op = graph.ops[i];
        if (op.phase != Phase::Forward) continue;
        const std::vector<std::string> components = componentsOf(op.module);
        std::size_t depth = level;
        while (depth > 0 && depth < components.size() && isNumber(components[depth]))
            ++depth;
        if (depth > components.size()) {
            last = "\n";
            continue;
        }
        std::string path;
        for (std::size_t c = 0; c < depth; ++c)
            path += (c > 0 ? "." : "") + components[c];
        const auto [place, isNew] = places.try_emplace(path, found.size());
        if (isNew) found.push_back({{path, {}}, true});
        Found &one = found[place->second];
        if (!isNew && path != last) one.isWhole = false;
        one.region.ops.emplace_back(i);
        last = path;
    }
    std::vector<Region> regions;
    for (Found &one : found)
        if (one.isWhole) regions.push_back(std::move(one.region));
    return regions;
}

/// What runs: the forward, then before each backward op the regions whose values it misses.
std::vector<OpId> sequenceOf(const Graph &graph, const KeptChoice &choice, const RegionPlan &plan, bool toTheEnd)
{
    const std::size_t none = plan.regions.size();
    std::vector<std::size_t> regionOf(graph.ops.size(), none);
    for (std::size_t r = 0; r < plan.regions.size(); ++r)
        for (const OpId op : plan.regions[r].ops)
            regionOf[op.index()] = r;
    // A region's arguments are held for it, and what it makes for others is held by them.
    std::vector<char> held(graph.storages.size(), 0);
    std::vector<std::size_t> needed(plan.regions.size(), 0); // the end of what the backward pass needs of a region
    std::vector<OpId> sequence;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        for (const StorageId input : graph.ops[i].inputs) {
            const OpId producer = graph.storage(input).producer;
            if (!producer || producer.index() >= choice.border) continue;
            const std::size_t region = regionOf[producer.index()];
            if (region == none || plan.saved[producer.index()] != 0 || (i < choice.border && regionOf[i] != region))
                held[input.index()] = 1;
            else if (i >= choice.border && held[input.index()] == 0)
                needed[region] = std::max(needed[region], producer.index() + 1);
        }
        if (i < choice.border) sequence.emplace_back(i);
    }
    std::vector<char> done(plan.regions.size(), 0);
    for (std::size_t i = choice.border; i < graph.ops.size(); ++i) {
        for (const StorageId input : graph.ops[i].inputs) {
            const OpId producer = graph.storage(input).producer;
            if (!producer || producer.index() >= choice.border || held[input.index()] != 0) continue;
            const std::size_t region = regionOf[producer.index()];
            if (done[region] != 0) continue;
            done[region] = 1;
            for (const OpId op : plan.regions[region].ops)
                if (plan.saved[op.index()] == 0 && (toTheEnd || op.index() < needed[region])) sequence.push_back(op);
        }
        sequence.emplace_back(i);
    }
    return sequence;
}

Expected<RegionPlan> planOf(const ExportInput &input, const KeptChoice &choice, std::vector<Region> regions,
                            SaveRule save, bool toTheEnd)
{
    const Graph &graph = input.model.graph;
    RegionPlan plan;
    plan.regions = std::move(regions);
    plan.saved.assign(graph.ops.size(), 1);
    for (const Region &region : plan.regions) {
        for (const OpId op : region.ops)
            plan.saved[op.index()] = graph.op(op).computeOnce ? 1 : 0;
        save(graph, choice, region, plan.saved);
    }
    // A region of which nothing is computed again is none.
    std::erase_if(plan.regions, [&](const Region &region) {
        return std::all_of(region.ops.begin(), region.ops.end(), [&](OpId op) { return plan.saved[op.index()] != 0; });
    });
    auto simulated = simulate(graph, input.costs, withEarliestFrees(graph, sequenceOf(graph, choice, plan, toTheEnd)));
    if (!simulated) return tl::unexpected(simulated.error());
    plan.predicted = std::move(*simulated);
    return plan;
}

} // namespace

std::string belowRegion(const std::string &module, const std::string &region)
{
    if (module.size() <= region.size()) return {};
    return region.empty() ? module : module.substr(region.size() + 1);
}

Expected<RegionPlan> bestRegions(const ExportInput &input, const KeptChoice &choice, SaveRule save, bool toTheEnd)
{
    const Graph &graph = input.model.graph;
    std::size_t levels = 0;
    for (std::size_t i = 0; i < choice.border; ++i)
        levels = std::max(levels, componentsOf(graph.ops[i].module).size());
    const std::int64_t budget = input.plan.budgetBytes;
    const auto isBetter = [budget](const Simulation &one, const Simulation &other) {
        const std::int64_t a = std::max(one.peakBytes, budget), b = std::max(other.peakBytes, budget);
        return a != b ? a < b : one.timeUs < other.timeUs;
    };
    auto best = planOf(input, choice, {}, save, toTheEnd);
    for (std::size_t level = 0; level <= levels; ++level) {
        auto tried = planOf(input, choice, regionsOfLevel(graph, choice.border, level), save, toTheEnd);
        if (!tried) continue;
        if (!best || isBetter(tried->predicted, best->predicted)) best = std::move(tried);
    }
    return best;
}

void sayWhatRegionsLose(const ExportInput &input, const RegionPlan &plan, KeptChoice &choice)
{
    const Graph &graph = input.model.graph;
    std::size_t wanted = 0, updates = 0;
    std::vector<char> again(graph.ops.size(), 0);
    for (const Region &region : plan.regions)
        for (const OpId op : region.ops)
            again[op.index()] = plan.saved[op.index()] == 0 ? 1 : 0;
    std::vector<char> isRead(graph.storages.size(), 0);
    for (std::size_t i = choice.border; i < graph.ops.size(); ++i)
        for (const StorageId read : graph.ops[i].inputs)
            isRead[read.index()] = 1;
    for (std::size_t i = 0; i < choice.border; ++i) {
        const auto isDropped = [&](StorageId s) { return choice.kept[s.index()] == 0 && isRead[s.index()] != 0; };
        const std::vector<StorageId> &outputs = graph.ops[i].outputs;
        if (again[i] == 0 && std::any_of(outputs.begin(), outputs.end(), isDropped)) ++wanted;
        const auto isState = [&](StorageId s) { return graph.storage(s).isOutput; };
        if (again[i] != 0 && graph.ops[i].phase == Phase::Forward &&
            std::any_of(outputs.begin(), outputs.end(), isState))
            ++updates;
    }
    choice.lost.emplace_back(
        plan.regions.empty()
            ? "No module of this model is worth computing again as a whole; nothing is."
            : "A module is computed again in one go, so what it makes is held together while its backward ops run.");
    if (wanted > 0)
        choice.lost.push_back(
            formatCount(static_cast<std::int64_t>(wanted)) +
            (wanted == 1 ? " op whose value the plan drops lies" : " ops whose values the plan drops lie") +
            " outside of what is computed again, and what autograd saves of them stays.");
    if (updates > 0)
        choice.lost.push_back("Buffers are updated twice a step where a module that updates them is computed again (" +
                              formatCount(static_cast<std::int64_t>(updates)) +
                              " updates): running statistics move faster than in plain training.");
}

} // namespace remat
