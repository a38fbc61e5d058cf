// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/bounds.h"
#include "solvers/offload/paging_table.h"
#include "tests/solvers/solving.h"
#include "tests/support/random.h"
#include "tests/support/sampled.h"
#include "tests/support/text_rows.h"

#include <cmath>
#include <limits>

using namespace remat;
using namespace remat::test;

namespace {

/// One slot a byte: sizes are small whole numbers.
chain::ChainModel randomModel(int stages, std::uint64_t seed, bool frees = false)
{
    Random random(seed);
    chain::ChainModel model;
    model.inputBytes.assign(static_cast<std::size_t>(stages),
                            std::vector<std::int64_t>(static_cast<std::size_t>(stages)));
    for (int j = 1; j < stages; ++j) {
        const int size = random.between(1, 5);
        for (int s = 0; s < j; ++s)
            model.inputBytes[static_cast<std::size_t>(s)][static_cast<std::size_t>(j)] = size;
    }
    for (int s = 0; s < stages; ++s) {
        chain::Stage stage;
        stage.advanceUs = random.between(1, 9);
        stage.advancePeakBytes = random.between(1, 6);
        stage.constantBytes = random.between(0, 2);
        stage.forwardConstantBytes = random.between(0, 2);
        chain::StageOption all;
        all.remakeUs = stage.advanceUs + random.between(0, 3);
        all.remakeNextUs = all.remakeUs + random.between(0, 2);
        all.keptBytes = random.between(1, 6);
        all.forwardPeakBytes = stage.advancePeakBytes + all.keptBytes;
        all.remakePeakBytes = all.forwardPeakBytes;
        all.backwardPeakBytes = all.keptBytes + random.between(1, 4);
        chain::StageOption nothing;
        nothing.extraUs = random.between(1, 9);
        nothing.remakeNextUs = stage.advanceUs;
        nothing.forwardPeakBytes = stage.advancePeakBytes;
        nothing.backwardPeakBytes = all.backwardPeakBytes + random.between(0, 2);
        for (chain::StageOption *option : {&all, &nothing}) {
            const int freed = frees ? random.between(0, 3) : 0;
            option->forwardPeakFreedBytes = option->forwardPeakBytes - std::min(freed, 1);
            option->backwardPeakFreedBytes = option->backwardPeakBytes - freed;
            option->freedBytes = freed;
            option->keepsFreed = frees && random.percent(50);
        }
        stage.options = {all, nothing};
        model.stages.push_back(stage);
    }
    return model;
}

/// Every sequence of decisions of the outer program, walked from the first stage with its own account of memory.
struct Walk {
    const chain::ChainModel &model;
    const chain::ChainTable &inner;
    const offload::Link &link;
    std::int64_t memory;

    /// `held` bytes stay to the end, `pending` are on their way.
    double from(int s, std::int64_t held, std::int64_t pending) const
    {
        const int last = model.size() - 1;
        const std::int64_t room = memory - held - pending;
        double best = pending > 0 && link.bytesPerUs > 0 ? 1 / link.bytesPerUs + from(s, held, pending - 1) : kInfinity;
        const auto go = [&](double us, int next, std::int64_t bytes) {
            double during = 0;
            for (int i = s; i < next; ++i)
                during += link.forwardUs[static_cast<std::size_t>(i)];
            const std::int64_t left =
                std::max<std::int64_t>(0, pending - static_cast<std::int64_t>(std::floor(during * link.bytesPerUs)));
            if (held + bytes + left <= memory) best = std::min(best, us + from(next, held + bytes, left));
            if (link.bytesPerUs > 0 && held + bytes + left <= memory)
                best = std::min(best, us + from(next, held, left + bytes));
        };
        for (int j = s + 1; j <= last; ++j) {
            std::int64_t peak = 0;
            for (int i = s + 1; i <= j; ++i)
                peak = std::max(
                    peak,
                    (i - 1 > s ? model.inputBytes[static_cast<std::size_t>(s)][static_cast<std::size_t>(i - 1)] : 0) +
                        model.stages[static_cast<std::size_t>(i - 1)].advancePeakBytes +
                        model.stages[static_cast<std::size_t>(i - 1)].forwardConstantBytes);
            const std::int64_t bytes = model.inputBytes[static_cast<std::size_t>(s)][static_cast<std::size_t>(j)];
            if (room < std::max(peak, bytes)) continue;
            const double us = inner.partUs(chain::ChainTable::Input::Freed, s, j - 1, static_cast<int>(room));
            if (us < kInfinity) go(us, j, bytes);
        }
        for (const chain::StageOption &option : model.stages[static_cast<std::size_t>(s)].options) {
            const std::int64_t bytes =
                s == last
                    ? 0
                    : option.keptBytes + model.inputBytes[static_cast<std::size_t>(s)][static_cast<std::size_t>(s) + 1];
            const std::int64_t constant = model.stages[static_cast<std::size_t>(s)].forwardConstantBytes;
            if (room < std::max({constant + option.forwardPeakBytes, option.backwardPeakBytes, bytes})) continue;
            if (s == last)
                best = std::min(best, option.extraUs);
            else
                go(option.extraUs, s + 1, bytes);
        }
        return best;
    }
};

} // namespace

class TestPofo : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutALinkItIsRotor()
    {
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const chain::ChainModel model = randomModel(2 + static_cast<int>(seed % 9), seed);
            const chain::ChainTable rotor(model, {60, 60, true}, kNever);
            const offload::PagingTable pofo(
                model, rotor, {0, std::vector<double>(static_cast<std::size_t>(model.size()), 5)}, kNever);
            for (int memory = 0; memory <= 60; ++memory) {
                QCOMPARE(pofo.extraUs(memory), rotor.extraUs(memory));
                if (rotor.extraUs(memory) < kInfinity)
                    QVERIFY(pofo.schedule(memory).schedule.option.size() == model.stages.size());
            }
        }
    }

    void anInfiniteLinkOffloadsAll()
    {
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const chain::ChainModel model = randomModel(2 + static_cast<int>(seed % 9), seed);
            const chain::ChainTable rotor(model, {60, 60, true}, kNever);
            const offload::PagingTable pofo(
                model, rotor, {1e30, std::vector<double>(static_cast<std::size_t>(model.size()), 5)}, kNever);
            // Each stage by itself, with what it keeps: nothing else is on the device.
            std::int64_t least = 0;
            for (int s = 0; s < model.size(); ++s) {
                const chain::StageOption &all = model.stages[static_cast<std::size_t>(s)].options.front();
                const std::int64_t next =
                    s + 1 < model.size()
                        ? model.inputBytes[static_cast<std::size_t>(s)][static_cast<std::size_t>(s) + 1] + all.keptBytes
                        : 0;
                least = std::max({least,
                                  model.stages[static_cast<std::size_t>(s)].forwardConstantBytes + all.forwardPeakBytes,
                                  all.backwardPeakBytes, next});
            }
            for (int memory = static_cast<int>(least); memory <= 60; ++memory) {
                QVERIFY(pofo.extraUs(memory) < 1e-9);
                // Nothing is held to the end but what is on the device at no cost.
                QVERIFY(rotor.extraUs(memory) >= pofo.extraUs(memory));
            }
        }
    }

    void bruteForceOfSmallChains()
    {
        int useful = 0;
        for (const std::uint64_t seed : seedsOfToday(1, 60)) {
            const int stages = 2 + static_cast<int>(seed % 5);
            const chain::ChainModel model = randomModel(stages, seed);
            Random random(seed);
            offload::Link link;
            link.bytesPerUs = random.pick(std::vector<double>{0.25, 0.5, 1, 2});
            for (int s = 0; s < stages; ++s)
                link.forwardUs.push_back(random.between(1, 4));
            const chain::ChainTable inner(model, {24, 24, true}, kNever);
            const offload::PagingTable pofo(model, inner, link, kNever);
            for (int memory = 4; memory <= 24; memory += 2) {
                const double expected = Walk{model, inner, link, memory}.from(0, 0, 0);
                if (expected == kInfinity)
                    QCOMPARE(pofo.extraUs(memory), kInfinity);
                else
                    QVERIFY(std::abs(pofo.extraUs(memory) - expected) < 1e-9);
                useful += expected < inner.extraUs(memory) ? 1 : 0;
            }
        }
        QVERIFY2(useful > (testsAll() ? 50 : 10), "the link hardly ever helps");
    }

    void plansWithoutALink()
    {
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            const Case of = withLink(Case(chainGraph(6 + static_cast<int>(seed % 7), {.seed = seed})), 1);
            for (int share = 95; share >= 40; share -= 11) {
                const auto paged = plan("pofo", of, of.percent(share));
                const auto rotor = plan("rotor", of, of.percent(share));
                QVERIFY2(paged && rotor, sentenceOf(paged).c_str());
                if (!rotor->plan) continue;
                QVERIFY(paged->plan);
                QVERIFY(std::abs(paged->plan->predicted.timeUs - rotor->plan->predicted.timeUs) < 1e-6);
            }
        }
    }

    void plansWithAnInfiniteLink()
    {
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            const Case of = withLink(Case(chainGraph(8, {.parameterBytes = 2, .seed = seed})), 1e30);
            const auto outcome = plan("pofo", of, workingSetBound(of.graph, of.costs).bytes);
            QVERIFY2(outcome && outcome->plan, sentenceOf(outcome).c_str());
            QCOMPARE(outcome->plan->predicted.timeUs, of.keepAllTimeUs);
        }
    }

    void everyBudgetOfRandomGraphs()
    {
        int plans = 0;
        for (const std::uint64_t seed : seedsOfToday(1, 40)) {
            const Case of(randomGraph(seed, {.ops = 20, .joint = true, .computeOnce = seed % 3 == 0 ? 20 : 0}));
            for (int share = 90; share >= 20; share -= 10) {
                const auto outcome = plan("pofo", of, std::max<std::int64_t>(of.percent(share), 1));
                if (!outcome)
                    QVERIFY2(outcome.error().message.find("needs a graph") != std::string::npos,
                             sentenceOf(outcome).c_str());
                plans += outcome && outcome->plan ? 1 : 0;
            }
        }
        QVERIFY(plans > (testsAll() ? 100 : 25));
    }

    void samples_data() { textRows("sample", kTinySamples); }

    void samples()
    {
        QFETCH(const QString, sample);
        auto of = sampleCase(sample.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        of->costs.linkBytesPerSecond /= 20; // the sizes of these graphs are as small
        for (int share = 90; share >= 30; share -= 20) {
            const std::int64_t budget = of->percent(share);
            if (budget < workingSetBound(of->graph, of->costs).bytes) break;
            const auto outcome = plan("pofo", *of, budget);
            QVERIFY2(outcome && outcome->plan, sentenceOf(outcome).c_str());
            const auto rotor = plan("rotor", *of, budget);
            if (rotor && rotor->plan) QVERIFY(outcome->plan->predicted.timeUs <= rotor->plan->predicted.timeUs + 1e-6);
        }
    }

    void noBackwardPart()
    {
        const auto outcome = plan("pofo", Case(randomGraph(1)), 1000);
        QVERIFY(!outcome);
        QVERIFY(outcome.error().message.find("backward") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestPofo)
#include "tst_pofo.moc"
