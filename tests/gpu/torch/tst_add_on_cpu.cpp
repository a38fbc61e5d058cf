// SPDX-License-Identifier: Apache-2.0
// Sums of different types on a CPU: the bits of LibTorch's own call.
#include "gpu/torch/add_on_cpu.h"

#include <QtTest>

#include <ATen/ATen.h>

using namespace remat;

namespace {

at::Tensor numbers(std::vector<std::int64_t> sizes, at::ScalarType type, std::uint64_t seed)
{
    return at::randn(sizes, at::detail::createCPUGenerator(seed), at::kDouble).to(type);
}

} // namespace

class TestAddOnCpu : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bitsAreThoseOfOneCall_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<bool>("turned");
        QTest::newRow("one block") << 3 << 5 << false;
        QTest::newRow("blocks that do not come out even") << 61 << 67 << false;
        QTest::newRow("more than a block of the least size") << 601 << 701 << false;
        QTest::newRow("columns first") << 61 << 67 << true;
        QTest::newRow("nothing") << 0 << 7 << false;
    }
    void bitsAreThoseOfOneCall()
    {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(bool, turned);
        for (const at::ScalarType type : {at::kBFloat16, at::kHalf})
            for (const double alpha : {1.0, 0.3}) {
                at::Tensor sum = numbers({rows, columns}, at::kFloat, 1), term = numbers({rows, columns}, type, 2);
                if (turned) sum = sum.t(), term = term.t();
                const at::Tensor expected = sum.clone().add_(term, alpha);
                std::vector<c10::IValue> stack{sum, term, alpha};
                QVERIFY(addInBlocksOnCpu("aten::add_", stack));
                QCOMPARE(stack.size(), std::size_t(1));
                QVERIFY(stack[0].toTensor().is_same(sum));
                QVERIFY(sum.equal(expected));
            }
    }

    void otherCallsAreLeftAsTheyAre()
    {
        const at::Tensor sum = numbers({8, 8}, at::kFloat, 1), term = numbers({8, 8}, at::kBFloat16, 2);
        const auto isTaken = [](const std::string &name, const at::Tensor &a, const at::Tensor &b) {
            std::vector<c10::IValue> stack{a, b, 1.0};
            return addInBlocksOnCpu(name, stack) || stack.size() != 3;
        };
        QVERIFY(isTaken("aten::add_", sum, term));
        QVERIFY(!isTaken("aten::add", sum, term));
        QVERIFY(!isTaken("aten::add_", sum, sum));                                // one type
        QVERIFY(!isTaken("aten::add_", sum, term.t()));                           // another order in memory
        QVERIFY(!isTaken("aten::add_", sum, term[0]));                            // broadcast
        QVERIFY(!isTaken("aten::add_", sum.slice(1, 0, 4), term.slice(1, 0, 4))); // gaps
    }
};

QTEST_GUILESS_MAIN(TestAddOnCpu)
#include "tst_add_on_cpu.moc"
