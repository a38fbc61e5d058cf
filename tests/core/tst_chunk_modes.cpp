// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/modes.h"
#include "core/chunk/piece_layout.h"
#include "core/chunk/split.h"

#include <QtTest>

using namespace remat;

namespace {

/// A program of one call: tensors of these sizes in, tensors of these sizes out.
class OneCall
{
public:
    explicit OneCall(const char *opName) { m_node.opName = opName; }

    OneCall &reads(const char *name, Sizes sizes)
    {
        m_node.arguments.push_back({name, add(std::move(sizes)), false});
        return *this;
    }
    OneCall &with(const char *name, Argument value)
    {
        m_node.arguments.push_back({name, std::move(value), false});
        return *this;
    }
    OneCall &makes(Sizes sizes)
    {
        m_node.outputs.push_back(add(std::move(sizes)));
        return *this;
    }
    OneCall &writesTo(const char *name)
    {
        m_node.mutates.emplace_back(name);
        return *this;
    }
    std::vector<Mode> modes(std::int64_t k) const { return modesOf(m_program, m_node, k); }
    bool has(std::int64_t k, std::vector<int> ins, std::vector<int> outs) const
    {
        const std::vector<Mode> all = modes(k);
        return std::find(all.begin(), all.end(), Mode{std::move(ins), std::move(outs)}) != all.end();
    }

private:
    ValueId add(Sizes sizes)
    {
        Value value;
        value.sizes = std::move(sizes);
        m_program.values.push_back(std::move(value));
        return ValueId(m_program.values.size() - 1);
    }

    Program m_program;
    Node m_node;
};

} // namespace

class TstChunkModes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aDimIsCutOrTakenApartForTheNext()
    {
        using Cuts = std::vector<Cut>;
        QCOMPARE(*cutsOf({4096, 10}, 0, 32), (Cuts{{0, 32}}));
        QCOMPARE(*cutsOf({8, 512, 10}, 0, 32), (Cuts{{0, 8}, {1, 4}}));
        QCOMPARE(*cutsOf({8, 1, 512}, 0, 16), (Cuts{{0, 8}, {2, 2}}));
        QVERIFY(!cutsOf({8, 512}, 0, 12)); // 12 are no multiple of 8
        QVERIFY(!cutsOf({1, 512}, 0, 2));  // the dim that is cut has more than one element
        QVERIFY(!cutsOf({4, 2}, 0, 16));   // more pieces than elements
        QVERIFY(!cutsOf({5, 2}, 0, 4));    // two elements each leave nothing for the fourth
        QVERIFY(!cutsOf({8}, 1, 2) && !cutsOf({8}, -1, 2) && !cutsOf({8}, 0, 1));
    }

    void whatCompilersMakeOfALossIsCutAlongItsRows()
    {
        const auto gather = [](Sizes places) {
            OneCall call("aten::gather");
            return call.reads("self", {64, 100}).with("dim", std::int64_t(1)).reads("index", places).makes(places);
        };
        QVERIFY(gather({64, 1}).has(4, {0, 0}, {0}));
        QVERIFY(!gather({64, 1}).has(4, {1, -1}, {-1}));
        QVERIFY(gather({32, 1}).modes(4).empty()); // places of the first half only
        OneCall scatter("aten::slice_scatter");
        scatter.reads("self", {8, 64, 100}).reads("src", {8, 63, 100}).with("dim", std::int64_t(1));
        scatter.makes({8, 64, 100});
        QVERIFY(scatter.has(4, {0, 0}, {0}) && scatter.has(4, {2, 2}, {2}) && !scatter.has(4, {1, 1}, {1}));
        OneCall converted("prims::convert_element_type");
        converted.reads("a", {64, 100}).makes({64, 100});
        QVERIFY(converted.has(4, {0}, {0}));
    }

    void theLastPieceIsSmaller()
    {
        const Sizes sizes{4095, 3};
        const auto cuts = cutsOf(sizes, 0, 8);
        QVERIFY(cuts);
        std::int64_t next = 0;
        for (int chunk = 0; chunk < 8; ++chunk) {
            const DimRange range = rangesOf(sizes, *cuts, chunk).at(0);
            QCOMPARE(range.begin, next);
            next = range.end;
        }
        QCOMPARE(next, std::int64_t(4095));
        QCOMPARE(pieceSizes(sizes, *cuts, 7), (Sizes{511, 3}));
    }

    void piecesFollowEachOtherInMemory()
    {
        const Sizes sizes{2, 3, 4};
        QCOMPARE(pieceStarts(sizes, 0, 6), (std::vector<std::int64_t>{0, 4, 8, 12, 16, 20}));
        QCOMPARE(pieceStarts(sizes, 1, 3), (std::vector<std::int64_t>{0, 4, 8}));
    }

    void matrixProductsAreCutAlongEachDim()
    {
        OneCall mm("aten::mm");
        mm.reads("self", {8, 16}).reads("mat2", {16, 32}).makes({8, 32});
        QCOMPARE(mm.modes(4).size(), std::size_t(3));
        QVERIFY(mm.has(4, {0, kWhole}, {0}));
        QVERIFY(mm.has(4, {kWhole, 1}, {1}));
        QVERIFY(mm.has(4, {1, 0}, {kSum}));
        QCOMPARE(mm.modes(16).size(), std::size_t(2)); // 8 rows are no 16 pieces
    }

    void transposedConvolutionsHaveTheirChannelsTheOtherWayRound()
    {
        OneCall up("aten::convolution");
        up.reads("input", {8, 64, 16, 16}).reads("weight", {64, 32, 2, 2}).makes({8, 32, 32, 32});
        up.with("transposed", true).with("groups", std::int64_t(1));
        QCOMPARE(up.modes(4).size(), std::size_t(3));
        QVERIFY(up.has(4, {0, kWhole}, {0}));
        QVERIFY(up.has(4, {kWhole, 1}, {1}));
        QVERIFY(up.has(4, {1, 0}, {kSum}));
    }

    void masksOfAttentionAreCutWhereTheyHaveTheDim()
    {
        const auto attention = [](Sizes mask) {
            OneCall call("aten::_scaled_dot_product_flash_attention_for_cpu");
            for (const char *name : {"query", "key", "value"})
                call.reads(name, {4, 2, 8, 16});
            call.reads("attn_mask", std::move(mask)).makes({4, 2, 8, 16}).makes({4, 2, 8});
            return call;
        };
        QVERIFY(attention({4, 1, 8, 8}).has(2, {0, 0, 0, 0}, {0, 0}));
        QVERIFY(attention({4, 1, 8, 8}).has(2, {1, 1, 1, kWhole}, {1, 1}));
        QVERIFY(attention({1, 2, 8, 8}).has(2, {0, 0, 0, kWhole}, {0, 0}));
        QVERIFY(attention({8, 8}).has(2, {0, 0, 0, kWhole}, {0, 0}));
        QCOMPARE(attention({2, 8, 8}).modes(2).size(), std::size_t(0)); // dims that are not those of the query
    }

    void theBiasIsAddedOnce()
    {
        OneCall addmm("aten::addmm");
        addmm.reads("self", {32}).reads("mat1", {8, 16}).reads("mat2", {16, 32}).makes({8, 32});
        QCOMPARE(addmm.modes(4).size(), std::size_t(3));
        QVERIFY(addmm.has(4, {kWhole, 0, kWhole}, {0}));
        QVERIFY(addmm.has(4, {0, kWhole, 1}, {1}));
        QVERIFY(addmm.has(4, {kWhole, 1, 0}, {kSum}));
        QCOMPARE(addmm.with("beta", 2.0).modes(4).size(), std::size_t(2)); // twice the bias in the first piece alone
    }

    void operandsThatBroadcastAreWhole()
    {
        OneCall add("aten::add");
        add.reads("self", {4, 6}).reads("other", {6}).makes({4, 6});
        QVERIFY(add.has(2, {0, kWhole}, {0}));
        QVERIFY(add.has(2, {1, 0}, {1}));
        // Two dims are cut, and the operand has one of them.
        OneCall part("aten::add");
        part.reads("self", {2, 6}).reads("other", {6}).makes({2, 6});
        QVERIFY(part.modes(4).empty());
    }

    void softmaxKeepsItsDim()
    {
        OneCall softmax("aten::_log_softmax");
        softmax.reads("self", {8, 10}).with("dim", std::int64_t(-1)).makes({8, 10});
        QCOMPARE(softmax.modes(2), (std::vector<Mode>{{{0}, {0}}}));
        QVERIFY(softmax.modes(5).empty());
    }

    void viewsKeepTheSamePieces()
    {
        OneCall view("aten::view");
        view.reads("self", {8, 512, 3}).with("size", std::vector<std::int64_t>{4096, 3}).makes({4096, 3});
        QVERIFY(view.has(8, {0}, {0}));
        QVERIFY(view.has(32, {0}, {0}));
        QVERIFY(!view.has(2, {1}, {0})); // half of each row is no half of all
        OneCall uneven("aten::view");
        uneven.reads("self", {8, 511}).with("size", std::vector<std::int64_t>{4088}).makes({4088});
        QVERIFY(uneven.has(8, {0}, {0}));
        QVERIFY(!uneven.has(16, {0}, {0})); // 256 and 255 in each row, 256 throughout when flat
    }

    void meansNeedAllOfIt()
    {
        const auto loss = [](std::int64_t reduction) {
            OneCall call("aten::nll_loss_forward");
            call.reads("self", {8, 10}).reads("target", {8}).with("weight", NoneArg{}).with("reduction", reduction);
            return call.with("ignore_index", std::int64_t(-100)).makes({}).makes({});
        };
        QVERIFY(loss(1).modes(2).empty());
        QCOMPARE(loss(2).modes(2), (std::vector<Mode>{{{0, 0}, {kSum, kSum}}}));
        OneCall mean("aten::mean");
        mean.reads("self", {8, 10}).with("dim", std::vector<std::int64_t>{0}).makes({10});
        QCOMPARE(mean.modes(2), (std::vector<Mode>{{{1}, {0}}}));
    }

    void normsSumOverWhatTheyDoNotNormalize()
    {
        OneCall norm("aten::native_layer_norm_backward");
        norm.reads("grad_out", {8, 6, 4}).reads("input", {8, 6, 4});
        norm.with("normalized_shape", std::vector<std::int64_t>{4}).reads("mean", {8, 6, 1}).reads("rstd", {8, 6, 1});
        norm.reads("weight", {4}).reads("bias", {4}).makes({8, 6, 4}).makes({4}).makes({4});
        QVERIFY(norm.has(8, {0, 0, 0, 0, kWhole, kWhole}, {0, kSum, kSum}));
        QVERIFY(norm.has(2, {1, 1, 1, 1, kWhole, kWhole}, {1, kSum, kSum}));
        QVERIFY(norm.modes(4).size() == 0 || !norm.has(4, {2, 2, 2, 2, 0, 0}, {2, 0, 0}));
    }

    void convolutionsAreCutAlongBatchAndChannels()
    {
        OneCall conv("aten::convolution");
        conv.reads("input", {8, 4, 16, 16}).reads("weight", {6, 4, 3, 3}).with("bias", NoneArg{});
        conv.with("transposed", false).with("groups", std::int64_t(1)).makes({8, 6, 16, 16});
        QVERIFY(conv.has(2, {0, kWhole}, {0}));
        QVERIFY(conv.has(2, {kWhole, 0}, {1}));
        QVERIFY(conv.has(2, {1, 1}, {kSum}));
        QCOMPARE(conv.modes(16).size(), std::size_t(0)); // no cut within an image
    }

    void whatIsUnknownOrWritesStaysWhole()
    {
        OneCall scatter("aten::scatter_add");
        scatter.reads("self", {8, 4}).reads("index", {8, 4}).makes({8, 4});
        QVERIFY(scatter.modes(2).empty());
        OneCall add("aten::add");
        add.reads("self", {8}).reads("other", {8}).makes({8});
        QVERIFY(!add.modes(2).empty());
        QVERIFY(add.writesTo("self").modes(2).empty());
    }

    void sumsOfExponentialsNeedTheirDim()
    {
        OneCall sums("aten::logsumexp");
        sums.reads("self", {8, 10}).with("dim", std::vector<std::int64_t>{-1}).makes({8});
        QCOMPARE(sums.modes(2), (std::vector<Mode>{{{0}, {0}}}));
    }

    void groupedHeadsAreNotCutApart()
    {
        const auto attention = [](std::int64_t keyHeads) {
            OneCall call("aten::_scaled_dot_product_flash_attention_for_cpu");
            call.reads("query", {2, 8, 16, 4}).reads("key", {2, keyHeads, 16, 4}).reads("value", {2, keyHeads, 16, 4});
            return call.with("dropout_p", 0.0).makes({2, 8, 16, 4}).makes({2, 8, 16});
        };
        QVERIFY(attention(8).has(4, {0, 0, 0}, {0, 0})); // each sequence, and half of its heads
        QVERIFY(attention(8).has(2, {1, 1, 1}, {1, 1}));
        QVERIFY(!attention(2).has(2, {1, 1, 1}, {1, 1}));
        QVERIFY(attention(2).modes(4).empty());
    }

    void piecesAreDenseFromTheOutermostDimOn()
    {
        Value value;
        value.sizes = {8, 4, 16, 2};
        value.strides = {128, 2, 8, 1}; // [8, 16, 4, 2] with its inner dims turned
        QVERIFY(isDense(value));
        QVERIFY(piecesAreDense(value, *cutsOf(value.sizes, 0, 4)));
        QVERIFY(!piecesAreDense(value, *cutsOf(value.sizes, 1, 4)));
        QCOMPARE(stridesLike(value, {2, 4, 16, 2}), value.strides);
        QCOMPARE(stridesLike(value, {8, 1, 16, 2}), (std::vector<std::int64_t>{32, 2, 2, 1}));
        value.strides = {256, 2, 16, 1};
        QVERIFY(!isDense(value));
    }
};

QTEST_GUILESS_MAIN(TstChunkModes)
#include "tst_chunk_modes.moc"
