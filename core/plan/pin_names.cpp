// SPDX-License-Identifier: Apache-2.0
#include "core/plan/pin_names.h"

#include "core/base/nearest.h"
#include "core/base/text.h"

#include <algorithm>

namespace remat {

namespace {

/// What a name stands for.
struct Found {
    std::vector<OpId> ops;
    StorageId storage; ///< when it is a storage's name and no op's
    bool isModule = false;
};

bool isWithin(const std::string &module, const std::string &path)
{
    return module.starts_with(path) && (module.size() == path.size() || module[path.size()] == '.');
}

Expected<Found> find(const Graph &graph, const std::string &name)
{
    Found found;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (graph.ops[i].name == name) found.ops = {OpId(i)};
    if (!found.ops.empty()) return found;
    for (std::size_t s = 0; s < graph.storages.size(); ++s)
        if (graph.storages[s].name == name) found.storage = StorageId(s);
    if (found.storage) {
        if (const OpId maker = graph.storage(found.storage).producer) found.ops = {maker};
        return found;
    }
    if (!name.empty())
        for (std::size_t i = 0; i < graph.ops.size(); ++i)
            if (isWithin(graph.ops[i].module, name)) found.ops.emplace_back(i);
    found.isModule = true;
    if (!found.ops.empty()) return found;

    std::vector<std::string> known;
    for (const Op &op : graph.ops) {
        known.push_back(op.name);
        if (!op.module.empty()) known.push_back(op.module);
    }
    for (const Storage &storage : graph.storages)
        known.push_back(storage.name);
    return fail("No op, storage or module of this graph is called \"{}\". Did you mean \"{}\"?", printable(name),
                nearestName(known, name));
}

Expected<void> add(const Graph &graph, Decision decision, const std::string &name, Pins &pins)
{
    Expected<Found> found = find(graph, name);
    if (!found) return tl::unexpected(found.error());
    if (found->storage && graph.storage(found->storage).plannedParameter) {
        if (decision != Decision::Keep)
            return fail(name + " is a parameter: no op makes it, so it cannot be computed again. It can be kept.");
        pins.keep.push_back(found->storage);
        return {};
    }
    if (found->ops.empty())
        return fail(name + " is resident: no op makes it, and it is always there. Name an activation or an op.");
    if (decision == Decision::Recompute) {
        if (found->isModule) std::erase_if(found->ops, [&](OpId op) { return !whyNotRecompute(graph, op).empty(); });
        if (found->ops.empty()) return fail("Nothing in {} can be computed again after the forward pass.", name);
        pins.recompute.insert(pins.recompute.end(), found->ops.begin(), found->ops.end());
    } else if (decision == Decision::Never) {
        pins.never.insert(pins.never.end(), found->ops.begin(), found->ops.end());
    } else if (found->storage) {
        pins.keep.push_back(found->storage);
    } else {
        for (const OpId id : found->ops) {
            const Op &op = graph.op(id);
            if (!found->isModule || op.phase != Phase::Backward)
                pins.keep.insert(pins.keep.end(), op.outputs.begin(), op.outputs.end());
        }
    }
    return {};
}

} // namespace

Expected<Pins> pinsByName(const Graph &graph, const PinNames &names)
{
    Pins pins;
    const auto addAll = [&](Decision decision, const std::vector<std::string> &list) -> Expected<void> {
        for (const std::string &name : list)
            if (Expected<void> added = add(graph, decision, name, pins); !added) return added;
        return {};
    };
    if (const auto added = addAll(Decision::Keep, names.keep); !added) return tl::unexpected(added.error());
    if (const auto added = addAll(Decision::Recompute, names.recompute); !added) return tl::unexpected(added.error());
    if (const auto added = addAll(Decision::Never, names.never); !added) return tl::unexpected(added.error());
    dropUnknown(pins, graph);
    if (const Expected<void> possible = checkPins(graph, pins); !possible) return tl::unexpected(possible.error());
    return pins;
}

} // namespace remat
