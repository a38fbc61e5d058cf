// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/modes.h"
#include "core/chunk/region.h"
#include "core/chunk/split.h"
#include "core/chunk/title.h"
#include "core/graph/program_graph.h"
#include "core/plan/checker.h"
#include "fake_planner.h"
#include "solvers/chunk/by_name.h"
#include "solvers/chunk/chunks_pay.h"
#include "solvers/chunk/floor.h"
#include "solvers/chunk/grown_anew.h"
#include "solvers/chunk/plan_in_chunks.h"
#include "solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/sampled.h"
#include "tiny_steps.h"

#include <QtTest>

#include <cmath>

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

/// Every region in k pieces that grows around a node of the graph in the chunks so far.
std::vector<ChunkRegion> regionsOf(const Program &program, int k)
{
    const ValueUses uses = usesOf(program);
    std::vector<ChunkRegion> all;
    for (std::size_t n = 0; n < program.nodes.size(); ++n)
        for (const Mode &mode : modesOf(program, program.nodes[n], k))
            for (const std::int64_t threshold : {std::int64_t(0), std::int64_t(1) << 40}) {
                ChunkRegion region = grownRegion(program, uses, NodeId(n), mode, k, threshold);
                const bool isCut = std::any_of(region.nodes.begin(), region.nodes.end(),
                                               [](const auto &entry) { return chunkOf(entry.first).second >= 0; });
                if (!region.nodes.empty() && !isCut && std::find(all.begin(), all.end(), region) == all.end())
                    all.push_back(std::move(region));
            }
    return all;
}

/// Every chunking with so many regions at most, each in so many pieces.
std::vector<Chunking> allOf(const Model &model, int k, int regions)
{
    std::vector<Chunking> all{Chunking()};
    std::size_t begin = 0;
    for (int count = 0; count < regions; ++count) {
        const std::size_t end = all.size();
        for (std::size_t i = begin; i < end; ++i) {
            const auto program = inChunks(*model.program, all[i]);
            if (!program) qFatal("%s", program.error().message.c_str());
            for (ChunkRegion &region : regionsOf(*program, k)) {
                Chunking more = all[i];
                more.regions.push_back(std::move(region));
                const bool isKnown = std::any_of(all.begin(), all.end(), [&](const Chunking &known) {
                    return known.regions.size() == more.regions.size() &&
                           std::is_permutation(known.regions.begin(), known.regions.end(), more.regions.begin());
                });
                if (!isKnown) all.push_back(std::move(more));
            }
        }
        begin = end;
    }
    return all;
}

QString written(const Chunking &chunking)
{
    QString text;
    for (const ChunkRegion &region : chunking.regions) {
        text += QString::number(region.k) + " pieces of";
        for (const auto &[node, mode] : region.nodes)
            text += " " + QString::fromStdString(node) + ":" + QString::number(mode.outs.front());
        text += "; ";
    }
    return text;
}

/// As brute force counts them: what is planned, and what is written in place.
int storagesOf(const Graph &graph)
{
    int planned = 0;
    for (std::size_t s = 0; s < graph.storages.size(); ++s)
        planned += graph.planned(StorageId(s)) ? 1 : 0;
    for (const Op &op : graph.ops)
        planned += op.into ? 1 : 0;
    return planned;
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
        QTest::addColumn<int>("k");
        QTest::addColumn<int>("regions");
        std::size_t wider = 0; // rows of more than one region in two pieces
        const auto row = [&wider](const char *name, Model (*make)(), int k, int regions) {
            if (k * regions > 2 && !test::isSampled(wider++, 3)) return;
            QTest::addRow("%s, up to %d in %d pieces", name, regions, k)
                << std::function<Model()>(make) << k << regions;
        };
        for (const auto &[k, regions] : {std::pair(2, 1), {2, 2}, {3, 1}, {4, 1}}) {
            row("a layer", test::tinyLayer, k, regions);
            row("an MLP", test::tinyMlp, k, regions);
            row("a shared weight", test::tinySharedWeight, k, regions);
            row("a head with its loss", test::tinyHead, k, regions);
            row("attention", test::tinyAttention, k, regions);
            row("a convolution", test::tinyConvolution, k, regions);
        }
    }

    void nothingIsBetterThanTheSearch()
    {
        QFETCH(std::function<Model()>, make);
        QFETCH(int, k);
        QFETCH(int, regions);
        const Model model = make();
        ChunkSetting setting = onReference();
        setting.mostChunks = k;
        const std::vector<Chunking> all = allOf(model, k, regions);
        const int mostStorages = regions == 1 ? 20 : 18; // more take brute force longer than moments
        const auto least = floorInChunks(model, setting, k);
        QVERIFY(least);
        std::vector<ChunkedModel> models;
        std::vector<std::int64_t> peaks;
        for (const Chunking &chunking : all) {
            auto chunked = inSetting(model, chunking, setting);
            QVERIFY2(chunked, chunked ? "" : chunked.error().message.c_str());
            if (storagesOf(chunked->model->graph) > mostStorages) continue;
            peaks.push_back(test::bruteForceSmallestPeak(chunked->model->graph, chunked->costs));
            QVERIFY(least->bytes <= peaks.back());
            models.push_back(std::move(*chunked));
        }
        qInfo("%zu of %zu chunkings", peaks.size(), all.size());
        QVERIFY(peaks.size() >= 3);
        // There is room for four scalars: a sum in a region of its own is made at another time.
        constexpr std::int64_t kScalars = 2048;
        const std::int64_t lowest = *std::min_element(peaks.begin(), peaks.end()) + kScalars;
        QVERIFY(k > 2 || lowest < peaks.front()); // the first peak is that of the graph as it is
        const auto planner = findPlanner("auto");
        QVERIFY(planner);
        for (const std::int64_t budget :
             {lowest, (lowest + peaks.front()) / 2, peaks.front(), keepAllPeak(models[0])}) {
            std::optional<double> best;
            std::size_t bestOf = 0;
            for (std::size_t i = 0; i < models.size(); ++i) {
                // No plan is faster than keep-all of its graph.
                if (peaks[i] > budget || (best && models[i].keepAllTimeUs >= *best)) continue;
                if (const auto time = test::bruteForceOptimum(models[i].model->graph, models[i].costs, budget);
                    time && (!best || *time < *best)) {
                    best = time;
                    bestOf = i;
                }
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
                     qPrintable(QStringLiteral("%1 at %2 with %3, and %4 is possible with %5")
                                    .arg(found->outcome.plan->predicted.timeUs)
                                    .arg(budget)
                                    .arg(written(found->chunked.chunking))
                                    .arg(*best)
                                    .arg(written(models[bestOf].chunking))));
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
        QVERIFY(turns.front().second > 40 && turns.back().second > 900); // no turn took time
    }

    /// In a short time too, most of it is for what is best, and not for first looks at chunks.
    void theBestKeepsItsTimeHoweverShort()
    {
        const Model model = sample("tiny_gpt2");
        const ChunkSetting setting = onReference();
        const std::size_t ops = model.graph.ops.size();
        const auto greedy = findPlanner("chen-greedy"); // what it finds is not the best
        QVERIFY(greedy);
        std::vector<bool> isWhole;
        const Planner planner = test::fakePlanner([&](const SolveRequest &request, const SolveContext &context) {
            isWhole.push_back(request.graph->ops.size() == ops);
            while (context.deadline.secondsLeft() > 0)
                QThread::msleep(5);
            SolveOutcome stopped;
            stopped.status = SolveStatus::Stopped;
            if (!isWhole.back()) return stopped;
            SolveRequest same = request;
            same.options = *makeOptions((*greedy)->info.options, {});
            const auto outcome = solve(**greedy, same, {});
            return outcome ? *outcome : stopped;
        });
        SolveRequest request;
        request.budgetBytes = keepAllPeak(*inSetting(model, {}, setting)) * 4 / 10;
        SolveContext context;
        context.deadline = Deadline(1.4); // a look takes half a second
        const auto found = planInChunks(planner, model, setting, request, context);
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QVERIFY(found->tries.size() >= 2);
        QVERIFY(isWhole.size() >= 2 && isWhole.front() && isWhole.back());
    }

    /// What is better in chunks is proven to be, and a quick plan says so.
    void chunksPayWhereNoWholePlanIsAsFast()
    {
        const Model model = sample("gpt2");
        const ChunkSetting setting = onReference();
        const auto whole = inSetting(model, {}, setting);
        QVERIFY(whole);
        const auto planner = findPlanner("chen-greedy");
        QVERIFY(planner);
        SolveRequest request;
        request.graph = &whole->model->graph;
        request.costs = &whole->costs;
        request.options = *makeOptions((*planner)->info.options, {});
        const auto pays = [&](std::int64_t budget) {
            request.budgetBytes = budget;
            return chunksPay(**planner, model, setting, request, {});
        };
        QVERIFY(pays(whole->floor.bytes - 1));
        QVERIFY(pays(whole->floor.bytes * 11 / 10));
        QVERIFY(!pays(keepAllPeak(*whole)));
        request.pins.never.push_back(OpId(0));
        QVERIFY(!pays(whole->floor.bytes * 11 / 10));
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

    /// A piece of a product is as fast as its share of the whole as long as it has more tokens than the device has
    /// FLOP for each byte, times the bytes of an element; with fewer, the sum that it reads and writes takes longer.
    void fewerTokensThanTheRuleSaysMakeProductsSlower()
    {
        const Model model = sample("gpt2");
        const auto device = findDevice("reference");
        QVERIFY(device);
        constexpr double kTokens = 4096, kWidth = 768, kWords = 50257, kElement = 4;
        const double rate = device->flopsPerSecond.at("default");
        const double fewest = rate / device->bytesPerSecond * kElement;
        // A piece in the middle of the sum of the gradient of the words' table.
        const auto slowerBy = [&](int k) {
            const auto chunking = chunkingByName("head=" + std::to_string(k), model, onReference());
            const auto chunked = chunking ? inSetting(model, *chunking, onReference()) : tl::unexpected(Error{});
            if (!chunked) return -1.0;
            const double work = 2 * kTokens / k * kWidth * kWords / rate * 1e6 + device->launchUs;
            double most = -1;
            for (std::size_t i = 0; i < chunked->model->graph.ops.size(); ++i) {
                const Op &op = chunked->model->graph.ops[i];
                if (op.kind == "addmm_" && chunkOf(op.name).second == 1)
                    most = std::max(most, chunked->costs.timeUs[i] / work);
            }
            return most;
        };
        QVERIFY(kTokens / 8 > fewest && kTokens / 16 < fewest);
        QVERIFY2(std::abs(slowerBy(8) - 1) < 1e-6, qPrintable(QString::number(slowerBy(8))));
        QVERIFY2(slowerBy(16) > fewest / (kTokens / 16), qPrintable(QString::number(slowerBy(16))));
    }

    /// What a region takes along at its border is a decision like the number of its pieces.
    void regionsMayBeWiderAndNarrower()
    {
        const Model model = sample("gpt2");
        const auto head = chunkingByName("head=8", model, onReference());
        QVERIFY2(head, head ? "" : head.error().message.c_str());
        ChunkRegion product;
        product.k = 8;
        product.nodes.insert(*head->regions[0].nodes.find("mm"));
        const auto has = [&](const std::vector<Chunking> &changes, auto test) {
            return std::any_of(changes.begin(), changes.end(), [&](const Chunking &changed) {
                return changed.regions[0].nodes.at("mm") == product.nodes.at("mm") &&
                       test(changed.regions[0].nodes.size());
            });
        };
        const auto of = [&](const ChunkRegion &region) { return grownAnew(model, {{region}}, onReference()); };
        // From the product alone to all that its pieces are read by.
        QVERIFY(has(of(product), [&](std::size_t nodes) { return nodes >= head->regions[0].nodes.size(); }));
        const auto mlp = chunkingByName("addmm_2=4", model, onReference());
        QVERIFY2(mlp, mlp ? "" : mlp.error().message.c_str());
        const std::size_t now = mlp->regions[0].nodes.size();
        std::size_t most = 0, least = now;
        for (const Chunking &changed : grownAnew(model, *mlp, onReference())) {
            most = std::max(most, changed.regions[0].nodes.size());
            least = std::min(least, changed.regions[0].nodes.size());
        }
        qInfo("%zu nodes, and from %zu to %zu", now, least, most);
        QVERIFY(least < now || most > now);
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
