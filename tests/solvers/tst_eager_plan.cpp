// SPDX-License-Identifier: Apache-2.0
#include "core/plan/eager_frees.h"
#include "core/plan/own_sequence.h"
#include "solvers/uses/eager_plan.h"
#include "tests/solvers/solving.h"

#include <QtTest>

#include <algorithm>

using namespace remat;

/// What a model does without a plan: by checkpoints of its own, and by autograd's frees.
class TestEagerPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPartIsLetGoAndComputedAgainAtOnce()
    {
        // f0 … f5, loss (6), b5 … b0 (7 … 12); b_i reads the input of f_i. f1 to f3 are a part: a1 and a2 go in the
        // forward, a3 is read by f4 and stays. b3 (9) reads a2 first, and brings a1 back too.
        const test::Case chain(test::chainGraph(6));
        std::vector<int> parts(chain.graph.ops.size(), -1);
        parts[1] = parts[2] = parts[3] = 7;
        std::vector<int> order;
        for (const OpId op : ownSequence(chain.graph, parts))
            order.push_back(static_cast<int>(op.index()));
        QCOMPARE(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 9, 10, 11, 12}));
        QVERIFY(sequenceCost(chain.graph, chain.costs, ownSequence(chain.graph, parts)).peakBytes <
                chain.keepAllPeakBytes);
        const std::vector<int> none(chain.graph.ops.size(), -1);
        QCOMPARE(ownSequence(chain.graph, none), computeSequence(keepAllPlan(chain.graph)));
    }

    void whatMayBeComputedOnceStays()
    {
        test::Case chain(test::chainGraph(6));
        chain.graph.ops[1].computeOnce = true;
        std::vector<int> parts(chain.graph.ops.size(), -1);
        parts[1] = parts[2] = parts[3] = 0;
        const std::vector<OpId> order = ownSequence(chain.graph, parts);
        QCOMPARE(std::count(order.begin(), order.end(), OpId(1)), 1);
        QCOMPARE(std::count(order.begin(), order.end(), OpId(2)), 2);
    }

    void aFormulaHoldsWhatItReadsAndMakesUntilItsFunctionReturns()
    {
        test::GraphBuilder builder;
        const OpId gradient = builder.op({builder.resident(100)}, {{10}});
        const OpId power = builder.op({builder.output(gradient)}, {{20}});
        const OpId doubled = builder.op({builder.output(power)}, {{30}});
        const OpId last = builder.op({builder.output(doubled)}, {{5}});
        const OpId next = builder.op({builder.output(last)}, {{1, StorageKind::Activation, true, {}}});
        const test::Case of(builder.finish());
        const auto freed = [&](OpId op) { return Step::free(of.graph.op(op).outputs[0]); };
        const std::vector<OpId> sequence = computeSequence(keepAllPlan(of.graph));
        const std::vector<Step> steps = withEagerFrees(of.graph, sequence, {-1, 4, 4, 4, 3}, {});
        const std::vector<Step> expected = {Step::compute(gradient), Step::compute(power), Step::compute(doubled),
                                            Step::compute(last),     freed(gradient),      freed(power),
                                            freed(doubled),          Step::compute(next),  freed(last)};
        QVERIFY(steps == expected);
        QCOMPARE(simulate(of.graph, of.costs, steps)->peakBytes, 65);
        QCOMPARE(of.keepAllPeakBytes, 50);
        QVERIFY(withEagerFrees(of.graph, sequence, {-1, -1, -1, -1, -1}, {}) == keepAllPlan(of.graph).steps);
    }

    void aFormulaLetsGoOfWhatOneGradientTookBeforeTheNext()
    {
        // As addcmul's: gradient * (a * value), then gradient * (b * value).
        test::GraphBuilder builder;
        const StorageId a = builder.resident(100), b = builder.resident(100);
        const StorageId gradient = builder.output(builder.op({a}, {{10}}));
        const OpId scaled = builder.op({a}, {{20}});
        const OpId one = builder.op({gradient, builder.output(scaled)}, {{5, StorageKind::Activation, true, {}}});
        const OpId other = builder.op({b}, {{30}});
        const OpId two = builder.op({gradient, builder.output(other)}, {{5, StorageKind::Activation, true, {}}});
        const test::Case of(builder.finish());
        const auto freed = [&](OpId op) { return Step::free(of.graph.op(op).outputs[0]); };
        const std::vector<OpId> sequence = computeSequence(keepAllPlan(of.graph));
        const std::vector<Step> expected = {Step::compute(OpId(0)), Step::compute(scaled), Step::compute(one),
                                            freed(scaled),          Step::compute(other),  Step::compute(two),
                                            freed(other),           Step::free(gradient)};
        QVERIFY(withEagerFrees(of.graph, sequence, {-1, 4, 4, 4, 4}, {}) == expected);
    }

    void autogradHoldsWhatAFunctionKeepsForItsSizesAlone()
    {
        // a0 is read by a1 alone in the graph; what belongs to it in the backward pass holds it in eager mode.
        const test::Case chain(test::chainGraph(3));
        const std::vector<std::int64_t> none(chain.graph.ops.size(), -1);
        const std::vector<OpId> sequence = computeSequence(keepAllPlan(chain.graph));
        const StorageId loss = chain.graph.op(OpId(2)).outputs[0];
        const OpId last(chain.graph.ops.size() - 1);
        const std::vector<Step> steps = withEagerFrees(chain.graph, sequence, none, {{last, loss}});
        QCOMPARE(steps.size(), keepAllPlan(chain.graph).steps.size());
        const auto computed = std::find(steps.begin(), steps.end(), Step::compute(last));
        const auto freed = std::find(steps.begin(), steps.end(), Step::free(loss));
        QVERIFY(computed < freed && freed != steps.end());
        QVERIFY(simulate(chain.graph, chain.costs, steps));
    }

    void aNameHoldsTheCopyOfItsTimeAlone()
    {
        // The model computes ops 1 and 2 again in the backward pass; a name holds what op 0, or op 1, made while 2
        // runs.
        const test::Case chain(test::chainGraph(3));
        const std::vector<std::int64_t> none(chain.graph.ops.size(), -1);
        std::vector<OpId> sequence = computeSequence(keepAllPlan(chain.graph));
        const auto freesBetween = [&](const std::vector<Step> &steps, StorageId storage, OpId op, int time) {
            int seen = 0, frees = 0;
            for (const Step &step : steps) {
                if (step == Step::compute(op)) ++seen;
                frees += seen == time && step == Step::free(storage);
            }
            return frees;
        };
        const StorageId first = chain.graph.op(OpId(0)).outputs[0], second = chain.graph.op(OpId(1)).outputs[0];
        sequence.insert(sequence.begin() + 3, {OpId(0), OpId(1), OpId(2)});
        for (const StorageId storage : {first, second}) {
            const std::vector<Step> steps = withEagerFrees(chain.graph, sequence, none, {{OpId(2), storage}});
            QVERIFY(simulate(chain.graph, chain.costs, steps));
            QCOMPARE(freesBetween(steps, storage, OpId(2), 1), 1);
            QCOMPARE(freesBetween(steps, storage, OpId(2), 2), 1);
        }
    }

    void aTraceSaysWhatItsModelDoes()
    {
        const auto of = test::sampleCase("checkpointed");
        const Expected<Model> model = test::loadSample("checkpointed");
        QVERIFY2(of && model, "the trace is there");
        const auto today = planOfEager(*model, of->costs);
        QVERIFY2(today && *today && (*today)->checkpoints, "it has parts");
        QVERIFY((*today)->plan->predicted.peakBytes < of->percent(80));
        QVERIFY((*today)->plan->predicted.timeUs > of->keepAllTimeUs);
        const Expected<Model> plain = test::loadSample("tiny_gpt2");
        const auto nothing = planOfEager(*plain, test::sampleCase("tiny_gpt2")->costs);
        QVERIFY(nothing && !*nothing);
    }
};

QTEST_GUILESS_MAIN(TestEagerPlan)
#include "tst_eager_plan.moc"
