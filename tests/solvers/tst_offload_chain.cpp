// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/cut_points.h"
#include "solvers/offload/chain_plans.h"
#include "tests/solvers/solving.h"
#include "tests/support/random.h"
#include "tests/support/text_rows.h"

#include <cmath>
#include <limits>

using namespace remat;
using namespace remat::test;

namespace {

/// A chain whose stages save everything, and a link; sizes are small whole numbers, one memory slot a byte.
struct LinkedChain {
    chain::ChainModel model;
    offload::Link link;
};

LinkedChain linkedChain(int stages, std::uint64_t seed, bool equalSizes)
{
    Random random(seed);
    LinkedChain of;
    of.model.inputBytes.assign(static_cast<std::size_t>(stages),
                               std::vector<std::int64_t>(static_cast<std::size_t>(stages)));
    for (int j = 1; j < stages; ++j) {
        const int size = equalSizes ? 2 : random.between(1, 5);
        for (int s = 0; s < j; ++s)
            of.model.inputBytes[static_cast<std::size_t>(s)][static_cast<std::size_t>(j)] = size;
    }
    of.link.bytesPerUs = random.pick(std::vector<double>{0.25, 0.5, 1, 2});
    for (int s = 0; s < stages; ++s) {
        chain::Stage stage;
        chain::StageOption all;
        all.keptBytes = equalSizes ? 3 : random.between(0, 6);
        all.forwardPeakBytes = all.forwardPeakFreedBytes = equalSizes ? 6 : all.keptBytes + random.between(1, 6);
        all.backwardPeakBytes = all.backwardPeakFreedBytes = equalSizes ? 6 : all.keptBytes + random.between(1, 4);
        stage.options = {all};
        of.model.stages.push_back(stage);
        of.link.forwardUs.push_back(random.between(1, 4));
    }
    return of;
}

/// How long the computation waits when what the stages in `leaving` keep leaves, each as soon as it is there: it waits
/// only where it has to, until the link has copied enough.
double waitsUs(const LinkedChain &of, unsigned leaving, std::int64_t memory)
{
    std::int64_t held = 0, pending = 0; // to the end, and on its way
    double waited = 0;
    const auto needs = [&](std::int64_t bytes) {
        const std::int64_t over = held + pending + bytes - memory;
        if (over > pending) return false;
        if (over > 0) {
            pending -= over;
            waited += static_cast<double>(over) / of.link.bytesPerUs;
        }
        return true;
    };
    const int last = of.model.size() - 1;
    for (int s = 0; s <= last; ++s) {
        const auto at = static_cast<std::size_t>(s);
        const chain::StageOption &all = of.model.stages[at].options.front();
        const std::int64_t made = s < last ? all.keptBytes + of.model.inputBytes[at][at + 1] : 0;
        if (!needs(std::max({all.forwardPeakBytes, all.backwardPeakBytes, made}))) return kInfinity;
        if (s == last) break;
        const auto copied = static_cast<std::int64_t>(std::floor(of.link.forwardUs[at] * of.link.bytesPerUs));
        pending = std::max<std::int64_t>(0, pending - copied);
        ((leaving >> at & 1U) != 0 ? pending : held) += made;
        if (!needs(0)) return kInfinity;
    }
    return waited;
}

double leastWaitsUs(const LinkedChain &of, std::int64_t memory)
{
    double least = kInfinity;
    for (unsigned leaving = 0; leaving < 1U << (of.model.size() - 1); ++leaving)
        least = std::min(least, waitsUs(of, leaving, memory));
    return least;
}

/// The fastest plan over every choice of what the forward pass makes; none where none fits.
std::optional<double> bestOfAllChoices(const Case &of, std::int64_t budgetBytes)
{
    const FlatGraph flat = flatten(of.graph, of.costs);
    SolveRequest request;
    request.graph = &of.graph;
    request.costs = &of.costs;
    request.budgetBytes = budgetBytes;
    offload::Candidates candidates(flat, request, {}, {.onlyThose = true});
    std::vector<int> made;
    for (int op = 0; op < flat.forwardOps; ++op)
        made.insert(made.end(), flat.outputs[static_cast<std::size_t>(op)].begin(),
                    flat.outputs[static_cast<std::size_t>(op)].end());
    for (unsigned chosen = 0; chosen < 1U << made.size(); ++chosen) {
        std::vector<char> leaves(static_cast<std::size_t>(flat.storages()), 0);
        for (std::size_t i = 0; i < made.size(); ++i)
            leaves[static_cast<std::size_t>(made[i])] = (chosen >> i & 1U) != 0 ? 1 : 0;
        if (!candidates.offer({}, leaves)) return std::nullopt;
    }
    if (!candidates.best()) return std::nullopt;
    return candidates.best()->timeUs;
}

Expected<SolveOutcome> planBy(const char *heuristic, const Case &of, std::int64_t budgetBytes)
{
    return plan("offload-chain", of, budgetBytes, {}, {{"heuristic", heuristic}, {"points", "articulation"}});
}

} // namespace

class TestOffloadChain : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theProgramFindsTheBestChoice()
    {
        int useful = 0;
        for (std::uint64_t seed = 1; seed <= 80; ++seed) {
            const LinkedChain of = linkedChain(2 + static_cast<int>(seed % 8), seed, false);
            for (std::int64_t memory = 6; memory <= 40; memory += 3) {
                const chain::ChainTable inner(of.model, {memory, static_cast<int>(memory), false}, kNever);
                const offload::PagingTable table(of.model, inner, of.link, kNever);
                const double least = leastWaitsUs(of, memory);
                QCOMPARE(table.extraUs(static_cast<int>(memory)), least);
                useful += least > 0 && least < kInfinity ? 1 : 0;
            }
        }
        QVERIFY2(useful > 100, qPrintable(QString::number(useful)));
    }

    void theFirstOnesAreTheBestChoiceWhereActivationsAreEqual()
    {
        // As if each activation could be split: then a byte that is there earlier leaves earlier, and any other will do
        // no better.
        int useful = 0;
        for (std::uint64_t seed = 1; seed <= 80; ++seed) {
            const LinkedChain of = linkedChain(2 + static_cast<int>(seed % 8), seed, true);
            for (std::int64_t memory = 6; memory <= 40; memory += 2) {
                double first = kInfinity;
                for (int count = 0; count < of.model.size() && first == kInfinity; ++count)
                    first = waitsUs(of, (1U << count) - 1, memory);
                QCOMPARE(first, leastWaitsUs(of, memory));
                useful += first > 0 && first < kInfinity ? 1 : 0;
            }
        }
        QVERIFY2(useful > 100, qPrintable(QString::number(useful)));
    }

    void neitherIsBetterThanEveryChoice()
    {
        int plans = 0, best = 0;
        for (std::uint64_t seed = 1; seed <= 24; ++seed) {
            const Case of(chainGraph(4 + static_cast<int>(seed % 4), {.gradientBytes = 4, .seed = seed}));
            for (int share = 95; share >= 35; share -= 10) {
                const std::optional<double> least = bestOfAllChoices(of, of.percent(share));
                double fastest = kInfinity;
                for (const char *heuristic : {"greedy", "program"}) {
                    const auto outcome = planBy(heuristic, of, of.percent(share));
                    QVERIFY2(outcome, sentenceOf(outcome).c_str());
                    if (!outcome->plan) continue;
                    QVERIFY(least);
                    QVERIFY(outcome->plan->predicted.timeUs >= *least - 1e-9);
                    fastest = std::min(fastest, outcome->plan->predicted.timeUs);
                }
                QCOMPARE(fastest < kInfinity, least.has_value());
                plans += least ? 1 : 0;
                best += least && fastest <= *least + 1e-9 ? 1 : 0;
            }
        }
        QVERIFY2(plans > 80 && 10 * best > 8 * plans, qPrintable(QString("%1 of %2").arg(best).arg(plans)));
    }

    void equalActivationsAreOffloadedAsWellAsCanBe()
    {
        // While copies take no longer than two forward ops. Longer ones leave gaps that choices here and there fill
        // better, since an activation is only gone when the whole of it is copied.
        for (const double bytesPerUs : {1, 2, 5, 10, 20})
            for (const int stages : {4, 6, 8}) {
                Case of(chainGraph(stages, {.activationBytes = 10, .gradientBytes = 1}));
                of.costs.linkBytesPerSecond = 1e6 * bytesPerUs;
                of.costs.linkLatencyUs = 0;
                for (int share = 95; share >= 35; share -= 10) {
                    const std::optional<double> least = bestOfAllChoices(of, of.percent(share));
                    const auto greedy = planBy("greedy", of, of.percent(share));
                    QVERIFY2(greedy, sentenceOf(greedy).c_str());
                    QCOMPARE(greedy->plan.has_value(), least.has_value());
                    if (!least) continue;
                    const double us = greedy->plan->predicted.timeUs;
                    QVERIFY(us <= 1.1 * *least);
                    if (bytesPerUs >= 5) QCOMPARE(us, *least);
                }
            }
    }

    void aFastLinkCostsNothing()
    {
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            Case of(chainGraph(10, {.gradientBytes = 2, .seed = seed}));
            of.costs.linkBytesPerSecond = 1e30;
            of.costs.linkLatencyUs = 0;
            for (int share = 90; share >= 40; share -= 10) {
                const auto outcome = plan("offload-chain", of, of.percent(share));
                QVERIFY2(outcome, sentenceOf(outcome).c_str());
                if (outcome->plan) QCOMPARE(outcome->plan->predicted.timeUs, of.keepAllTimeUs);
            }
        }
    }

    void everyBudgetOfRandomGraphs()
    {
        int plans = 0, offloads = 0;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const Case of(randomGraph(seed, {.ops = 20, .joint = true, .computeOnce = seed % 3 == 0 ? 20 : 0}));
            const int forward = flatten(of.graph, of.costs).forwardOps;
            for (int share = 95; share >= 20; share -= 5) {
                const auto outcome = plan("offload-chain", of, std::max<std::int64_t>(of.percent(share), 1));
                if (!outcome)
                    QVERIFY2(outcome.error().message.find("needs a graph") != std::string::npos,
                             sentenceOf(outcome).c_str());
                if (!outcome || !outcome->plan) continue;
                ++plans;
                QVERIFY(outcome->plan->predicted.peakBytes <= of.percent(share));
                QCOMPARE(computeSequence(*outcome->plan).size(), of.graph.ops.size()); // nothing twice
                for (const Step &step : outcome->plan->steps) {
                    if (step.kind != StepKind::Offload) continue;
                    QVERIFY(of.graph.storage(step.storage).producer.value < forward); // activations, nothing else
                    ++offloads;
                }
            }
        }
        QVERIFY2(plans > 60 && offloads > 60, qPrintable(QString("%1 plans, %2 offloads").arg(plans).arg(offloads)));
    }

    void samples_data() { textRows("sample", kTinySamples); }

    void samples()
    {
        QFETCH(const QString, sample);
        auto of = sampleCase(sample.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        of->costs.linkBytesPerSecond /= 20; // the sizes of these graphs are as small
        for (int share = 90; share >= 70; share -= 10) {
            const auto outcome = plan("offload-chain", *of, of->percent(share));
            QVERIFY2(outcome && outcome->plan, outcome ? outcome->message.c_str() : sentenceOf(outcome).c_str());
            QVERIFY(outcome->plan->predicted.peakBytes <= of->percent(share));
        }
    }

    void saysWhyThereIsNoPlan()
    {
        const auto noBackward = plan("offload-chain", Case(randomGraph(1)), 1000);
        QVERIFY(!noBackward && noBackward.error().message.find("backward") != std::string::npos);
        // What the backward part makes may not leave.
        int refused = 0;
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            const Case of(randomGraph(seed, {.ops = 20, .joint = true}));
            for (int share = 90; share >= 20; share -= 5) {
                const auto outcome = plan("offload-chain", of, of.percent(share));
                QVERIFY2(outcome, sentenceOf(outcome).c_str());
                if (outcome->plan || outcome->message.find("offload-greedy-star") == std::string::npos) continue;
                QCOMPARE(outcome->status, SolveStatus::Infeasible);
                QVERIFY(outcome->smallestPeakBytes > of.percent(share));
                ++refused;
            }
        }
        QVERIFY2(refused > 3, qPrintable(QString::number(refused)));
    }
};

QTEST_GUILESS_MAIN(TestOffloadChain)
#include "tst_offload_chain.moc"
