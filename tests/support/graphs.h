// SPDX-License-Identifier: Apache-2.0
// Graphs for tests: built by hand, as chains, or at random from a seed.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"
#include "core/graph/model.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace remat::test {

/// Builds graphs op by op; names are made up when empty. `finish` aborts the test program on a graph that breaks the
/// invariants, since that is a mistake of the test.
class GraphBuilder
{
public:
    StorageId resident(std::int64_t bytes, StorageKind kind = StorageKind::Input, const std::string &name = {});

    struct Output {
        std::int64_t bytes = 1;
        StorageKind kind = StorageKind::Activation;
        bool isOutput = false;
        std::string name = {};
    };
    /// Adds an op; what it makes are `op(id).outputs`.
    OpId op(const std::vector<StorageId> &inputs, const std::vector<Output> &outputs, double timeUs = 1,
            Phase phase = Phase::Forward);
    /// The op added last or any other, to set what `op` does not.
    Op &edit(OpId id) { return m_graph.ops[id.index()]; }
    StorageId output(OpId id, std::size_t which = 0) const { return m_graph.op(id).outputs[which]; }
    Storage &edit(StorageId id) { return m_graph.storages[id.index()]; }
    const Graph &draft() const { return m_graph; }

    Graph finish() const;

private:
    Graph m_graph;
};

/// Costs as the ops themselves give them (`Op::timeUs`, `Op::workspaceBytes`), with a link of 1 byte per µs and a
/// latency of 2 µs, so that copies take about as long as the ops of small graphs.
CostTable graphCosts(const Graph &graph);

struct RandomGraphParams {
    int ops = 12;         ///< ops of a general graph; a joint one has about as many
    bool joint = false;   ///< forward, loss and backward with parameter gradients; otherwise any DAG
    int maxInputs = 3;    ///< inputs of an op, residents apart
    int multiOutput = 20; ///< percent of ops that make two or three storages
    int zeroBytes = 5;    ///< percent of storages without bytes
    int workspace = 25;   ///< percent of ops with workspace
    int computeOnce = 0;  ///< percent of ops that may be computed only once
    int graphOutput = 15; ///< percent of storages of a general graph that are outputs of the graph
    std::int64_t maxBytes = 20;
    int maxTimeUs = 9;
};

/// The same graph for the same seed on every machine. General graphs have unread storages, zero-size storages,
/// residents and several outputs; the last op always makes an output of the graph.
Graph randomGraph(std::uint64_t seed, const RandomGraphParams &params = {});

/// A random graph of parameters and states, planned, some of which ops update: on the device here and there, and on the
/// host at the end, where other ops may read them after that.
Graph updatingGraph(std::uint64_t seed);

/// A random graph in which some ops add to what an op before them has made.
Graph summingGraph(std::uint64_t seed);

/// Training of a chain: `stages` forward ops, the loss, `stages` backward ops. Backward stage i reads the gradient from
/// above and the input of forward stage i, makes the gradient for below and a parameter gradient (output).
struct ChainParams {
    std::int64_t activationBytes = 10;
    std::int64_t gradientBytes = 10;
    std::int64_t parameterBytes = 0; ///< bytes of each parameter gradient; 0: there are none
    double forwardUs = 1, backwardUs = 2;
    std::uint64_t seed = 0; ///< other than 0: sizes and times vary by up to three times
};
Graph chainGraph(int stages, const ChainParams &params = {});

/// A transformer-like training graph: `layers` identical layers (norm, attention-like part, residual add, two more ops,
/// residual add) under the modules `model.h.0` …, an embedding before, a head and the loss after. For partitions and
/// for timing on graphs of any size; 14 forward ops a layer.
Graph layeredGraph(int layers);

/// The file of the test trace or sample called `name` (`gpt2`, `tiny_gpt2`, …); of a sample where there is neither.
/// `tests/data/traces` comes first: it has GPT-2 with the attention of the CPU, which the figures of tests are of.
std::filesystem::path tracePath(const std::string &name);

/// What is at tracePath(); fails with a sentence when there is nothing.
Expected<Model> loadSample(const std::string &name);

} // namespace remat::test
