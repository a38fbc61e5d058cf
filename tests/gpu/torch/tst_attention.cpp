// SPDX-License-Identifier: Apache-2.0
// Attention of CPU traces as a GPU would run it: what its kernel does not take is plain math, which runs here, too.
#include "gpu/torch/attention.h"
#include "gpu/torch/attention_math.h"

#include <QtTest>

#include <ATen/ATen.h>

using namespace remat;

namespace {

const std::string kForward = "aten::_scaled_dot_product_flash_attention_for_cpu",
                  kBackward = "aten::_scaled_dot_product_flash_attention_for_cpu_backward";

at::Tensor numbers(std::vector<std::int64_t> sizes, at::ScalarType type, std::uint64_t seed)
{
    return at::randn(sizes, at::detail::createCPUGenerator(seed), at::kDouble).to(type);
}

/// The largest difference over the largest value.
double apart(const at::Tensor &a, const at::Tensor &b)
{
    if (!a.defined() || a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return 1;
    return (a - b).abs().max().item<double>() / b.abs().max().item<double>();
}

struct Case {
    at::Tensor query, key, value, mask;
    bool causal = false;
};

Case caseOf(at::ScalarType type, std::int64_t head, bool masked, bool causal)
{
    // Rows of one head lie apart, as a layer leaves them.
    const auto heads = [&](std::int64_t positions, std::uint64_t seed) {
        return numbers({2, positions, 3, head}, type, seed).transpose(1, 2);
    };
    Case made{heads(7, 1), heads(9, 2), heads(9, 3), {}, causal};
    if (causal) made.key = heads(7, 2), made.value = heads(7, 3);
    if (masked) made.mask = numbers({2, 1, 7, made.key.size(2)}, type, 4);
    return made;
}

std::vector<c10::IValue> forwardStack(const Case &of)
{
    return {of.query,     of.key, of.value, 0.0, of.causal, of.mask.defined() ? c10::IValue(of.mask) : c10::IValue(),
            c10::IValue()};
}

} // namespace

class TestAttention : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatTheKernelDoesNotTakeIsMath_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("head");
        QTest::addColumn<bool>("masked");
        QTest::addColumn<bool>("causal");
        for (const bool masked : {false, true})
            for (const bool causal : {false, true}) {
                const char *how = masked ? (causal ? "masked, causal" : "masked") : (causal ? "causal" : "plain");
                QTest::addRow("double, 8 numbers a head, %s", how) << int(at::kDouble) << 8 << masked << causal;
                QTest::addRow("float, 5 numbers a head, %s", how) << int(at::kFloat) << 5 << masked << causal;
            }
        QTest::newRow("bfloat16, 12 numbers a head") << int(at::kBFloat16) << 12 << false << true;
    }
    void whatTheKernelDoesNotTakeIsMath()
    {
        QFETCH(int, type);
        QFETCH(int, head);
        QFETCH(bool, masked);
        QFETCH(bool, causal);
        const auto dtype = static_cast<at::ScalarType>(type);
        const double tolerance = dtype == at::kDouble ? 1e-12 : dtype == at::kFloat ? 1e-5 : 2e-2;
        const Case of = caseOf(dtype, head, masked, causal);
        const std::optional<at::Tensor> mask = masked ? std::optional(of.mask) : std::nullopt;

        auto [output, sums] =
            at::_scaled_dot_product_flash_attention_for_cpu(of.query, of.key, of.value, 0.0, causal, mask);
        std::vector<c10::IValue> stack = forwardStack(of);
        QVERIFY(callAttentionOnCuda(kForward, stack));
        QCOMPARE(stack.size(), std::size_t(2));
        QVERIFY(apart(stack[0].toTensor(), output) < tolerance);
        QVERIFY(apart(stack[1].toTensor(), sums) < tolerance);

        const at::Tensor gradient = numbers(output.sizes().vec(), dtype, 5);
        auto [query, key, value] = at::_scaled_dot_product_flash_attention_for_cpu_backward(
            gradient, of.query, of.key, of.value, output, sums, 0.0, causal, mask);
        stack = {gradient,     of.query, of.key,
                 of.value,     output,   sums,
                 0.0,          causal,   masked ? c10::IValue(of.mask) : c10::IValue(),
                 c10::IValue()};
        QVERIFY(callAttentionOnCuda(kBackward, stack));
        QCOMPARE(stack.size(), std::size_t(3));
        QVERIFY(apart(stack[0].toTensor(), query) < 10 * tolerance);
        QVERIFY(apart(stack[1].toTensor(), key) < 10 * tolerance);
        QVERIFY(apart(stack[2].toTensor(), value) < 10 * tolerance);
    }

    void masksOfTruthAreAddedAsInfinity()
    {
        Case of = caseOf(at::kDouble, 8, true, false);
        const at::Tensor seen = of.mask > 0;
        of.mask = at::zeros_like(of.mask).masked_fill(seen.logical_not(), -INFINITY);
        std::vector<c10::IValue> added = forwardStack(of);
        of.mask = seen;
        std::vector<c10::IValue> said = forwardStack(of);
        QVERIFY(callAttentionOnCuda(kForward, added) && callAttentionOnCuda(kForward, said));
        QVERIFY(at::equal(added[0].toTensor(), said[0].toTensor()));
    }

    void allElseIsTheKernels()
    {
        // Which a CPU does not have.
        for (const auto &[type, head] : {std::pair{at::kFloat, 8}, {at::kHalf, 16}, {at::kBFloat16, 64}}) {
            std::vector<c10::IValue> stack = forwardStack(caseOf(type, head, false, false));
            bool refused = false;
            try {
                callAttentionOnCuda(kForward, stack);
            } catch (const c10::Error &) {
                refused = true;
            }
            QVERIFY(refused);
        }
        std::vector<c10::IValue> other{1.0};
        QVERIFY(!callAttentionOnCuda("aten::mul", other));
        QCOMPARE(other.size(), std::size_t(1));
    }
};

QTEST_APPLESS_MAIN(TestAttention)
#include "tst_attention.moc"
