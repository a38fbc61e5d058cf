// SPDX-License-Identifier: Apache-2.0
#include "core/graph/optimizer.h"

#include "core/base/text.h"
#include "core/graph/pairing.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <unordered_map>
#include <unordered_set>

namespace remat {

namespace {

/// Whose each gradient is, from the ops of a graph that was not traced.
Expected<std::vector<GradientOf>> gradientsByFlow(const Graph &graph)
{
    std::vector<char> taken(graph.storages.size(), 0);
    std::vector<GradientOf> found;
    const auto parameterOf = [&](const Op &reader, std::int64_t bytes) {
        const auto parameter = std::find_if(reader.inputs.begin(), reader.inputs.end(), [&](StorageId input) {
            const Storage &storage = graph.storage(input);
            return storage.kind == StorageKind::Parameter && storage.bytes == bytes && !taken[input.index()];
        });
        return parameter == reader.inputs.end() ? StorageId() : *parameter;
    };
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        const Storage &gradient = graph.storages[s];
        if (gradient.kind != StorageKind::ParameterGradient || !gradient.isOutput) continue;
        const Op &maker = graph.op(gradient.producer);
        StorageId parameter = maker.forwardOp ? parameterOf(graph.op(maker.forwardOp), gradient.bytes) : StorageId();
        if (!parameter) parameter = parameterOf(maker, gradient.bytes);
        if (!parameter)
            return fail("The graph {} does not say whose gradient {} is: neither {} nor its forward_op "
                        "reads a parameter of as many bytes. Give the op its forward_op.",
                        quotedName(graph.name), quotedName(gradient.name), quotedName(maker.name));
        taken[parameter.index()] = 1;
        found.emplace_back(StorageId(s), parameter);
    }
    return found;
}

/// Places update ops among the ops of a graph.
class Updating
{
public:
    Updating(const Graph &graph, const Updates &updates, const KnownOptimizer &optimizer)
        : m_graph(graph), m_updates(updates), m_optimizer(optimizer), m_behind(graph.ops.size() + 1)
    {
        for (const Op &op : graph.ops)
            m_names.insert(op.name);
        for (const Storage &storage : graph.storages)
            m_names.insert(storage.name);
        m_result.name = graph.name;
        m_result.storages = graph.storages;
    }

    Expected<Graph> run(const std::vector<GradientOf> &gradients)
    {
        std::vector<std::size_t> lastRead(m_graph.storages.size(), 0);
        std::vector<OpId> complete(m_graph.storages.size()); // the last op that makes it, or adds to it
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            for (const StorageId input : m_graph.ops[i].inputs)
                lastRead[input.index()] = i;
            for (const StorageId output : m_graph.ops[i].outputs)
                complete[output.index()] = OpId(i);
            if (const StorageId sum = m_graph.ops[i].into) complete[sum.index()] = OpId(i);
        }
        for (const auto &[gradient, parameter] : gradients) {
            const OpId maker = complete[gradient.index()];
            if (!maker)
                return fail(
                    fmt::format("The gradient {} is made by no op of the graph, so there is no place for its update.",
                                quotedName(m_graph.storage(gradient).name)));
            const std::size_t place = m_updates.at == UpdateAt::End
                                          ? m_graph.ops.size()
                                          : std::max(maker.index(), lastRead[parameter.index()]) + 1;
            m_behind[place].push_back(updateOf(gradient, parameter));
        }
        std::vector<OpId> newId(m_graph.ops.size());
        for (std::size_t i = 0; i <= m_graph.ops.size(); ++i) {
            for (Op &update : m_behind[i]) {
                // Those that are placed at the end belong to ops with new numbers, too.
                if (update.forwardOp) update.forwardOp = newId[update.forwardOp.index()];
                m_result.ops.push_back(std::move(update));
            }
            if (i == m_graph.ops.size()) break;
            newId[i] = OpId(m_result.ops.size());
            m_result.ops.push_back(m_graph.ops[i]);
            OpId &forward = m_result.ops.back().forwardOp;
            if (forward) forward = newId[forward.index()];
        }
        return finishGraph(std::move(m_result));
    }

private:
    Op updateOf(StorageId gradient, StorageId parameter)
    {
        const Storage &of = m_graph.storage(parameter);
        const Op &maker = m_graph.op(m_graph.storage(gradient).producer);
        Op op;
        op.name = unused("update_" + of.name);
        op.kind = m_optimizer.name;
        op.inputs = {gradient, parameter};
        op.updates = {parameter};
        op.phase = Phase::Backward;
        op.module = maker.module;
        op.moduleClass = maker.moduleClass;
        op.forwardOp = maker.forwardOp;
        op.onHost = m_updates.onHost;
        for (int i = 1; i <= m_optimizer.states; ++i) {
            Storage state;
            state.name = unused(fmt::format("{}_state{}", of.name, i));
            state.bytes = of.bytes;
            state.kind = StorageKind::State;
            state.type = of.type;
            const StorageId id(m_result.storages.size());
            m_result.storages.push_back(std::move(state));
            op.inputs.push_back(id);
            op.updates.push_back(id);
        }
        return op;
    }

    std::string unused(std::string name)
    {
        while (!m_names.insert(name).second)
            name += "_";
        return name;
    }

    const Graph &m_graph;
    const Updates &m_updates;
    const KnownOptimizer &m_optimizer;
    Graph m_result;
    std::vector<std::vector<Op>> m_behind; ///< per op, and at the end, the updates that come before it
    std::unordered_set<std::string> m_names;
};

} // namespace

std::span<const KnownOptimizer> knownOptimizers()
{
    static constexpr std::array<KnownOptimizer, 5> kKnown = {{{"adamw", "AdamW", 2, 1},
                                                              {"adam", "Adam", 2, 1},
                                                              {"momentum", "SGD-momentum", 1, 0},
                                                              {"sgd", "SGD", 0, 0},
                                                              {"none", nullptr, 0, 0}}};
    return kKnown;
}

Expected<KnownOptimizer> findOptimizer(const std::string &name)
{
    std::string names;
    for (const KnownOptimizer &known : knownOptimizers()) {
        if (name == known.name) return known;
        names += (names.empty() ? "" : ", ") + std::string(known.name);
    }
    return fail("There is no optimizer \"{}\". There are: {}.", name, names);
}

Expected<Graph> withUpdates(const Model &model, const Updates &updates)
{
    const Graph &graph = model.graph;
    if (!updates.given()) return graph;
    const Expected<KnownOptimizer> optimizer = findOptimizer(updates.optimizer);
    if (!optimizer) return tl::unexpected(optimizer.error());
    for (const Op &op : graph.ops)
        if (!op.updates.empty())
            return fail("The graph {} has updates of its own, such as {}: leave the optimizer out.",
                        quotedName(graph.name), quotedName(op.name));
    Expected<std::vector<GradientOf>> gradients =
        model.program ? Expected<std::vector<GradientOf>>(gradientsOf(*model.program)) : gradientsByFlow(graph);
    if (!gradients) return tl::unexpected(gradients.error());
    if (gradients->empty())
        return fail("The graph {} has no gradients of parameters, so an optimizer has nothing to do.",
                    quotedName(graph.name));
    return Updating(graph, updates, *optimizer).run(*gradients);
}

Updates updatesOf(const Model &model, const std::string &fingerprint)
{
    if (fingerprint == model.graph.fingerprint) return {};
    for (const KnownOptimizer &known : knownOptimizers())
        for (const UpdateAt at : {UpdateAt::Gradient, UpdateAt::End})
            for (const bool onHost : {false, true}) {
                const Updates updates{known.name, at, onHost};
                const Expected<Graph> graph = withUpdates(model, updates);
                if (updates.given() && graph && graph->fingerprint == fingerprint) return updates;
            }
    return {};
}

} // namespace remat
