// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/modes.h"
#include "core/chunk/region.h"
#include "core/chunk/split.h"
#include "core/chunk/title.h"
#include "core/graph/program_graph.h"
#include "core/plan/checker.h"
#include "fake_planner.h"
#include "solvers/chunk/by_name.h"
#include "solvers/chunk/floor.h"
#include "solvers/chunk/plan_in_chunks.h"
#include "solving.h"
#include "tests/support/brute_force.h"
#include "tiny_steps.h"

#include <QtTest>

using namespace remat;

namespace {

ChunkSetting onReference()
{
    const auto device = findDevice("reference");
    if (!device) qFatal("%s", device.error().message.c_str());
    ChunkSetting setting;
    setting.costs = [device = *device](const Model &model) { return rooflineCosts(model, device); };
    return setting;
}

Model sample(const std::string &name)
{
    auto model = test::loadSample(name);
    if (!model) qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

/// Every chunking of one region that grows around any node, in two pieces.
std::vector<Chunking> allOf(const Model &model)
{
    const auto prepared = preparedModel(model);
    if (!prepared) qFatal("%s", prepared.error().message.c_str());
    const Program &program = *prepared->program;
    const ValueUses uses = usesOf(program);
    std::vector<Chunking> all{Chunking()};
    for (std::size_t n = 0; n < program.nodes.size(); ++n)
        for (const Mode &mode : modesOf(program, program.nodes[n], 2))
            for (const std::int64_t threshold : {std::int64_t(0), std::int64_t(1) << 40}) {
                Chunking chunking{{grownRegion(program, uses, NodeId(n), mode, 2, threshold)}};
                if (!chunking.regions[0].nodes.empty() && std::find(all.begin(), all.end(), chunking) == all.end())
                    all.push_back(std::move(chunking));
            }
    return all;
}

std::int64_t keepAllPeak(const ChunkedModel &chunked)
{
    return simulate(chunked.model->graph, chunked.costs, keepAllPlan(chunked.model->graph).steps)->peakBytes;
}

} // namespace

class TstChunk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFloorComesDown()
    {
        const Model model = sample("gpt2");
        const ChunkSetting setting = onReference();
        const auto whole = inSetting(model, {}, setting);
        QVERIFY(whole);
        const std::int64_t target = whole->floor.bytes / 4;
        const Chunking chunking = chunkingForFloor(model, target, setting);
        const auto chunked = inSetting(model, chunking, setting);
        QVERIFY(chunked);
        QCOMPARE(chunking.regions.size(), std::size_t(1));
        QVERIFY(chunking.regions[0].nodes.contains("nll_loss_forward"));
        QVERIFY(chunked->floor.bytes <= target);
        QVERIFY(chunked->keepAllTimeUs < 1.01 * whole->keepAllTimeUs);
        QVERIFY(keepAllPeak(*chunked) < keepAllPeak(*whole));
        QVERIFY(chunkingForFloor(model, target, setting) == chunking);
        QVERIFY(chunkingForFloor(model, whole->floor.bytes, setting).regions.empty());
        const auto least = floorInChunks(model, setting, 64);
        QVERIFY(least && least->bytes > 0 && least->bytes <= chunked->floor.bytes);
    }

    void graphsWithoutOperatorsStayWhole()
    {
        Model model = test::tinyLayer();
        model.program.reset();
        QVERIFY(chunkingForFloor(model, 1, onReference()).regions.empty());
        QVERIFY(!floorInChunks(model, onReference(), 2));
        QVERIFY(!chunkedModel(model, {{ChunkRegion{}}}));
    }

    /// All chunkings and, for each, all plans: no floor is above a peak, and the search finds the least time.
    void nothingIsBetterThanTheSearch_data()
    {
        QTest::addColumn<std::function<Model()>>("make");
        const auto row = [](const char *name, Model (*make)()) { QTest::newRow(name) << std::function<Model()>(make); };
        row("a layer", test::tinyLayer);
        row("an MLP", test::tinyMlp);
        row("a shared weight", test::tinySharedWeight);
        row("a head with its loss", test::tinyHead);
        row("attention", test::tinyAttention);
        row("a convolution", test::tinyConvolution);
    }

    void nothingIsBetterThanTheSearch()
    {
        QFETCH(std::function<Model()>, make);
        const Model model = make();
        ChunkSetting setting = onReference();
        setting.mostChunks = 2;
        const std::vector<Chunking> all = allOf(model);
        QVERIFY(all.size() >= 4);
        const auto least = floorInChunks(model, setting, 2);
        QVERIFY(least);
        std::vector<ChunkedModel> models;
        std::vector<std::int64_t> peaks;
        for (const Chunking &chunking : all) {
            auto chunked = inSetting(model, chunking, setting);
            QVERIFY2(chunked, chunked ? "" : chunked.error().message.c_str());
            peaks.push_back(test::bruteForceSmallestPeak(chunked->model->graph, chunked->costs));
            QVERIFY(least->bytes <= peaks.back());
            models.push_back(std::move(*chunked));
        }
        const std::int64_t lowest = *std::min_element(peaks.begin(), peaks.end());
        QVERIFY(lowest < peaks.front()); // the first peak is that of the graph as it is
        const auto planner = findPlanner("auto");
        QVERIFY(planner);
        for (const std::int64_t budget :
             {lowest, (lowest + peaks.front()) / 2, peaks.front(), keepAllPeak(models[0])}) {
            std::optional<double> best;
            for (std::size_t i = 0; i < models.size(); ++i) {
                // No plan is faster than keep-all of its graph.
                if (peaks[i] > budget || (best && models[i].keepAllTimeUs >= *best)) continue;
                if (const auto time = test::bruteForceOptimum(models[i].model->graph, models[i].costs, budget))
                    best = std::min(best.value_or(*time), *time);
            }
            SolveRequest request;
            request.budgetBytes = budget;
            request.options = *makeOptions((*planner)->info.options, {{"use-time", "off"}});
            const auto found = planInChunks(**planner, model, setting, request, {});
            QVERIFY2(found, found ? "" : found.error().message.c_str());
            QCOMPARE(found->outcome.plan.has_value(), best.has_value());
            if (!best) continue;
            QVERIFY(checkPlan(found->chunked.model->graph, found->chunked.costs, *found->outcome.plan).ok);
            QVERIFY(found->outcome.boundTimeUs <= found->outcome.plan->predicted.timeUs * (1 + 1e-9));
            // The graph as it was traced makes the gradient of the loss with an op that one in chunks does not have.
            constexpr double kOfThat = 1e-3;
            QVERIFY2(found->outcome.plan->predicted.timeUs <= *best * (1 + kOfThat),
                     qPrintable(QStringLiteral("%1 at %2, and %3 is possible")
                                    .arg(found->outcome.plan->predicted.timeUs)
                                    .arg(budget)
                                    .arg(*best)));
        }
    }

    /// A skip connection is joined to be convolved, and the gradient of the joined is cut: neither has to be whole.
    void whatIsReadPartByPartIsNotJoined()
    {
        const Model model = sample("tiny_unet");
        const ChunkSetting setting = onReference();
        const Chunking chunking{{{.k = 2, .nodes = {{"convolution_15", {{1, 1}, {kSum}}}}},
                                 {.k = 2, .nodes = {{"convolution_backward_2", {{kWhole, 1, 1}, {1, 1, kWhole}}}}}}};
        const auto chunked = inSetting(model, chunking, setting);
        QVERIFY2(chunked, chunked ? "" : chunked.error().message.c_str());
        const Program &program = *chunked->model->program;
        const auto has = [&](const std::string &name) {
            return std::any_of(program.nodes.begin(), program.nodes.end(),
                               [&](const Node &node) { return node.name == name; });
        };
        QVERIFY(has("cat_1") && !has("cat_2"));
        QVERIFY(has("slice_3") && !has("slice_1") && !has("slice_2"));
        QVERIFY(keepAllPeak(*chunked) < keepAllPeak(*inSetting(model, {}, setting)));
        const auto known = std::find_if(program.nodes.begin(), program.nodes.end(),
                                        [](const Node &node) { return node.name == "convolution_15#0"; });
        QVERIFY(known != program.nodes.end());
        QCOMPARE(program.value(tensorsRead(*known).front()).name, std::string("relu_1")); // the skip connection itself
        const Chunking found = chunkingForFloor(model, keepAllPeak(*inSetting(model, {}, setting)) / 5, setting);
        QVERIFY(!found.regions.empty());
    }

    /// What has no plan in chunks is planned whole, first and in all that is left of the time.
    void chunksTakeNoPlanFromTheWholeGraph()
    {
        const Model model = sample("tiny_gpt2");
        const ChunkSetting setting = onReference();
        const std::size_t ops = model.graph.ops.size();
        std::vector<std::pair<bool, double>> turns; // whether the graph was whole, and its seconds
        const auto planned = [&](bool hasWhole) {
            turns.clear();
            const Planner planner = test::fakePlanner([&](const SolveRequest &request, const SolveContext &context) {
                const bool whole = request.graph->ops.size() == ops;
                turns.emplace_back(whole, context.deadline.secondsLeft());
                SolveOutcome outcome;
                outcome.status = SolveStatus::Stopped;
                if (whole && hasWhole) {
                    outcome.status = SolveStatus::Feasible;
                    outcome.plan = keepAllPlan(*request.graph);
                }
                return outcome;
            });
            SolveRequest request;
            request.budgetBytes = keepAllPeak(*inSetting(model, {}, setting));
            SolveContext context;
            context.deadline = Deadline(1000);
            return planInChunks(planner, model, setting, request, context);
        };
        const auto kept = planned(true);
        QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
        QVERIFY(kept->outcome.plan && kept->chunked.chunking.regions.empty());
        const auto none = planned(false);
        QVERIFY(none && !none->outcome.plan && none->chunked.chunking.regions.empty());
        QVERIFY(turns.size() >= 2 && turns.front().first && turns.back().first);
        QVERIFY(turns.front().second > 200 && turns.back().second > 900); // no turn took time
    }

    /// Forward and backward of one part of the batch before the next: what is kept between them is a part, too.
    void theWholeStepRunsInMicroBatches()
    {
        const Model model = sample("gpt2");
        const ChunkSetting setting = onReference();
        const auto whole = inSetting(model, {}, setting);
        const auto chunking = chunkingByName("batch=4", model, setting);
        QVERIFY2(chunking, chunking ? "" : chunking.error().message.c_str());
        QCOMPARE(chunkingTitle(*chunking), std::string("the step in 4 micro-batches"));
        const auto parts = inSetting(model, *chunking, setting);
        QVERIFY2(parts, parts ? "" : parts.error().message.c_str());
        QVERIFY(keepAllPeak(*parts) < keepAllPeak(*whole) * 3 / 4);
        std::vector<int> order;
        for (const Node &node : parts->model->program->nodes)
            if (const auto [name, chunk] = chunkOf(node.name); name == "addmm" || name == "native_layer_norm_backward")
                order.push_back(chunk);
        QCOMPARE(order, (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
    }

    void whatNeedsAllOfTheBatchForbidsMicroBatches()
    {
        const auto refusal = [](const char *name, const char *chunks) {
            const auto chunking = chunkingByName(chunks, sample(name), onReference());
            return chunking ? std::string() : chunking.error().message;
        };
        const std::string norm = refusal("resnet50", "batch=2");
        QVERIFY2(norm.find("batch_norm") != std::string::npos, norm.c_str());
        const std::string eight = refusal("gpt2", "batch=7");
        QVERIFY2(eight.find("input_ids\" 8") != std::string::npos, eight.c_str()); // rows of an input
        const std::string stem = refusal("unet", "batch=4");
        QVERIFY2(stem.find("_native_batch_norm_legit_functional\"") != std::string::npos, stem.c_str());
    }

    void opsCanBeAddedToChunksByHand()
    {
        const Model model = sample("tiny_gpt2");
        const ChunkSetting setting = onReference();
        const auto head = withRegion({}, "mm", 8, model, setting);
        QVERIFY2(head, head ? "" : head.error().message.c_str());
        const auto both = withRegion(*head, "addmm_2", 4, model, setting);
        QVERIFY2(both, both ? "" : both.error().message.c_str());
        QCOMPARE(both->regions.size(), std::size_t(2));
        const auto fewer = withRegion(*both, "mm#3", 2, model, setting);
        QVERIFY(fewer && fewer->regions.size() == 2 && fewer->regions[0].k == 2 && fewer->regions[1].k == 4);
        ChunkSetting leavesIt = setting;
        leavesIt.whole = {"mm"};
        QVERIFY(!withRegion({}, "mm", 8, model, leavesIt));
    }

    void plansBelowTheFloorAreFound()
    {
        const Model model = sample("gpt2");
        const ChunkSetting setting = onReference();
        const auto whole = inSetting(model, {}, setting);
        QVERIFY(whole);
        const auto planner = findPlanner("chen-greedy");
        QVERIFY(planner);
        SolveRequest request;
        request.budgetBytes = whole->floor.bytes * 9 / 10;
        request.options = *makeOptions((*planner)->info.options, {});
        const auto found = planInChunks(**planner, model, setting, request, {});
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QVERIFY(found->outcome.plan);
        QVERIFY(!found->chunked.chunking.regions.empty());
        const Verdict verdict = checkPlan(found->chunked.model->graph, found->chunked.costs, *found->outcome.plan);
        QVERIFY2(verdict.ok, verdict.sentence.c_str());
        QVERIFY(verdict.peakBytes <= request.budgetBytes);
    }
};

QTEST_GUILESS_MAIN(TstChunk)
#include "tst_chunk.moc"
