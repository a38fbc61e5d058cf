// SPDX-License-Identifier: Apache-2.0
#include "tests/support/graphs.h"

#include "tests/support/random.h"

#include <algorithm>

namespace remat::test {

namespace {

class Maker
{
public:
    Maker(std::uint64_t seed, const RandomGraphParams &params) : m_random(seed), m_params(params) {}

    Graph general()
    {
        makeResidents();
        std::vector<StorageId> made;
        for (int i = 0; i < m_params.ops; ++i) {
            const bool last = i + 1 == m_params.ops;
            std::vector<GraphBuilder::Output> outputs = someOutputs(StorageKind::Activation);
            for (GraphBuilder::Output &output : outputs)
                output.isOutput = m_random.percent(m_params.graphOutput);
            if (last) outputs.front().isOutput = true;
            const OpId op = add(readSome(made), outputs, Phase::Forward);
            const auto &ids = m_builder.draft().op(op).outputs;
            made.insert(made.end(), ids.begin(), ids.end());
        }
        return m_builder.finish();
    }

    Graph joint()
    {
        makeResidents();
        const int forwardOps = std::max(1, (m_params.ops - 1) / 2);
        std::vector<StorageId> made;
        std::vector<OpId> forward;
        for (int i = 0; i < forwardOps; ++i) {
            std::vector<StorageId> read = readSome(made);
            if (!made.empty()) read.push_back(made.back());
            forward.push_back(add(read, someOutputs(StorageKind::Activation), Phase::Forward));
            m_builder.edit(forward.back()).module = std::string("m.").append(std::to_string(i / 3));
            // The last output goes on to the next op.
            const auto &ids = m_builder.draft().op(forward.back()).outputs;
            made.insert(made.end(), ids.begin(), ids.end());
        }
        const OpId loss = add({made.back()}, {{1, StorageKind::Activation, true, "loss"}}, Phase::Loss);

        std::vector<StorageId> gradientOf(m_builder.draft().storages.size());
        gradientOf[made.back().index()] = m_builder.output(loss);
        for (int i = forwardOps; i-- > 0;)
            backward(forward[static_cast<std::size_t>(i)], gradientOf);
        return m_builder.finish();
    }

private:
    void makeResidents()
    {
        for (int i = m_random.between(1, 3); i > 0; --i)
            m_residents.push_back(m_builder.resident(m_random.between(1, 20), i == 1   ? StorageKind::Input
                                                                              : i == 2 ? StorageKind::Parameter
                                                                                       : StorageKind::Buffer));
    }

    std::int64_t someBytes()
    {
        if (m_random.percent(m_params.zeroBytes)) return 0;
        return m_random.between(1, static_cast<int>(m_params.maxBytes));
    }

    std::vector<GraphBuilder::Output> someOutputs(StorageKind kind)
    {
        std::vector<GraphBuilder::Output> outputs(
            m_random.percent(m_params.multiOutput) ? static_cast<std::size_t>(m_random.between(2, 3)) : 1U);
        for (GraphBuilder::Output &output : outputs)
            output = {someBytes(), kind, false, {}};
        return outputs;
    }

    /// Recent storages rather than old ones, so that chains with skips come out, and now and then a resident one.
    std::vector<StorageId> readSome(const std::vector<StorageId> &made)
    {
        std::vector<StorageId> read;
        if (made.empty() || m_random.percent(40)) read.push_back(m_random.pick(m_residents));
        if (!made.empty()) {
            const int size = static_cast<int>(made.size());
            for (int n = m_random.between(1, m_params.maxInputs); n > 0; --n) {
                const int back = std::min(m_random.below(size), m_random.below(size));
                read.push_back(made[static_cast<std::size_t>(size - 1 - back)]);
            }
        }
        return read;
    }

    OpId add(const std::vector<StorageId> &read, const std::vector<GraphBuilder::Output> &outputs, Phase phase)
    {
        const OpId id = m_builder.op(read, outputs, m_random.between(1, m_params.maxTimeUs), phase);
        Op &op = m_builder.edit(id);
        if (m_random.percent(m_params.workspace))
            op.workspaceBytes = m_random.between(1, static_cast<int>(m_params.maxBytes));
        op.computeOnce = m_random.percent(m_params.computeOnce);
        return id;
    }

    void backward(OpId forward, std::vector<StorageId> &gradientOf)
    {
        const Op twin = m_builder.draft().op(forward);
        std::vector<StorageId> read;
        for (const StorageId output : twin.outputs)
            if (gradientOf[output.index()]) read.push_back(gradientOf[output.index()]);
        if (read.empty()) return; // no gradient reaches it
        for (const StorageId input : twin.inputs)
            if (m_random.percent(60)) read.push_back(input);
        if (m_random.percent(40)) read.push_back(twin.outputs.back());

        std::vector<GraphBuilder::Output> made;
        std::vector<StorageId> belongsTo;
        for (const StorageId input : twin.inputs) {
            if (isResident(m_builder.draft().storage(input).kind)) continue;
            made.push_back({m_builder.draft().storage(input).bytes, StorageKind::Gradient, false, {}});
            belongsTo.push_back(input);
        }
        if (made.empty() || m_random.percent(50))
            made.push_back({someBytes(), StorageKind::ParameterGradient, true, {}});
        const OpId op = add(read, made, Phase::Backward);
        m_builder.edit(op).forwardOp = forward;
        for (std::size_t i = 0; i < belongsTo.size(); ++i) {
            const StorageId fresh = m_builder.output(op, i);
            StorageId &sum = gradientOf[belongsTo[i].index()];
            if (!sum) {
                sum = fresh;
                continue;
            }
            const std::int64_t bytes = m_builder.draft().storage(fresh).bytes;
            sum = m_builder.output(add({sum, fresh}, {{bytes, StorageKind::Gradient, false, {}}}, Phase::Backward));
        }
    }

    Random m_random;
    RandomGraphParams m_params;
    GraphBuilder m_builder;
    std::vector<StorageId> m_residents;
};

} // namespace

Graph randomGraph(std::uint64_t seed, const RandomGraphParams &params)
{
    Maker maker(seed, params);
    return params.joint ? maker.joint() : maker.general();
}

Graph updatingGraph(std::uint64_t seed)
{
    Graph graph = randomGraph(seed, {.ops = 3 + static_cast<int>(seed % 15), .joint = seed % 3 == 0});
    Random random(seed + 1000003);
    std::vector<StorageId> residents, made;
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        StorageKind &kind = graph.storages[s].kind;
        (isResident(kind) ? residents : made).emplace_back(s);
        if (isResident(kind)) kind = random.percent(50) ? StorageKind::Parameter : StorageKind::State;
    }
    for (Op &op : graph.ops)
        for (const StorageId input : op.inputs)
            if (isResident(graph.storage(input).kind) && random.percent(20)) op.updates.push_back(input);
    for (int i = random.between(0, 2); i > 0; --i) {
        Op update;
        update.name = "update" + std::to_string(i);
        update.inputs = {random.pick(made), random.pick(residents)};
        update.updates = {update.inputs.back()};
        update.phase = Phase::Backward;
        update.timeUs = random.between(1, 9);
        update.onHost = true;
        graph.ops.push_back(update);
        if (random.percent(50)) continue;
        Op reader = update;
        reader.name = "reader" + std::to_string(i);
        reader.updates.clear();
        reader.onHost = false;
        reader.outputs = {StorageId(graph.storages.size())};
        Storage read;
        read.name = "read" + std::to_string(i);
        read.bytes = 3;
        read.kind = StorageKind::Gradient;
        read.isOutput = true;
        graph.storages.push_back(std::move(read));
        graph.ops.push_back(reader);
    }
    Expected<Graph> finished = finishGraph(std::move(graph));
    if (!finished) detail::assertionFailed("finishGraph", finished.error().message.c_str(), __FILE__, __LINE__);
    return withPlannedParameters(*std::move(finished));
}

Graph summingGraph(std::uint64_t seed)
{
    const Graph plain = randomGraph(seed, {.ops = 3 + static_cast<int>(seed % 12), .joint = seed % 2 == 0});
    Random random(seed + 2000003);
    Graph graph = plain;
    graph.ops.clear();
    std::vector<StorageId> made;
    std::vector<OpId> newId;
    for (const Op &op : plain.ops) {
        newId.emplace_back(graph.ops.size());
        graph.ops.push_back(op);
        if (op.forwardOp) graph.ops.back().forwardOp = newId[op.forwardOp.index()];
        made.insert(made.end(), op.outputs.begin(), op.outputs.end());
        for (int i = made.empty() ? 0 : random.between(0, 2); i > 0; --i) {
            Op sum;
            sum.name = "sum" + std::to_string(graph.ops.size());
            sum.into = random.pick(made);
            sum.inputs = {sum.into};
            if (const StorageId term = random.pick(made); term != sum.into) sum.inputs.push_back(term);
            sum.phase = op.phase;
            sum.timeUs = random.between(1, 9);
            graph.ops.push_back(sum);
        }
    }
    Expected<Graph> finished = finishGraph(std::move(graph));
    if (!finished) detail::assertionFailed("finishGraph", finished.error().message.c_str(), __FILE__, __LINE__);
    return *std::move(finished);
}

Graph layeredGraph(int layers)
{
    constexpr std::int64_t kBig = 4096, kWide = 4 * kBig, kSmall = 8;
    GraphBuilder builder;
    struct Recorded {
        OpId op;
        std::vector<StorageId> saved; ///< what its backward op reads besides the gradient
        bool parameter = false;
    };
    std::vector<Recorded> tape;
    std::string module;
    const auto forward = [&](const char *kind, std::vector<StorageId> read, std::int64_t bytes, double timeUs,
                             bool parameter, bool savesOutput) {
        const std::vector<StorageId> activations = read;
        if (parameter) read.push_back(builder.resident(kBig, StorageKind::Parameter));
        const OpId op = builder.op(read, {{bytes, StorageKind::Activation, false, {}}}, timeUs);
        builder.edit(op).kind = kind;
        builder.edit(op).module = module;
        tape.push_back({op, savesOutput ? std::vector<StorageId>{builder.output(op)} : activations, parameter});
        return builder.output(op);
    };

    const StorageId tokens = builder.resident(kSmall);
    module = "model.embed";
    StorageId x = forward("embedding", {tokens}, kBig, 5, true, false);
    for (int i = 0; i < layers; ++i) {
        const std::string layer = std::string("model.h.").append(std::to_string(i));
        module = layer + ".attn";
        const StorageId normed = forward("norm", {x}, kBig, 6, true, false);
        const StorageId q = forward("linear", {normed}, kBig, 20, true, false);
        const StorageId k = forward("linear", {normed}, kBig, 20, true, false);
        const StorageId v = forward("linear", {normed}, kBig, 20, true, false);
        const StorageId scores = forward("bmm", {q, k}, kWide, 15, false, false);
        const StorageId weights = forward("softmax", {scores}, kWide, 12, false, true);
        const StorageId mixed = forward("bmm", {weights, v}, kBig, 15, false, false);
        const StorageId projected = forward("linear", {mixed}, kBig, 20, true, false);
        x = forward("add", {x, projected}, kBig, 4, false, true);
        module = layer + ".mlp";
        const StorageId normed2 = forward("norm", {x}, kBig, 6, true, false);
        const StorageId wide = forward("linear", {normed2}, kWide, 60, true, false);
        const StorageId active = forward("gelu", {wide}, kWide, 12, false, false);
        const StorageId narrow = forward("linear", {active}, kBig, 60, true, false);
        x = forward("add", {x, narrow}, kBig, 4, false, true);
    }
    module = "model.head";
    const StorageId logits = forward("linear", {x}, kWide, 90, true, false);
    module.clear();
    const OpId loss = builder.op({logits}, {{kSmall, StorageKind::Activation, true, "loss"}}, 8, Phase::Loss);

    std::vector<StorageId> gradientOf(builder.draft().storages.size());
    gradientOf[logits.index()] = builder.output(loss);
    for (auto entry = tape.rbegin(); entry != tape.rend(); ++entry) {
        const Op twin = builder.draft().op(entry->op);
        std::vector<StorageId> read = {gradientOf[twin.outputs.front().index()]};
        if (twin.kind != "add") read.insert(read.end(), entry->saved.begin(), entry->saved.end());
        std::vector<GraphBuilder::Output> made;
        std::vector<StorageId> belongsTo;
        for (const StorageId input : twin.inputs) {
            if (isResident(builder.draft().storage(input).kind)) continue;
            made.push_back({builder.draft().storage(input).bytes, StorageKind::Gradient, false, {}});
            belongsTo.push_back(input);
        }
        if (entry->parameter) made.push_back({kBig, StorageKind::ParameterGradient, true, {}});
        const OpId op = builder.op(read, made, twin.timeUs * 2, Phase::Backward);
        builder.edit(op).kind = twin.kind + "_backward";
        builder.edit(op).forwardOp = entry->op;
        builder.edit(op).module = twin.module;
        for (std::size_t i = 0; i < belongsTo.size(); ++i) {
            const StorageId fresh = builder.output(op, i);
            StorageId &sum = gradientOf[belongsTo[i].index()];
            if (sum) {
                const std::int64_t bytes = builder.draft().storage(fresh).bytes;
                const OpId add =
                    builder.op({sum, fresh}, {{bytes, StorageKind::Gradient, false, {}}}, 4, Phase::Backward);
                builder.edit(add).kind = "add";
                sum = builder.output(add);
            } else {
                sum = fresh;
            }
        }
    }
    return builder.finish();
}

} // namespace remat::test
