// Programs of a few nodes, built by hand: what a trace may say wrongly, and what cannot be run at all.
#include "tests/gpu/program_builder.h"
#include "tests/gpu/run_support.h"
#include "tests/support/torch.h"

#include <QTest>

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
    void hiddenMutationIsFound();
    void writtenInputsStartEachRunAsTheyWere();
    void longChainsOfViews();
    void longChainsOfViewsThatReadViews();
    void unknownOperator();
    void unknownArgument();
    void failingOperator();
    void graphWithoutOperators();
    void tooLargeForTheMachine();
    void noRepeats();
};

void TestSmallPrograms::hiddenMutationIsFound()
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
    QVERIFY2(sentence.contains("added (add_) is the first op that gives other bits"), again->sentence.c_str());

    const auto profile = profileModel(model, RunDevice::Cpu, 2, {});
    QVERIFY2(profile, profile ? "" : profile.error().message.c_str());
    QCOMPARE(profile->aliasMismatches.size(), std::size_t(1));
    QVERIFY2(QString::fromStdString(profile->aliasMismatches[0]).startsWith("added has memory of its own"),
             profile->aliasMismatches[0].c_str());
    for (const OpMeasurement &op : profile->ops)
        QVERIFY(op.timeUs > 0);
}

void TestSmallPrograms::writtenInputsStartEachRunAsTheyWere()
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

void TestSmallPrograms::longChainsOfViews()
{
    // Every view is made on demand from the value that owns the memory, however far away, also after a recomputation.
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

void TestSmallPrograms::longChainsOfViewsThatReadViews()
{
    // Each view takes its shape from the one before it, whose memory it does not share.
    Builder builder;
    const ValueId x = builder.input("x");
    const ValueId twice = builder.node("twice", "aten::mul", "Tensor", {{"self", x}, {"other", 2.0}});
    ValueId view = x;
    for (int index = 0; index < 100'000; ++index) {
        view = builder.node("view" + std::to_string(index), "aten::view_as", "", {{"self", twice}, {"other", view}});
        builder.lastIsViewOf(view, twice);
    }
    const ValueId loss = builder.node("loss", "aten::sum", "", {{"self", view}}, true);
    const Model model = builder.model(loss);
    QCOMPARE(model.graph.ops.size(), std::size_t(2));
    const auto record = validate(model, {OpId(0), OpId(1)});
    QVERIFY2(record, record ? "" : record.error().message.c_str());
    QVERIFY2(record->passed, record->sentence.c_str());
}

void TestSmallPrograms::unknownOperator()
{
    Builder builder;
    const ValueId x = builder.input("x");
    const Model model = builder.model(builder.node("roi", "torchvision::roi_align", "", {{"input", x}}));
    const auto record = validate(model, {OpId(0)});
    QVERIFY(!record);
    QVERIFY2(QString::fromStdString(record.error().message).startsWith("Op roi calls torchvision::roi_align"),
             record.error().message.c_str());
}

void TestSmallPrograms::unknownArgument()
{
    for (const NamedArgument &second : {NamedArgument{"offset", 1.0}, NamedArgument{"other", std::string("two")}}) {
        Builder builder;
        const ValueId x = builder.input("x");
        const Model model = builder.model(builder.node("sum", "aten::add", "Tensor", {{"self", x}, second}));
        const auto record = validate(model, {OpId(0)});
        QVERIFY(!record);
        QVERIFY2(QString::fromStdString(record.error().message).startsWith("Op sum: "), record.error().message.c_str());
    }
}

void TestSmallPrograms::failingOperator()
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

void TestSmallPrograms::graphWithoutOperators()
{
    Model model;
    model.graph = chainGraph(3);
    const CostTable costs = graphCosts(model.graph);
    const auto record = validatePlan(model, costs, keepAllPlan(model.graph), RunDevice::Cpu, {});
    QVERIFY(!record);
    QVERIFY(QString::fromStdString(record.error().message).contains("remat_studio.trace"));
    QVERIFY(!profileModel(model, RunDevice::Cpu, 1, {}));
}

void TestSmallPrograms::tooLargeForTheMachine()
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

void TestSmallPrograms::noRepeats()
{
    Builder builder;
    const ValueId x = builder.input("x");
    const Model model = builder.model(builder.node("twice", "aten::mul", "Tensor", {{"self", x}, {"other", 2.0}}));
    QVERIFY(!profileModel(model, RunDevice::Cpu, 0, {}));
}

QTEST_GUILESS_MAIN(TestSmallPrograms)
#include "tst_small_programs.moc"
