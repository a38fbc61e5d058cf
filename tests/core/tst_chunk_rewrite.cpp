// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/modes.h"
#include "core/chunk/prepare.h"
#include "core/chunk/region.h"
#include "core/chunk/rewrite.h"
#include "core/chunk/split.h"
#include "core/chunk/title.h"
#include "core/graph/optimizer.h"
#include "core/graph/program_graph.h"
#include "core/io/plan_header.h"
#include "core/io/plan_text.h"
#include "core/io/pt2_writer.h"

#include <QtTest>

#include <set>

using namespace remat;

namespace {

const Model &tinyGpt2()
{
    static const Model kModel = [] {
        auto model = readModel(REMAT_SAMPLES "/tiny_gpt2.pt2");
        if (!model) qFatal("%s", model.error().message.c_str());
        return std::move(*model);
    }();
    return kModel;
}

const Node &nodeNamed(const Program &program, const std::string &name)
{
    for (const Node &node : program.nodes)
        if (node.name == name) return node;
    qFatal("no node %s", name.c_str());
}

/// Tiny GPT-2 in bfloat16 with as many words: sizes alone, since nothing of it is run.
Model withWords(std::int64_t words)
{
    constexpr std::int64_t kBefore = 257;
    const auto scale = [&](std::int64_t &number) {
        if (number % kBefore == 0) number = number / kBefore * words;
    };
    Model model = tinyGpt2();
    for (Value &value : model.program->values) {
        if (value.dtype == DType::Float32) value.dtype = DType::BFloat16;
        std::for_each(value.sizes.begin(), value.sizes.end(), scale);
        std::for_each(value.strides.begin(), value.strides.end(), scale);
    }
    for (Node &node : model.program->nodes)
        for (NamedArgument &argument : node.arguments) {
            if (auto *number = std::get_if<std::int64_t>(&argument.value); number && *number > 0) scale(*number);
            if (auto *list = std::get_if<std::vector<std::int64_t>>(&argument.value))
                std::for_each(list->begin(), list->end(), scale);
        }
    return model;
}

/// A region grown from the first call of the operator, along the tokens.
ChunkRegion regionFrom(const std::string &opName, const Program &traced, int k)
{
    const Program program = prepared(traced);
    const ValueUses uses = usesOf(program);
    for (std::size_t n = 0; n < program.nodes.size(); ++n)
        if (program.nodes[n].opName == opName)
            return grownRegion(program, uses, NodeId(n), modesOf(program, program.nodes[n], k).at(0), k, 40'000);
    qFatal("no %s", opName.c_str());
}

/// The head with its loss.
ChunkRegion headRegion(const Program &traced, int k)
{
    return regionFrom("aten::_log_softmax", traced, k);
}

ChunkRegion headRegion(int k)
{
    return headRegion(*tinyGpt2().program, k);
}

Chunking head(int k)
{
    return {{headRegion(k)}};
}

std::set<std::string> outputNames(const Program &program)
{
    std::set<std::string> names;
    for (const ProgramOutput &output : program.outputs)
        names.insert(program.value(output.value).name);
    return names;
}

std::string refusal(const Chunking &chunking)
{
    const auto program = inChunks(*tinyGpt2().program, chunking);
    return program ? std::string() : program.error().message;
}

} // namespace

class TstChunkRewrite : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLossWaitsForNoMean()
    {
        const Program program = prepared(*tinyGpt2().program);
        const Node &loss = nodeNamed(program, "nll_loss_forward");
        const Node &gradient = nodeNamed(program, "nll_loss_backward");
        std::set<ValueId> made(loss.outputs.begin(), loss.outputs.end());
        for (const ValueId read : tensorsRead(gradient))
            QVERIFY(!made.contains(read));
        QCOMPARE(outputNames(program), outputNames(*tinyGpt2().program));
        Program copy = program;
        QVERIFY(buildGraph(copy));
    }

    void theHeadGrowsByItself()
    {
        const ChunkRegion region = headRegion(8);
        QCOMPARE(region.nodes.size(), std::size_t(12));
        QCOMPARE(region.nodes.at("mm"), (Mode{{0, kWhole}, {0}}));   // logits
        QCOMPARE(region.nodes.at("mm_1"), (Mode{{1, 0}, {kSum}}));   // the weight's gradient
        QCOMPARE(region.nodes.at("mm_2"), (Mode{{0, kWhole}, {0}})); // the gradient of what the head reads
        QVERIFY(!region.nodes.contains("view_28"));
        QCOMPARE(chunkingTitle({{region}}), std::string("the loss in 8 chunks"));
    }

    void piecesStandOneAfterTheOther()
    {
        const auto program = inChunks(*tinyGpt2().program, head(4));
        QVERIFY(program);
        std::vector<int> order;
        for (const Node &node : program->nodes) {
            const auto [name, chunk] = chunkOf(node.name);
            if (chunk >= 0 && (name == "mm" || name == "mm_2")) order.push_back(chunk);
        }
        QCOMPARE(order, (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
        QCOMPARE(program->value(nodeNamed(*program, "mm#3").outputs[0]).sizes, (Sizes{32, 257}));
        QCOMPARE(nodeNamed(*program, "mm_1#0").opName, std::string("aten::mm"));
        QCOMPARE(nodeNamed(*program, "mm_1#3").opName, std::string("aten::addmm_"));
        QCOMPARE(nodeNamed(*program, "mm_2").opName, std::string("aten::cat"));
        QCOMPARE(outputNames(*program), outputNames(*tinyGpt2().program));
        QCOMPARE(nodeNamed(*program, "_log_softmax_backward_data#2").forwardNode, std::string("_log_softmax#2"));
    }

    /// Logits are shown as [2, 64, 257] between two products of [128, 257]: that cannot be cut in 5, and nobody needs
    /// it.
    void sizesInBetweenForbidNoNumberOfPieces()
    {
        const auto program = inChunks(*tinyGpt2().program, head(5));
        QVERIFY2(program, program ? "" : program.error().message.c_str());
        QCOMPARE(program->value(nodeNamed(*program, "mm#0").outputs[0]).sizes, (Sizes{26, 257}));
        QCOMPARE(program->value(nodeNamed(*program, "mm#4").outputs[0]).sizes, (Sizes{24, 257}));
        for (const Node &node : program->nodes)
            QVERIFY2((node.name != "mm" && !node.name.starts_with("_log_softmax")) || chunkOf(node.name).second >= 0,
                     node.name.c_str());
        Program copy = *program;
        const auto graph = buildGraph(copy);
        QVERIFY2(graph, graph ? "" : graph.error().message.c_str());
    }

    /// An addition for each piece of a loss would be a kernel for each.
    void singleNumbersAreAddedUpAtOnce()
    {
        const auto program = inChunks(*tinyGpt2().program, head(8));
        QVERIFY(program);
        const Node &sum = nodeNamed(*program, "nll_loss_forward_sum");
        QCOMPARE(sum.opName, std::string("aten::sum"));
        const Node &all = nodeNamed(*program, "nll_loss_forward_sum_numbers");
        QCOMPARE(tensorsRead(all).size(), std::size_t(8));
        QCOMPARE(program->value(all.outputs[0]).sizes, Sizes{8});
        QVERIFY(program->value(sum.outputs[0]).sizes.empty());
        const auto fewer = inChunks(*tinyGpt2().program, head(2));
        QVERIFY(fewer);
        QCOMPARE(nodeNamed(*fewer, "nll_loss_forward_sum").opName, std::string("aten::add"));
    }

    /// tanh² needs no gradient, and is for the backward pass all the same.
    void forwardPiecesRunWithoutTheBackwardPass()
    {
        const ChunkRegion region = regionFrom("aten::tanh", *tinyGpt2().program, 2);
        QVERIFY(region.nodes.contains("pow_4") && region.nodes.contains("tanh"));
        const auto program = inChunks(*tinyGpt2().program, {{region}});
        QVERIFY(program);
        bool backward = false;
        for (const Node &node : program->nodes) {
            backward |= node.phase == Phase::Backward;
            QVERIFY2(!backward || node.phase != Phase::Forward, node.name.c_str());
        }
        QVERIFY(backward);
    }

    void theGraphHoldsLessAndSaysWhatItIs()
    {
        const auto chunked = chunkedModel(tinyGpt2(), head(8));
        QVERIFY(chunked);
        QVERIFY(chunked->graph.fingerprint != tinyGpt2().graph.fingerprint);
        std::int64_t logits = 0;
        for (const Storage &storage : chunked->graph.storages)
            if (!isResident(storage.kind) && storage.type.ends_with(",257]")) logits = std::max(logits, storage.bytes);
        QCOMPARE(logits, std::int64_t(16 * 257 * 4 + 511) / 512 * 512);
        QCOMPARE(chunkedModel(tinyGpt2(), {})->graph.fingerprint, tinyGpt2().graph.fingerprint);
        QCOMPARE(chunkedModel(tinyGpt2(), head(8))->graph.fingerprint, chunked->graph.fingerprint);
    }

    void aBiasIsAddedInTheFirstPiece()
    {
        ChunkRegion region;
        region.k = 3;
        region.nodes.emplace("addmm_3", Mode{{kWhole, 1, 0}, {kSum}});
        const auto program = inChunks(*tinyGpt2().program, {{region}});
        QVERIFY2(program, program ? "" : program.error().message.c_str());
        const auto firstRead = [&](const char *name) {
            return program->value(tensorsRead(nodeNamed(*program, name))[0]).name;
        };
        const Program &whole = *tinyGpt2().program;
        QCOMPARE(firstRead("addmm_3#0"), whole.value(tensorsRead(nodeNamed(whole, "addmm_3"))[0]).name);
        QCOMPARE(firstRead("addmm_3#1"), std::string("addmm_3#0"));
        QCOMPARE(firstRead("addmm_3#2"), std::string("addmm_3#1"));
        QCOMPARE(program->value(nodeNamed(*program, "addmm_3#2").outputs[0]).name, std::string("addmm_3"));
        // In float32 the pieces are products of their own.
        region.accumulate = Accumulate::Float32;
        const auto wide = inChunks(*withWords(514).program, {{region}});
        QVERIFY2(wide, wide ? "" : wide.error().message.c_str());
        QCOMPARE(nodeNamed(*wide, "addmm_3#0").opName, std::string("aten::addmm"));
        QCOMPARE(nodeNamed(*wide, "addmm_3#1").opName, std::string("aten::mm"));
    }

    /// The head's weight is the embedding's, too: both gradients, over all pieces, lie in the first term.
    void gradientsAreAddedUpInPlace()
    {
        const auto sums = [](const Graph &graph) {
            std::vector<std::string> names;
            for (const Op &op : graph.ops)
                if (op.into) names.push_back(op.name + " into " + graph.storage(op.into).name);
            return names;
        };
        QCOMPARE(sums(tinyGpt2().graph), std::vector<std::string>());
        QCOMPARE(sums(preparedModel(tinyGpt2())->graph), std::vector<std::string>());
        QCOMPARE(sums(preparedModel(tinyGpt2(), Sums::InPlace)->graph), std::vector<std::string>{"add_18 into mm_1"});
        const auto chunked = chunkedModel(tinyGpt2(), head(4));
        QVERIFY(chunked);
        QCOMPARE(sums(chunked->graph), (std::vector<std::string>{"mm_1#1 into mm_1#0", "mm_1#2 into mm_1#0",
                                                                 "mm_1#3 into mm_1#0", "add_18 into mm_1#0"}));
        for (const Op &op : chunked->graph.ops)
            if (op.into) QVERIFY(op.outputs.empty() && !op.computeOnce && chunked->graph.storage(op.into).isOutput);
        // An update waits for the last term.
        const auto updated = withUpdates(*chunked, Updates{"adamw"});
        QVERIFY(updated);
        std::size_t last = 0, update = 0;
        for (std::size_t i = 0; i < updated->ops.size(); ++i) {
            if (updated->ops[i].into) last = i;
            if (updated->ops[i].name.starts_with("update_") && updated->ops[i].name.ends_with("wte_weight")) update = i;
        }
        QVERIFY(update > last);
    }

    void halfPrecisionIsAddedUpInFloat32()
    {
        Model model = tinyGpt2();
        for (Value &value : model.program->values)
            if (value.dtype == DType::Float32) value.dtype = DType::BFloat16;
        Chunking chunking = head(4);
        chunking.regions[0].accumulate = Accumulate::Float32;
        const auto program = inChunks(*model.program, chunking);
        QVERIFY(program);
        const Node &sum = nodeNamed(*program, "mm_1_added#3");
        QCOMPARE(sum.opName, std::string("aten::add_"));
        QCOMPARE(program->value(sum.outputs[0]).dtype, DType::Float32);
        QCOMPARE(program->value(nodeNamed(*program, "mm_1").outputs[0]).dtype, DType::BFloat16);
        Program copy = *program;
        QVERIFY(buildGraph(copy));
    }

    void largeSumsAreAddedUpInBlocksOfRows()
    {
        const Model model = withWords(1 << 20);
        Chunking chunking = {{headRegion(*model.program, 16)}};
        chunking.regions[0].accumulate = Accumulate::Float32;
        const auto program = inChunks(*model.program, chunking);
        QVERIFY2(program, program ? "" : program.error().message.c_str());
        int added = 0, narrowed = 0;
        for (const Node &node : program->nodes) {
            if (node.outputs.empty() || !node.outputs[0]) continue;
            const Value &made = program->value(node.outputs[0]);
            if (made.sizes != Sizes{1 << 18, 32}) continue;
            QVERIFY2(node.opName != "aten::add", node.name.c_str()); // in place
            added += node.opName == "aten::add_" && made.dtype == DType::Float32 ? 1 : 0;
            narrowed += node.opName == "aten::_to_copy" && made.dtype == DType::BFloat16 ? 1 : 0;
        }
        QCOMPARE(added, 15 * 4);
        QCOMPARE(narrowed, 4);
        const Node &whole = nodeNamed(*program, "mm_1");
        QCOMPARE(whole.opName, std::string("aten::cat"));
        QCOMPARE(program->value(whole.outputs[0]).sizes, (Sizes{1 << 20, 32}));
        Program copy = *program;
        QVERIFY(buildGraph(copy));
    }

    void wrongRegionsAreRefused()
    {
        Chunking chunking = head(8);
        chunking.regions[0].nodes["mm_1"] = {{1, 0}, {0}}; // a sum that says it is cut
        QVERIFY(refusal(chunking).find("\"mm_1\" in a way that is not proven") != std::string::npos);

        chunking = head(8);
        chunking.regions[0].nodes["add_9"] = {{0, 0}, {0}};
        chunking.regions[0].k = 3; // 128 tokens of two sequences
        QVERIFY(!refusal(chunking).empty());

        chunking = head(8);
        chunking.regions[0].nodes["_log_softmax_backward_data"] = {{0, 0}, {0}};
        chunking.regions[0].nodes["t_1"] = {{1}, {0}}; // along the words, which the mode of mm_1 does not follow
        QVERIFY(!refusal(chunking).empty());

        chunking = head(8);
        chunking.regions[0].nodes["nowhere"] = {{0}, {0}};
        QVERIFY(refusal(chunking).find("no node") != std::string::npos);
        chunking = head(8);
        chunking.regions[0].k = 1;
        QVERIFY(!refusal(chunking).empty());
        QVERIFY(!refusal({{ChunkRegion{}}}).empty());
    }

    void copiesKnowTheirOrigin()
    {
        QCOMPARE(chunkOf("mm#3"), (std::pair<std::string, int>{"mm", 3}));
        QCOMPARE(chunkOf("mm#3_2"), (std::pair<std::string, int>{"mm", 3}));
        QCOMPARE(chunkOf("mm"), (std::pair<std::string, int>{"mm", -1}));
        QCOMPARE(chunkOf("mm#x").second, -1);
    }

    void plansSayTheirChunks()
    {
        const auto chunked = chunkedModel(tinyGpt2(), head(8));
        QVERIFY(chunked);
        const ChunkedFrom from{head(8), tinyGpt2().graph.fingerprint};
        const std::string text = planText(keepAllPlan(chunked->graph), chunked->graph, from);
        const auto header = parsePlanHeader(text, "plan.json");
        QVERIFY(header);
        QCOMPARE(header->fingerprint, tinyGpt2().graph.fingerprint);
        QVERIFY(header->chunking == head(8));
        const auto again = chunkedModel(tinyGpt2(), header->chunking);
        const auto plan = parsePlan(text, "plan.json", again->graph, from);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QCOMPARE(plan->steps, keepAllPlan(chunked->graph).steps);
        QVERIFY(!parsePlan(text, "plan.json", tinyGpt2().graph));
        // As of a version that joined what this one reads part by part.
        const std::string other = QString::fromStdString(text).replace("\"mm#3\"", "\"mm_joined\"").toStdString();
        const auto refused = parsePlan(other, "plan.json", chunked->graph, from);
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.find("Plan again with --chunk") != std::string::npos,
                 refused.error().message.c_str());
        const std::string whole = planText(keepAllPlan(tinyGpt2().graph), tinyGpt2().graph);
        QVERIFY(whole.find("remat-plan/1") != std::string::npos);
        QVERIFY(!parsePlan(whole, "plan.json", chunked->graph, from));
        QVERIFY(!parsePlan(text, "plan.json", chunked->graph, {head(4), from.fingerprint}));
    }

    void archivesHoldTheChunkedGraph()
    {
        const auto chunked = chunkedModel(tinyGpt2(), head(8));
        QVERIFY(chunked);
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("chunked.pt2").toStdString();
        const auto written = writePt2(tinyGpt2().path, *chunked->program, path);
        QVERIFY2(written, written ? "" : written.error().message.c_str());
        const auto read = readModel(path);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->graph.fingerprint, chunked->graph.fingerprint);
        QCOMPARE(read->program->name, tinyGpt2().program->name);
        for (std::size_t i = 0; i < read->program->inputs.size(); ++i)
            QCOMPARE(read->program->inputs[i].archivePath, tinyGpt2().program->inputs[i].archivePath);
        QVERIFY(!writePt2(tinyGpt2().path, *chunked->program, folder.filePath("none/chunked.pt2").toStdString()));
    }
};

QTEST_GUILESS_MAIN(TstChunkRewrite)
#include "tst_chunk_rewrite.moc"
