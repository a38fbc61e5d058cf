// SPDX-License-Identifier: Apache-2.0
#include "tests/support/nets.h"

#include "tests/support/graphs.h"

#include <algorithm>

namespace remat::test {

namespace {

/// Layers one after the other on images whose side halves and doubles.
class NetBuilder
{
public:
    std::vector<Layer> layers;

    int input(int channels) { return add({}, channels, 0); }
    int convolution(int from, int channels)
    {
        return add({from}, channels, 9.0 * m_channels[static_cast<std::size_t>(from)]);
    }
    int pool(int from)
    {
        m_side /= 2;
        return add({from}, m_channels[static_cast<std::size_t>(from)], 4);
    }
    int up(int from)
    {
        m_side *= 2;
        return add({from}, m_channels[static_cast<std::size_t>(from)], 1);
    }
    int concatenate(int a, int b)
    {
        return add({a, b}, m_channels[static_cast<std::size_t>(a)] + m_channels[static_cast<std::size_t>(b)], 1);
    }
    int dense(int from, int units)
    {
        const auto per = static_cast<double>(m_channels[static_cast<std::size_t>(from)] * m_side * m_side);
        m_side = 1;
        return add({from}, units, per);
    }

private:
    /// `per` multiplications for each number of the output.
    int add(std::vector<int> inputs, int channels, double per)
    {
        const std::int64_t numbers = static_cast<std::int64_t>(channels) * m_side * m_side;
        const double time = std::max(1.0, static_cast<double>(numbers) * std::max(per, 1.0) / 1e6);
        layers.push_back({std::move(inputs), std::max<std::int64_t>(numbers * 4 / 1024, 1), time});
        m_channels.push_back(channels);
        return static_cast<int>(layers.size()) - 1;
    }

    std::int64_t m_side = 224;
    std::vector<int> m_channels;
};

Graph vgg(const std::string &name, const std::vector<int> &blocks)
{
    NetBuilder net;
    int last = net.input(3), channels = 64;
    for (const int convolutions : blocks) {
        for (int c = 0; c < convolutions; ++c)
            last = net.convolution(last, channels);
        last = net.pool(last);
        channels = std::min(channels * 2, 512);
    }
    net.dense(net.dense(net.dense(last, 4096), 4096), 1000);
    return trainingGraph(name, net.layers);
}

} // namespace

Graph trainingGraph(const std::string &name, const std::vector<Layer> &layers)
{
    const int count = static_cast<int>(layers.size());
    GraphBuilder builder;
    const StorageId input = builder.resident(1);
    std::vector<OpId> forward;
    std::vector<std::vector<int>> readers(layers.size());
    for (int k = 0; k < count; ++k) {
        const Layer &layer = layers[static_cast<std::size_t>(k)];
        std::vector<StorageId> reads;
        for (const int from : layer.inputs) {
            reads.push_back(builder.output(forward[static_cast<std::size_t>(from)]));
            readers[static_cast<std::size_t>(from)].push_back(k);
        }
        if (reads.empty()) reads.push_back(input);
        forward.push_back(builder.op(reads, {{layer.bytes}}, layer.timeUs));
    }
    const StorageId last = builder.output(forward.back());
    const OpId loss = builder.op({last}, {{1}}, 1, Phase::Loss);
    std::vector<StorageId> gradient(layers.size());
    for (int k = count; k-- > 0;) {
        const auto at = static_cast<std::size_t>(k);
        std::vector<StorageId> reads;
        double time = 0;
        for (const int reader : readers[at]) {
            reads.push_back(gradient[static_cast<std::size_t>(reader)]);
            reads.push_back(builder.output(forward[static_cast<std::size_t>(reader)]));
            for (const int other : layers[static_cast<std::size_t>(reader)].inputs)
                reads.push_back(builder.output(forward[static_cast<std::size_t>(other)]));
            time += 2 * layers[static_cast<std::size_t>(reader)].timeUs;
        }
        if (reads.empty()) reads = {builder.output(loss), last};
        std::sort(reads.begin(), reads.end());
        reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
        const GraphBuilder::Output made{layers[at].bytes, StorageKind::Gradient, k == 0};
        gradient[at] = builder.output(builder.op(reads, {made}, std::max(time, 1.0), Phase::Backward));
    }
    Graph graph = builder.finish();
    graph.name = name;
    return graph;
}

Graph vgg16()
{
    return vgg("vgg16", {2, 2, 3, 3, 3});
}

Graph vgg19()
{
    return vgg("vgg19", {2, 2, 4, 4, 4});
}

Graph vggUnet()
{
    NetBuilder net;
    int last = net.input(3);
    std::vector<int> skips;
    int channels = 64;
    for (const int convolutions : {2, 2, 3, 3}) {
        for (int c = 0; c < convolutions; ++c)
            last = net.convolution(last, channels);
        skips.push_back(last);
        last = net.pool(last);
        channels = std::min(channels * 2, 512);
    }
    for (int c = 0; c < 3; ++c)
        last = net.convolution(last, 512);
    for (std::size_t level = skips.size(); level-- > 0;) {
        last = net.concatenate(net.up(last), skips[level]);
        last = net.convolution(last, 64 << std::max(static_cast<int>(level) - 1, 0));
        last = net.convolution(last, 64 << std::max(static_cast<int>(level) - 1, 0));
    }
    net.convolution(last, 10);
    return trainingGraph("vgg-unet", net.layers);
}

} // namespace remat::test
