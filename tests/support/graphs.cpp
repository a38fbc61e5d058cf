// SPDX-License-Identifier: Apache-2.0
#include "tests/support/graphs.h"

#include "tests/support/random.h"

#include <algorithm>

namespace remat::test {

namespace {

std::string numbered(const char *prefix, std::int32_t number)
{
    std::string name(prefix);
    name += std::to_string(number);
    return name;
}

} // namespace

StorageId GraphBuilder::resident(std::int64_t bytes, StorageKind kind, const std::string &name)
{
    const StorageId id(m_graph.storages.size());
    Storage storage;
    storage.name = name.empty() ? numbered("r", id.value) : name;
    storage.bytes = bytes;
    storage.kind = kind;
    m_graph.storages.push_back(storage);
    return id;
}

OpId GraphBuilder::op(const std::vector<StorageId> &inputs, const std::vector<Output> &outputs, double timeUs,
                      Phase phase)
{
    const OpId id(m_graph.ops.size());
    Op op;
    op.name = numbered("op", id.value);
    op.kind = numbered("k", static_cast<std::int32_t>(inputs.size()));
    for (const StorageId input : inputs)
        if (std::find(op.inputs.begin(), op.inputs.end(), input) == op.inputs.end()) op.inputs.push_back(input);
    op.phase = phase;
    op.timeUs = timeUs;
    for (const Output &output : outputs) {
        const StorageId made(m_graph.storages.size());
        Storage storage;
        storage.name = output.name.empty() ? numbered("s", made.value) : output.name;
        storage.bytes = output.bytes;
        storage.kind = output.kind;
        storage.producer = id;
        storage.isOutput = output.isOutput;
        m_graph.storages.push_back(storage);
        op.outputs.push_back(made);
    }
    m_graph.ops.push_back(op);
    return id;
}

Graph GraphBuilder::finish() const
{
    Expected<Graph> graph = finishGraph(m_graph);
    if (!graph) detail::assertionFailed("finishGraph", graph.error().message.c_str(), __FILE__, __LINE__);
    return *std::move(graph);
}

CostTable graphCosts(const Graph &graph)
{
    CostTable costs;
    for (const Op &op : graph.ops) {
        costs.timeUs.push_back(std::max(op.timeUs, 0.0));
        costs.workspaceBytes.push_back(op.workspaceBytes);
    }
    costs.linkBytesPerSecond = 1e6;
    costs.linkLatencyUs = 2;
    costs.source.kind = "graph";
    return costs;
}

Graph chainGraph(int stages, const ChainParams &params)
{
    Random random(params.seed);
    const auto varied = [&](std::int64_t value) { return params.seed == 0 ? value : value * random.between(1, 3); };
    const auto variedUs = [&](double value) { return params.seed == 0 ? value : value * random.between(1, 3); };

    GraphBuilder builder;
    StorageId current = builder.resident(params.activationBytes, StorageKind::Input, "x");
    std::vector<StorageId> stageInput;
    std::vector<OpId> forward;
    for (int i = 0; i < stages; ++i) {
        stageInput.push_back(current);
        forward.push_back(builder.op({current}, {{varied(params.activationBytes), StorageKind::Activation, false, {}}},
                                     variedUs(params.forwardUs)));
        builder.edit(forward.back()).module = numbered("layers.", i);
        current = builder.output(forward.back());
    }
    const OpId loss = builder.op({current}, {{1, StorageKind::Activation, true, "loss"}}, 1, Phase::Loss);
    std::vector<StorageId> gradient = {builder.output(loss), current};
    for (int i = stages; i-- > 0;) {
        std::vector<GraphBuilder::Output> made;
        if (i > 0 || params.parameterBytes == 0)
            made.push_back({varied(params.gradientBytes), StorageKind::Gradient, i == 0, {}});
        if (params.parameterBytes > 0)
            made.push_back({params.parameterBytes, StorageKind::ParameterGradient, true, {}});
        std::vector<StorageId> read = gradient;
        read.push_back(stageInput[static_cast<std::size_t>(i)]);
        const OpId op = builder.op(read, made, variedUs(params.backwardUs), Phase::Backward);
        builder.edit(op).forwardOp = forward[static_cast<std::size_t>(i)];
        gradient = {builder.output(op)};
    }
    return builder.finish();
}

std::filesystem::path tracePath(const std::string &name)
{
    const std::string file = name + ".pt2";
    const std::filesystem::path trace = std::filesystem::path(REMAT_TEST_DATA "/traces") / file;
    return std::filesystem::exists(trace) ? trace : std::filesystem::path(REMAT_SAMPLES) / file;
}

Expected<Model> loadSample(const std::string &name)
{
    const std::filesystem::path path = tracePath(name);
    if (!std::filesystem::exists(path)) return fail("There is no " + name + ".pt2 among the test traces and samples.");
    return readModel(path);
}

} // namespace remat::test
