// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/window/graphs.h"

#include "core/base/file.h"
#include "tests/support/graph_file.h"
#include "tests/support/graphs.h"

#include <algorithm>

namespace remat::bench {

QString writeGraph(const QTemporaryDir &folder, Graph graph, const QString &name)
{
    graph.name = name.toStdString();
    const QString path = folder.filePath(name + QStringLiteral(".json"));
    if (!writeFileAtomically(path.toStdString(), test::graphText(graph)))
        qFatal("%s cannot be written.", qPrintable(path));
    return path;
}

Graph wideClusters(int wide)
{
    Graph graph;
    graph.name = "wide";
    const auto storage = [&](const std::string &name, StorageKind kind, OpId producer) {
        Storage made;
        made.name = name;
        made.bytes = 1 << 20;
        made.kind = kind;
        made.producer = producer;
        graph.storages.push_back(made);
        return StorageId(graph.storages.size() - 1);
    };
    const auto op = [&](const std::string &name, const std::string &module, Phase phase, OpId forward,
                        std::vector<StorageId> inputs) {
        Op made;
        made.name = name;
        made.kind = "linear";
        made.module = module;
        made.phase = phase;
        made.forwardOp = forward;
        made.timeUs = 10;
        std::sort(inputs.begin(), inputs.end());
        inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
        made.inputs = std::move(inputs);
        const OpId id(graph.ops.size());
        const auto kind = phase == Phase::Backward ? StorageKind::Gradient : StorageKind::Activation;
        made.outputs = {storage("t_" + name, kind, id)};
        graph.ops.push_back(made);
        return made.outputs.front();
    };
    const int all = 2 * wide + 10;
    const auto module = [&](int i) { return i < wide ? "model.left" : "model.right"; };
    std::vector<StorageId> made = {storage("x", StorageKind::Input, {})};
    for (int i = 0; i < all; ++i) {
        const int first = i < wide ? 0 : wide;
        const auto at = static_cast<std::size_t>(i),
                   before = static_cast<std::size_t>(i % 10 == 9 ? std::max(first, i - 9) : i);
        made.push_back(op("f" + std::to_string(i), module(i), Phase::Forward, {}, {made[at], made[before]}));
    }
    StorageId gradient = op("loss", "", Phase::Loss, {}, {made.back()});
    for (int i = all; i-- > 0;) {
        const auto at = static_cast<std::size_t>(i);
        gradient =
            op("b" + std::to_string(i), module(i), Phase::Backward, OpId(at), {gradient, made[at], made[at + 1]});
    }
    graph.storages[gradient.index()].isOutput = true;
    return graph;
}

Graph unlikeLayers(int layers)
{
    Graph graph = test::layeredGraph(layers);
    for (const Op &op : graph.ops) {
        const auto layer = QString::fromStdString(op.module).section(QLatin1Char('.'), 2, 2).toInt();
        for (const StorageId made : op.outputs)
            graph.storages[made.index()].bytes += 64 * layer;
    }
    return graph;
}

} // namespace remat::bench
