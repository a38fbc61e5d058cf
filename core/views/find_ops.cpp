// SPDX-License-Identifier: Apache-2.0
#include "core/views/find_ops.h"

#include "core/base/text.h"
#include "core/graph/phase_name.h"
#include "core/views/op_names.h"

#include <algorithm>

namespace remat {

namespace {

bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

bool isPinned(const SearchedOps &searched, OpId op)
{
    const Pins &pins = searched.pins;
    const auto holds = [](const auto &list, auto id) { return std::find(list.begin(), list.end(), id) != list.end(); };
    const auto &outputs = searched.graph.op(op).outputs;
    return holds(pins.recompute, op) || holds(pins.never, op) ||
           std::any_of(outputs.begin(), outputs.end(), [&](StorageId output) { return holds(pins.keep, output); });
}

bool meets(const SearchedOps &searched, OpId id, const FilterTerm &term)
{
    const OpFacts &facts = searched.facts[id.index()];
    const Op &op = searched.graph.op(id);
    const auto is = [&](NodeState state) { return searched.fates->states[id.index()] == state; };
    switch (term.field) {
    case FilterField::Kind:
        return contains(facts.kind, term.text);
    case FilterField::Module:
        return pathHolds(facts.path, term.text);
    case FilterField::Dtype:
        return facts.dtype.starts_with(term.text);
    case FilterField::Source:
        return contains(lowerCase(op.source), term.text);
    case FilterField::Phase:
        return term.text == phaseName(op.phase);
    case FilterField::Size:
        return compare(static_cast<double>(facts.bytes), term.comparison, term.number);
    case FilterField::Time:
        return compare(searched.costs.time(id), term.comparison, term.number);
    case FilterField::Times:
        return compare(1.0 + searched.fates->recomputations[id.index()], term.comparison, term.number);
    case FilterField::Recomputed:
        return searched.fates->recomputations[id.index()] > 0;
    case FilterField::Kept:
        return is(NodeState::Kept);
    case FilterField::Offloaded:
        return is(NodeState::Offloaded);
    case FilterField::Freed:
        return is(NodeState::Freed);
    case FilterField::Random:
        return op.random;
    case FilterField::Pinned:
        return isPinned(searched, id);
    }
    return false;
}

} // namespace

std::vector<OpFacts> opFacts(const Graph &graph)
{
    std::vector<OpFacts> all;
    all.reserve(graph.ops.size());
    const OpNames names(graph);
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        OpFacts facts;
        facts.name = names.op(graph, OpId(i));
        facts.kind = lowerCase(op.kind);
        facts.path = lowerCase(op.module);
        facts.folded = lowerCase(facts.name + ' ' + op.kind + ' ' + op.name + ' ' + op.module);
        std::int64_t largest = -1;
        for (const StorageId output : op.outputs) {
            const Storage &storage = graph.storage(output);
            facts.bytes += storage.bytes;
            if (storage.bytes <= largest) continue;
            largest = storage.bytes;
            facts.dtype = lowerCase(storage.type.substr(0, storage.type.find('[')));
        }
        all.push_back(std::move(facts));
    }
    return all;
}

OpFates opFates(const Graph &graph, const MemoryTimeline &timeline)
{
    OpFates fates;
    fates.recomputations = recomputationsOf(graph, timeline);
    fates.states = opStates(graph, timeline, fates.recomputations);
    return fates;
}

std::vector<OpId> findOps(const Filter &filter, const SearchedOps &searched)
{
    std::vector<OpId> found;
    for (std::size_t i = 0; i < searched.facts.size(); ++i) {
        const bool named = std::all_of(filter.words.begin(), filter.words.end(), [&](const std::string &word) {
            return contains(searched.facts[i].folded, word);
        });
        const bool fits = named && std::all_of(filter.terms.begin(), filter.terms.end(), [&](const FilterTerm &term) {
                              return meets(searched, OpId(i), term) != term.negated;
                          });
        if (fits) found.emplace_back(i);
    }
    return found;
}

} // namespace remat
