// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/instance.h"

#include "core/plan/simulator.h"
#include "tests/support/graphs.h"
#include "tests/support/random_layered.h"
#include "tests/support/u_shaped.h"

#include <charconv>
#include <vector>

namespace remat::bench {

namespace {

/// `random:1000:7` as {1000, 7}, `u:5x3` as {5, 3}; empty when the text does not start with `kind:` and numbers.
std::vector<int> numbersAfter(const std::string &kind, const std::string &text)
{
    std::vector<int> numbers;
    if (text.rfind(kind + ":", 0) != 0) return numbers;
    const char *at = text.data() + kind.size() + 1, *end = text.data() + text.size();
    while (at < end) {
        int number = 0;
        const auto read = std::from_chars(at, end, number);
        if (read.ec != std::errc() || number < 0) return {};
        numbers.push_back(number);
        at = read.ptr == end ? end : read.ptr + 1;
    }
    return numbers;
}

Expected<Graph> madeGraph(const std::string &name)
{
    if (const auto n = numbersAfter("layered", name); n.size() == 1 && n[0] > 0) return test::layeredGraph(n[0]);
    if (const auto n = numbersAfter("chain", name); n.size() == 1 && n[0] > 0) {
        test::ChainParams params;
        params.activationBytes = params.gradientBytes = 1000;
        params.forwardUs = 10;
        params.backwardUs = 20;
        params.seed = 1;
        return test::chainGraph(n[0], params);
    }
    if (const auto n = numbersAfter("u", name); n.size() == 2 && n[0] > 0 && n[0] <= 14 && n[1] > 0)
        return test::uShapedGraph(n[0], n[1]);
    if (const auto n = numbersAfter("random", name); !n.empty() && n.size() <= 2 && n[0] >= 4) {
        test::RandomLayeredParams params;
        params.ops = n[0];
        return test::randomLayeredGraph(n.size() == 2 ? static_cast<std::uint64_t>(n[1]) : 0, params);
    }
    return fail("There is no graph \"" + name +
                "\". Name a sample, a file, layered:LAYERS, random:OPS[:SEED], chain:STAGES or u:LEVELSxBLOCKS.");
}

Expected<Instance> finished(Instance instance)
{
    const Expected<Simulation> keepAll =
        simulate(instance.graph(), instance.costs, keepAllPlan(instance.graph()).steps);
    if (!keepAll) return tl::unexpected(keepAll.error());
    instance.keepAllPeakBytes = keepAll->peakBytes;
    instance.keepAllTimeUs = keepAll->timeUs;
    return instance;
}

} // namespace

Expected<Instance> makeInstance(const std::string &name)
{
    Instance instance;
    instance.name = name;
    if (name.find(':') != std::string::npos) {
        Expected<Graph> graph = madeGraph(name);
        if (!graph) return tl::unexpected(graph.error());
        instance.model.graph = std::move(*graph);
        instance.costs = test::graphCosts(instance.graph());
        return finished(std::move(instance));
    }
    Expected<Model> model = name.find('.') == std::string::npos ? test::loadSample(name) : readModel(name);
    if (!model) return tl::unexpected(model.error());
    const Expected<Device> device = findDevice("reference");
    if (!device) return tl::unexpected(device.error());
    instance.costs = rooflineCosts(*model, *device);
    instance.file = model->path.string();
    instance.model = std::move(*model);
    return finished(std::move(instance));
}

} // namespace remat::bench
