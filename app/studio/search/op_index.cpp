#include "app/studio/search/op_index.h"

#include "app/studio/document/text.h"
#include "app/studio/memory_view/op_labels.h"
#include "core/graph/phase_name.h"

#include <algorithm>

namespace remat::studio {

void OpIndex::forgetModel()
{
    m_model.reset();
    m_facts.clear();
    m_planKnown = false;
}

const std::vector<OpFacts> &OpIndex::facts()
{
    const auto model = m_document.model();
    if (!model) {
        forgetModel();
        return m_facts;
    }
    if (m_model == model->open) return m_facts;
    forgetModel();
    m_model = model->open;
    const Graph &graph = model->graph();
    const OpLabels labels(graph);
    m_facts.reserve(graph.ops.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        OpFacts facts;
        facts.name = labels.op(graph, OpId(i));
        facts.kind = toQString(op.kind).toLower();
        facts.path = toQString(op.module).toLower();
        facts.folded = (facts.name + QLatin1Char(' ') + facts.kind + QLatin1Char(' ') + toQString(op.name) +
                        QLatin1Char(' ') + facts.path)
                           .toLower();
        std::int64_t largest = -1;
        for (const StorageId output : op.outputs) {
            const Storage &storage = graph.storage(output);
            facts.bytes += storage.bytes;
            if (storage.bytes <= largest) continue;
            largest = storage.bytes;
            facts.dtype = toQString(storage.type.substr(0, storage.type.find('['))).toLower();
        }
        m_facts.push_back(std::move(facts));
    }
    return m_facts;
}

void OpIndex::learnPlan()
{
    if (m_planKnown) return;
    m_planKnown = true;
    const CostedModel &model = *m_document.model();
    const auto plan = m_document.currentPlan();
    const MemoryTimeline &timeline = plan && plan->timeline ? *plan->timeline : *model.keepAll;
    m_recomputations = recomputationsOf(model.graph(), timeline);
    m_states = opStates(model.graph(), timeline, m_recomputations);
}

NodeState OpIndex::state(OpId op)
{
    learnPlan();
    return m_states[op.index()];
}

int OpIndex::recomputations(OpId op)
{
    learnPlan();
    return m_recomputations[op.index()];
}

bool OpIndex::isPinned(OpId op) const
{
    const Pins &pins = m_document.pins();
    const auto holds = [](const auto &list, auto id) { return std::find(list.begin(), list.end(), id) != list.end(); };
    const auto &outputs = m_model->model->graph.op(op).outputs;
    return holds(pins.recompute, op) || holds(pins.never, op) ||
           std::any_of(outputs.begin(), outputs.end(), [&](StorageId output) { return holds(pins.keep, output); });
}

bool OpIndex::meets(OpId id, const FilterTerm &term) const
{
    const OpFacts &facts = m_facts[id.index()];
    const Op &op = m_model->model->graph.op(id);
    switch (term.field) {
    case FilterField::Kind:
        return facts.kind.contains(term.text);
    case FilterField::Module:
        return pathHolds(facts.path, term.text);
    case FilterField::Dtype:
        return facts.dtype.startsWith(term.text);
    case FilterField::Source:
        return toQString(op.source).contains(term.text, Qt::CaseInsensitive);
    case FilterField::Phase:
        return term.text == QLatin1String(phaseName(op.phase));
    case FilterField::Size:
        return compare(static_cast<double>(facts.bytes), term.comparison, term.number);
    case FilterField::Time:
        return compare(m_document.model()->costs->time(id), term.comparison, term.number);
    case FilterField::Times:
        return compare(1.0 + m_recomputations[id.index()], term.comparison, term.number);
    case FilterField::Recomputed:
        return m_recomputations[id.index()] > 0;
    case FilterField::Kept:
        return m_states[id.index()] == NodeState::Kept;
    case FilterField::Offloaded:
        return m_states[id.index()] == NodeState::Offloaded;
    case FilterField::Freed:
        return m_states[id.index()] == NodeState::Freed;
    case FilterField::Random:
        return op.random;
    case FilterField::Pinned:
        return isPinned(id);
    }
    return false;
}

std::vector<OpId> OpIndex::find(const Filter &filter)
{
    std::vector<OpId> found;
    const auto &all = facts();
    if (all.empty()) return found;
    if (filter.asksPlan()) learnPlan();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool named = std::all_of(filter.words.begin(), filter.words.end(),
                                       [&](const QString &word) { return all[i].folded.contains(word); });
        const bool fits = named && std::all_of(filter.terms.begin(), filter.terms.end(), [&](const FilterTerm &term) {
                              return meets(OpId(i), term) != term.negated;
                          });
        if (fits) found.emplace_back(i);
    }
    return found;
}

} // namespace remat::studio
