// SPDX-License-Identifier: Apache-2.0
#include "core/graph/pairing.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

namespace remat {

namespace {

constexpr std::size_t kMostReaders = 64; ///< what more ops read tells none of them

/// How much speaks for a forward op.
constexpr int kReadsIt = 1, kMadeIt = 2, kSameParameter = 2, kItsGradient = 3, kSameKind = 2, kBackwardKind = 4;

/// `native_layer_norm_backward` and `_softmax_backward_data` are of `native_layer_norm` and `_softmax`.
bool isBackwardOf(std::string_view backward, std::string_view forward)
{
    const std::size_t at = backward.find("_backward");
    return at != std::string_view::npos && backward.substr(0, at) == forward;
}

class FlowPairing
{
public:
    FlowPairing(Graph &graph, const std::vector<GradientOf> &gradients)
        : m_graph(graph), m_forwardReaders(graph.storages.size())
    {
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            const Op &op = graph.ops[i];
            if (op.phase == Phase::Backward) continue;
            m_lastForward = OpId(i);
            if (op.sequence >= 0) m_bySequence[op.sequence].emplace_back(i);
            for (const StorageId input : op.inputs)
                m_forwardReaders[input.index()].emplace_back(i);
        }
        for (const auto &[gradient, parameter] : gradients)
            m_parameterOf.emplace(gradient.index(), parameter);
    }

    void run()
    {
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            Op &op = m_graph.ops[i];
            if (op.phase != Phase::Backward) continue;
            if (!op.forwardOp) op.forwardOp = find(op);
            if (op.forwardOp && op.module.empty()) {
                op.module = m_graph.op(op.forwardOp).module;
                op.moduleClass = m_graph.op(op.forwardOp).moduleClass;
            }
        }
    }

private:
    OpId find(const Op &op)
    {
        m_score.clear();
        for (const StorageId input : op.inputs) {
            const Storage &storage = m_graph.storage(input);
            if (storage.producer && m_graph.op(storage.producer).phase != Phase::Backward)
                m_score[storage.producer] += kMadeIt;
            addReaders(input, storage.kind == StorageKind::Parameter ? kSameParameter : kReadsIt);
        }
        for (const StorageId output : op.outputs)
            if (const auto parameter = m_parameterOf.find(output.index()); parameter != m_parameterOf.end())
                addReaders(parameter->second, kItsGradient);
        if (const auto numbered = m_bySequence.find(op.sequence); numbered != m_bySequence.end()) {
            // Ops that autograd knows nothing of share the number of the next one that it does.
            std::map<OpId, int> among;
            for (const OpId forward : numbered->second)
                among[forward] = m_score.contains(forward) ? m_score[forward] : 0;
            m_score = std::move(among);
        }
        if (m_score.empty()) return afterGradients(op);
        for (auto &[forward, score] : m_score) {
            const std::string &kind = m_graph.op(forward).kind;
            score += kind == op.kind ? kSameKind : isBackwardOf(op.kind, kind) ? kBackwardKind : 0;
        }
        // The last one wins among equals: the backward pass comes from behind.
        const auto best = std::max_element(m_score.begin(), m_score.end(), [](const auto &a, const auto &b) {
            return std::pair(a.second, a.first.index()) < std::pair(b.second, b.first.index());
        });
        return best->first;
    }

    void addReaders(StorageId storage, int score)
    {
        const std::vector<OpId> &readers = m_forwardReaders[storage.index()];
        if (readers.size() > kMostReaders) return;
        for (const OpId reader : readers)
            m_score[reader] += score;
    }

    OpId afterGradients(const Op &op) const
    {
        OpId newest;
        for (const StorageId input : op.inputs)
            if (const OpId maker = m_graph.storage(input).producer; maker && (!newest || newest < maker))
                newest = maker;
        const OpId twin = newest ? m_graph.op(newest).forwardOp : OpId();
        return twin ? twin : m_lastForward;
    }

    Graph &m_graph;
    std::vector<std::vector<OpId>> m_forwardReaders;
    std::unordered_map<std::size_t, StorageId> m_parameterOf;         ///< by gradient
    std::unordered_map<std::int64_t, std::vector<OpId>> m_bySequence; ///< forward ops
    std::map<OpId, int> m_score;
    OpId m_lastForward;
};

} // namespace

std::vector<GradientOf> gradientsOf(const Program &program)
{
    std::unordered_map<std::string_view, StorageId> parameters;
    for (const ProgramInput &input : program.inputs)
        if (input.kind == StorageKind::Parameter) parameters.emplace(input.fqn, program.value(input.value).storage);
    std::vector<GradientOf> found;
    for (const ProgramOutput &output : program.outputs)
        if (const auto parameter = parameters.find(output.target);
            output.kind == OutputKind::ParameterGradient && parameter != parameters.end())
            found.emplace_back(program.value(output.value).storage, parameter->second);
    return found;
}

void pairByFlow(Graph &graph, const std::vector<GradientOf> &gradients)
{
    FlowPairing(graph, gradients).run();
}

} // namespace remat
