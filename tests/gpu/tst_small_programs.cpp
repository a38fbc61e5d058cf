// SPDX-License-Identifier: Apache-2.0
// Programs of a few nodes, built by hand: what a trace may say wrongly, and what cannot be run at all.
#include "tests/gpu/program_builder.h"
#include "tests/gpu/run_support.h"
#include "tests/support/torch.h"

#include <QtTest>

#include <cmath>

using namespace remat;
using namespace remat::test;

namespace {

Expected<ValidationRecord> validate(const Model &model, const std::vector<OpId> &sequence)
{
    Plan plan;
    plan.steps = withEarliestFrees(model.graph, sequence);
    return validatePlan(model, bareCosts(model.graph), plan, RunDevice::Cpu, {});
}

} // namespace

class TestSmallPrograms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
    }

    void hiddenMutationIsFound()
    {
        // add_ writes to what it reads, and the program does not say so: computed twice, it adds twice.
        Builder builder;
        const ValueId x = builder.input("x");
        const ValueId twice = builder.node("twice", "aten::mul", "Tensor", {{"self", x}, {"other", 2.0}});
        const ValueId added = builder.node("added", "aten::add_", "Tensor", {{"self", twice}, {"other", 1.0}});
        const ValueId loss = builder.node("loss", "aten::sum", "", {{"self", added}}, true);
        const Model model = builder.model(loss);

        const auto once = validate(model, {OpId(0), OpId(1), OpId(2)});
        QVERIFY2(once, once ? "" : once.error().message.c_str());
        QVERIFY2(once->lossEqual && once->differences.empty(), once->sentence.c_str());

        const auto again = validate(model, {OpId(0), OpId(1), OpId(1), OpId(2)});
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QVERIFY(!again->passed);
        QVERIFY(!again->lossEqual);
        QCOMPARE(again->differences.size(), std::size_t(1));
        QCOMPARE(again->differences.front().name, std::string("loss"));
        QVERIFY(std::abs(again->largestDifference - 1024) < 1);
        const QString sentence = QString::fromStdString(again->sentence);
        QVERIFY2(sentence.startsWith("The loss differs by 1e+03 at most."), again->sentence.c_str());
        QVERIFY2(sentence.contains("added (add_), is the first that goes wrong"), again->sentence.c_str());

        const auto profile = profileModel(model, RunDevice::Cpu, {2}, {});
        QVERIFY2(profile, profile ? "" : profile.error().message.c_str());
        QCOMPARE(profile->aliasMismatches.size(), std::size_t(1));
        QVERIFY2(QString::fromStdString(profile->aliasMismatches[0]).startsWith("added has memory of its own"),
                 profile->aliasMismatches[0].c_str());
        for (const OpMeasurement &op : profile->ops)
            QVERIFY(op.timeUs > 0);
    }

    void writtenInputsStartEachRunAsTheyWere()
    {
        Builder builder;
        const ValueId x = builder.input("x");
        const ValueId added = builder.node("added", "aten::add_", "Tensor", {{"self", x}, {"other", 1.0}});
        builder.lastWritesTo(x);
        const ValueId loss = builder.node("loss", "aten::sum", "", {{"self", added}}, true);
        const Model model = builder.model(loss);
        QCOMPARE(model.graph.ops.size(), std::size_t(2));
        const auto record = validate(model, {OpId(0), OpId(1)});
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QVERIFY2(record->passed, record->sentence.c_str());
    }

    void aCopyOfAPartWeighsAsTheWholeThatThePartLiesIn()
    {
        Builder builder;
        const ValueId x = builder.input("x");
        const ValueId wide =
            builder.node("wide", "aten::repeat", "", {{"self", x}, {"repeats", std::vector<std::int64_t>{64}}});
        builder.shape(wide, {64 * 1024});
        const auto part = [&](const char *name, ValueId of) {
            const ValueId view = builder.node(name, "aten::slice", "Tensor",
                                              {{"self", of},
                                               {"dim", std::int64_t(0)},
                                               {"start", std::int64_t(0)},
                                               {"end", std::int64_t(64)},
                                               {"step", std::int64_t(1)}});
            builder.shape(view, {64});
            builder.lastIsViewOf(view, of);
            return view;
        };
        const ValueId into = part("into", wide), from = part("from", x);
        const ValueId copied = builder.node("copied", "aten::copy", "", {{"self", into}, {"src", from}});
        builder.shape(copied, {64});
        const ValueId loss = builder.node("loss", "aten::sum", "", {{"self", copied}}, true);
        const Model model = builder.model(loss);
        const auto record = validate(model, {OpId(0), OpId(1), OpId(2)});
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QVERIFY2(record->passed, record->sentence.c_str());
        QCOMPARE(record->predictedPeakBytes, std::int64_t(2 * 64 * 4096));
        QCOMPARE(record->measuredPeakBytes, record->predictedPeakBytes);
    }

    void aLossKeepsTheStorageOfTheLossesOfAllNumbers()
    {
        Builder builder;
        const ValueId x = builder.input("x");
        const ValueId twice = builder.node("twice", "aten::mul", "Tensor", {{"self", x}, {"other", 2.0}});
        const ValueId mean = builder.node("mean", "aten::mse_loss", "",
                                          {{"self", twice}, {"target", x}, {"reduction", std::int64_t(1)}}, true);
        // Here most is held: the mean's storage, and what both of these make. The kernel of the mean takes less.
        const ValueId more = builder.node("more", "aten::add", "Tensor", {{"self", x}, {"other", mean}});
        const ValueId most = builder.node("most", "aten::add", "Tensor", {{"self", more}, {"other", mean}});
        const ValueId sum = builder.node("sum", "aten::add", "Tensor", {{"self", more}, {"other", most}});
        const ValueId loss = builder.node("loss", "aten::sum", "", {{"self", sum}}, true);
        const Model model = builder.model(loss);
        const auto record = validate(model, {OpId(0), OpId(1), OpId(2), OpId(3), OpId(4), OpId(5)});
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QVERIFY2(record->passed, record->sentence.c_str());
        QCOMPARE(record->predictedPeakBytes, std::int64_t(3 * 4096));
        QCOMPARE(model.graph.storage(model.graph.ops[1].outputs.front()).bytes, std::int64_t(4096));
    }

    void longChainsOfViews()
    {
        // Every view is made on demand from the value that owns the memory, however far away, also after a
        // recomputation.
        Builder builder;
        const ValueId x = builder.input("x");
        const ValueId twice = builder.node("twice", "aten::mul", "Tensor", {{"self", x}, {"other", 2.0}});
        ValueId view = twice;
        for (int index = 0; index < 20000; ++index) {
            view = builder.node("view" + std::to_string(index), "aten::alias", "", {{"self", view}});
            builder.lastIsViewOf(view, index == 0 ? twice : ValueId(std::size_t(view.index() - 1)));
        }
        const ValueId first = builder.node("first", "aten::sum", "", {{"self", view}}, true);
        const ValueId loss = builder.node("loss", "aten::mul", "Tensor", {{"self", view}, {"other", first}});
        const Model model = builder.model(loss);
        QCOMPARE(model.graph.ops.size(), std::size_t(3));
        const auto record = validate(model, {OpId(0), OpId(1), OpId(0), OpId(2)});
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QVERIFY2(record->passed, record->sentence.c_str());
    }

    void longChainsOfViewsThatReadViews()
    {
        // Each view takes its shape from the one before it, whose memory it does not share.
        Builder builder;
        const ValueId x = builder.input("x");
        const ValueId twice = builder.node("twice", "aten::mul", "Tensor", {{"self", x}, {"other", 2.0}});
        ValueId view = x;
        for (int index = 0; index < 100'000; ++index) {
            view =
                builder.node("view" + std::to_string(index), "aten::view_as", "", {{"self", twice}, {"other", view}});
            builder.lastIsViewOf(view, twice);
        }
        const ValueId loss = builder.node("loss", "aten::sum", "", {{"self", view}}, true);
        const Model model = builder.model(loss);
        QCOMPARE(model.graph.ops.size(), std::size_t(2));
        const auto record = validate(model, {OpId(0), OpId(1)});
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QVERIFY2(record->passed, record->sentence.c_str());
    }

    void unknownOperator()
    {
        Builder builder;
        const ValueId x = builder.input("x");
        const Model model = builder.model(builder.node("roi", "torchvision::roi_align", "", {{"input", x}}));
        const auto record = validate(model, {OpId(0)});
        QVERIFY(!record);
        QVERIFY2(QString::fromStdString(record.error().message).startsWith("Op roi calls torchvision::roi_align"),
                 record.error().message.c_str());
    }

    void unknownArgument()
    {
        for (const NamedArgument &second : {NamedArgument{"offset", 1.0}, NamedArgument{"other", std::string("two")}}) {
            Builder builder;
            const ValueId x = builder.input("x");
            const Model model = builder.model(builder.node("sum", "aten::add", "Tensor", {{"self", x}, second}));
            const auto record = validate(model, {OpId(0)});
            QVERIFY(!record);
            QVERIFY2(QString::fromStdString(record.error().message).startsWith("Op sum: "),
                     record.error().message.c_str());
        }
    }

    void failingOperator()
    {
        // The shapes of a matrix product do not fit: LibTorch's own words come through, without its backtrace.
        Builder builder;
        const ValueId x = builder.input("x");
        const Model model = builder.model(builder.node("product", "aten::mm", "", {{"self", x}, {"mat2", x}}));
        const auto record = validate(model, {OpId(0)});
        QVERIFY(!record);
        const QString message = QString::fromStdString(record.error().message);
        QVERIFY2(message.startsWith("Op product (aten::mm) failed on cpu: "), record.error().message.c_str());
        QVERIFY(!message.contains('\n'));
    }

    void graphWithoutOperators()
    {
        Model model;
        model.graph = chainGraph(3);
        const CostTable costs = graphCosts(model.graph);
        const auto record = validatePlan(model, costs, keepAllPlan(model.graph), RunDevice::Cpu, {});
        QVERIFY(!record);
        QVERIFY(QString::fromStdString(record.error().message).contains("remat_studio.trace"));
        QVERIFY(!profileModel(model, RunDevice::Cpu, {1}, {}));
    }

    void tooLargeForTheMachine()
    {
        Builder builder;
        const ValueId x = builder.input("x");
        Model model = builder.model(builder.node("twice", "aten::mul", "Tensor", {{"self", x}, {"other", 2.0}}));
        model.program->values[x.index()].sizes = {std::int64_t(1) << 50};
        const auto record = validate(model, {OpId(0)});
        QVERIFY(!record);
        QVERIFY2(QString::fromStdString(record.error().message).contains("are free on cpu"),
                 record.error().message.c_str());
    }

    void noRepeats()
    {
        Builder builder;
        const ValueId x = builder.input("x");
        const Model model = builder.model(builder.node("twice", "aten::mul", "Tensor", {{"self", x}, {"other", 2.0}}));
        QVERIFY(!profileModel(model, RunDevice::Cpu, {0}, {}));
    }

    void attentionOfGpusIsMathOnACpu_data()
    {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<bool>("causal"); // what the CPU's own kernel is asked for; the other one never masks
        for (const char *kernel : {"efficient", "flash", "cudnn"}) {
            QTest::addRow("%s", kernel) << kernel << false;
            QTest::addRow("%s against another", kernel) << kernel << true;
        }
    }

    void attentionOfGpusIsMathOnACpu()
    {
        QFETCH(QString, kernel);
        QFETCH(bool, causal);
        const std::string name = "aten::_scaled_dot_product_" + kernel.toStdString() + "_attention";
        const bool flash = kernel == "flash";
        Builder builder;
        const std::vector<std::int64_t> sizes = {1, 2, 16, 32};
        const ValueId q = builder.input("q"), k = builder.input("k"), v = builder.input("v");
        const auto node = [&](const std::string &op, const std::string &overload, std::vector<NamedArgument> arguments,
                              const std::vector<std::int64_t> &shape) {
            static int count = 0;
            const ValueId value = builder.node("n" + std::to_string(count++), op, overload, std::move(arguments));
            builder.shape(value, shape);
            return value;
        };
        for (const ValueId input : {q, k, v})
            builder.shape(input, sizes);
        using Arguments = std::vector<NamedArgument>;
        Arguments forward = {{"query", q}, {"key", k}, {"value", v}};
        if (!flash) forward.insert(forward.end(), {{"attn_bias", NoneArg{}}, {"compute_log_sumexp", true}});
        const ValueId made = node(name, "", forward, sizes);
        const std::string ofCpu = "aten::_scaled_dot_product_flash_attention_for_cpu";
        const ValueId expected =
            node(ofCpu, "", {{"query", q}, {"key", k}, {"value", v}, {"is_causal", causal}}, sizes);

        // Its gradient wants the logarithms of the sums.
        const ValueId turned =
            node("aten::transpose_copy", "int", {{"self", k}, {"dim0", std::int64_t{2}}, {"dim1", std::int64_t{3}}},
                 {1, 2, 32, 16});
        const ValueId scores = node("aten::matmul", "", {{"self", q}, {"other", turned}}, {1, 2, 16, 16});
        const ValueId scaled =
            node("aten::mul", "Tensor", {{"self", scores}, {"other", 1 / std::sqrt(32.0)}}, {1, 2, 16, 16});
        const ValueId sums =
            node("aten::logsumexp", "", {{"self", scaled}, {"dim", std::vector<std::int64_t>{-1}}}, {1, 2, 16});
        const ValueId expectedGradient = node(ofCpu + "_backward", "",
                                              {{"grad_out", v},
                                               {"query", q},
                                               {"key", k},
                                               {"value", v},
                                               {"out", expected},
                                               {"logsumexp", sums},
                                               {"dropout_p", 0.0},
                                               {"is_causal", causal}},
                                              sizes);
        Arguments backward = {{kernel == "efficient" ? "grad_out_" : "grad_out", v},
                              {"query", q},
                              {"key", k},
                              {"value", v},
                              {"out", made},
                              {"logsumexp", sums},
                              {"philox_seed", sums},
                              {"philox_offset", sums},
                              {"dropout_p", 0.0}};
        if (!flash) backward.push_back({"attn_bias", NoneArg{}});
        if (kernel == "efficient")
            backward.push_back({"grad_input_mask", std::vector<bool>{true, true, true, false}});
        else
            backward.insert(backward.end(), {{"cum_seq_q", NoneArg{}},
                                             {"cum_seq_k", NoneArg{}},
                                             {"max_q", std::int64_t{16}},
                                             {"max_k", std::int64_t{16}}});
        if (kernel != "efficient") backward.push_back({"is_causal", false});
        const ValueId gradient = node(name + "_backward", "", backward, sizes);

        // A hidden mutation that is repeated shows what it adds: the sum of all differences.
        ValueId sum = node("aten::mul", "Tensor", {{"self", q}, {"other", 0.0}}, sizes);
        const ValueId zero = sum;
        for (const auto &[one, other] : {std::pair(made, expected), std::pair(gradient, expectedGradient)}) {
            const ValueId difference = node("aten::sub", "Tensor", {{"self", one}, {"other", other}}, sizes);
            const ValueId size = node("aten::abs", "", {{"self", difference}}, sizes);
            sum = sum == zero ? size : node("aten::add", "Tensor", {{"self", sum}, {"other", size}}, sizes);
        }
        const ValueId added = node("aten::add_", "Tensor", {{"self", zero}, {"other", sum}}, sizes);
        const ValueId loss = builder.node("loss", "aten::sum", "", {{"self", added}}, true);
        const Model model = builder.model(loss);
        std::vector<OpId> sequence;
        for (std::size_t op = 0; op < model.graph.ops.size(); ++op) {
            sequence.emplace_back(op);
            if (op + 2 == model.graph.ops.size()) sequence.emplace_back(op);
        }
        const auto record = validate(model, sequence);
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        if (causal)
            QVERIFY2(record->largestDifference > 10, record->sentence.c_str());
        else
            QVERIFY2(record->largestDifference < 1e-2, record->sentence.c_str());
    }
};

QTEST_GUILESS_MAIN(TestSmallPrograms)
#include "tst_small_programs.moc"
