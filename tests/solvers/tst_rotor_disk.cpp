// SPDX-License-Identifier: Apache-2.0
#include "core/plan/checker.h"
#include "solvers/chain/plan_chain.h"
#include "solvers/offload/chain_plans.h"
#include "solvers/offload/multistage.h"
#include "solvers/offload/two_level_table.h"
#include "tests/solvers/planner_checks.h"
#include "tests/solvers/uniform_chains.h"
#include "tests/solvers/varied_chains.h"

#include <cmath>
#include <map>
#include <queue>
#include <tuple>

using namespace remat;
using namespace remat::test;
using offload::InputCopies;
using offload::TwoLevelTable;

namespace {

/// A chain of sizes and times, and a link; small whole numbers, one memory slot a byte.
struct LevelledChain {
    chain::ChainModel model;
    InputCopies copies;
};

LevelledChain levelledChain(int stages, std::uint64_t seed)
{
    Random random(seed);
    LevelledChain of;
    const auto count = static_cast<std::size_t>(stages);
    of.model.inputBytes.assign(count, std::vector<std::int64_t>(count));
    const double slow = random.pick(std::vector<double>{0.25, 0.5, 1, 3});
    for (std::size_t j = 0; j < count; ++j) {
        const int size = j == 0 ? 0 : random.between(1, 5);
        for (std::size_t s = 0; s < j; ++s)
            of.model.inputBytes[s][j] = size;
        of.copies.writeUs.push_back(slow * size);
        of.copies.readUs.push_back(slow * size + random.between(0, 1));
        chain::Stage stage;
        stage.advanceUs = random.between(1, 9);
        stage.advancePeakBytes = random.between(1, 4);
        stage.constantBytes = random.between(0, 2);
        stage.forwardConstantBytes = random.between(0, 2);
        for (int k = 0; k < 2; ++k) {
            chain::StageOption option;
            option.keptBytes = k == 0 ? random.between(2, 6) : random.between(0, 2);
            option.extraUs = k == 0 ? 0 : random.between(0, 4);
            option.remakeUs = stage.advanceUs;
            option.remakeNextUs = stage.advanceUs + random.between(0, 1);
            option.forwardPeakBytes = option.forwardPeakFreedBytes = option.keptBytes + random.between(0, 4);
            option.remakePeakBytes = option.forwardPeakBytes;
            option.backwardPeakBytes = option.backwardPeakFreedBytes = option.keptBytes + random.between(1, 6);
            stage.options.push_back(option);
        }
        of.model.stages.push_back(stage);
    }
    return of;
}

/// What is where before the backward part of the last stage that is left.
struct Moment {
    int at = 0; ///< stage whose input is at hand; −1: none
    unsigned memory = 0, host = 0;
    std::vector<int> saved; ///< per stage; −1: not
    int left = 0;
    auto operator<=>(const Moment &) const = default;
};

/// Least extra time by Dijkstra over everything that may be done while what is held stays held: run a stage, hold its
/// input in memory or write it to the host, save a stage and hold what it hands on, begin anew from the nearest input
/// that is held, run the backward part of the last stage that is left.
class LeastExtra
{
public:
    LeastExtra(const LevelledChain &of, std::int64_t memory) : m_of(of), m_memory(memory) {}

    double us()
    {
        Moment start;
        start.left = m_of.model.size();
        start.saved.assign(static_cast<std::size_t>(start.left), -1);
        reach(0, start);
        while (!m_open.empty()) {
            const auto [us, moment] = m_open.top();
            m_open.pop();
            if (us > m_reached[moment]) continue;
            if (moment.left == 0) return us;
            expand(us, moment);
        }
        return kInfinity;
    }

private:
    std::int64_t input(int stage) const { return m_of.model.inputBytes[0][static_cast<std::size_t>(stage)]; }
    const chain::Stage &stage(int s) const { return m_of.model.stages[static_cast<std::size_t>(s)]; }
    bool inMemory(const Moment &of, int s) const { return (of.memory >> s & 1U) != 0; }
    bool forwardPass(const Moment &of) const { return of.left == m_of.model.size(); }

    std::int64_t held(const Moment &of) const
    {
        std::int64_t bytes = 0;
        for (int s = 0; s < of.left; ++s) {
            if (inMemory(of, s)) bytes += input(s);
            const int k = of.saved[static_cast<std::size_t>(s)];
            if (k >= 0) bytes += stage(s).options[static_cast<std::size_t>(k)].keptBytes;
        }
        return bytes;
    }
    /// With the input at hand.
    std::int64_t there(const Moment &of) const
    {
        return held(of) + (of.at >= 0 && !inMemory(of, of.at) ? input(of.at) : 0);
    }
    std::int64_t constant(const Moment &of, int s) const
    {
        return forwardPass(of) ? stage(s).forwardConstantBytes : stage(of.left - 1).constantBytes;
    }

    void reach(double us, const Moment &moment)
    {
        if (there(moment) > m_memory) return;
        const auto [entry, isNew] = m_reached.try_emplace(moment, us);
        if (!isNew && entry->second <= us) return;
        entry->second = us;
        m_open.emplace(us, moment);
    }

    void reachHeld(double us, Moment moment)
    {
        Moment written = moment;
        written.host |= 1U << moment.at;
        reach(us + m_of.copies.writeUs[static_cast<std::size_t>(moment.at)], written);
        moment.memory |= 1U << moment.at;
        reach(us, moment);
    }

    void reversed(double us, Moment moment)
    {
        --moment.left;
        moment.saved[static_cast<std::size_t>(moment.left)] = -1;
        moment.memory &= (1U << moment.left) - 1;
        moment.host &= (1U << moment.left) - 1;
        moment.at = -1;
        reach(us, moment);
    }

    void expand(double us, const Moment &now)
    {
        if (now.at < 0) {
            Moment begun = now; // from the nearest input that is held
            begun.at = now.left - 1;
            while (begun.at > 0 && ((now.memory | now.host) >> begun.at & 1U) == 0)
                --begun.at;
            const bool there = begun.at == 0 || inMemory(now, begun.at);
            reach(there ? us : us + m_of.copies.readUs[static_cast<std::size_t>(begun.at)], begun);
            return;
        }
        const chain::Stage &here = stage(now.at);
        const int saved = now.saved[static_cast<std::size_t>(now.at)];
        if (now.at + 1 == now.left) {
            for (int k = 0; k < 2; ++k) {
                const chain::StageOption &option = here.options[static_cast<std::size_t>(k)];
                if (saved >= 0 && saved != k) continue;
                const std::int64_t others = there(now) - (saved >= 0 ? option.keptBytes : 0);
                const std::int64_t again = forwardPass(now) ? option.forwardPeakBytes : option.remakePeakBytes;
                if (others + option.backwardPeakBytes > m_memory) continue;
                if (saved < 0 && others + again + constant(now, now.at) > m_memory) continue;
                reversed(saved >= 0 ? us : us + option.extraUs + (forwardPass(now) ? 0 : option.remakeUs), now);
            }
        } else if (saved < 0) {
            Moment next = now;
            ++next.at;
            if (there(now) + here.advancePeakBytes + constant(now, now.at) <= m_memory)
                reach(us + (forwardPass(now) ? 0 : here.advanceUs), next);
            const bool own = now.at == 0 || inMemory(now, now.at) || (now.host >> now.at & 1U) != 0;
            for (int k = 0; own && k < 2; ++k) { // what is saved is of no use without its input
                const chain::StageOption &option = here.options[static_cast<std::size_t>(k)];
                if (there(now) + option.forwardPeakBytes + constant(now, now.at) > m_memory) continue;
                next.saved[static_cast<std::size_t>(now.at)] = k;
                reachHeld(us + option.extraUs + (forwardPass(now) ? 0 : option.remakeNextUs), next);
            }
        }
        if (now.at > 0) reachHeld(us, now);
    }

    using Entry = std::pair<double, Moment>;
    const LevelledChain &m_of;
    const std::int64_t m_memory;
    std::map<Moment, double> m_reached;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> m_open;
};

/// The uniform chain behind a stage whose own work is never needed again: so the first input of the rest takes a slot
/// like any other.
chain::ChainModel uniformRest(int stages)
{
    chain::ChainModel model = uniformChain(stages + 1);
    model.stages[0].advanceUs = 1e6;
    model.stages[0].options[0] = {.remakeNextUs = 1e6};
    return model;
}

InputCopies equalCopies(int stages, const offload::HostCopies &steps)
{
    const auto count = static_cast<std::size_t>(stages);
    return {std::vector<double>(count, steps.writeSteps), std::vector<double>(count, steps.readSteps)};
}

Case withLink(Graph graph, double bytesPerUs, double latencyUs)
{
    Case of(std::move(graph));
    of.costs.linkBytesPerSecond = 1e6 * bytesPerUs;
    of.costs.linkLatencyUs = latencyUs;
    return of;
}

} // namespace

class TestRotorDisk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingTakesLess()
    {
        int useful = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const LevelledChain of = levelledChain(2 + static_cast<int>(seed % 4), seed);
            const std::int64_t most = 30;
            const chain::ChainTable rotor(of.model, {most, static_cast<int>(most), true}, kNever);
            const TwoLevelTable table(of.model, rotor, of.copies, kNever);
            for (int m = 4 + static_cast<int>(seed % 3); m <= most; m += 3) {
                const double least = LeastExtra(of, m).us();
                QVERIFY2(
                    table.extraUs(m) == least || std::abs(table.extraUs(m) - least) < 1e-9,
                    qPrintable(
                        QString("seed %1, %2 bytes: %3, least %4").arg(seed).arg(m).arg(table.extraUs(m)).arg(least)));
                useful += least < rotor.extraUs(m) ? 1 : 0;
            }
        }
        QVERIFY2(useful > 50, qPrintable(QString::number(useful)));
    }

    void equalStagesTakeTheStepsOfMultistageRevolve()
    {
        int useful = 0;
        for (const int length : {1, 2, 3, 5, 10, 20, 40})
            for (int snapshots = 1; snapshots <= 4; ++snapshots)
                for (const offload::HostCopies &copies :
                     {offload::HostCopies{0, 0}, {1, 1}, {2, 0.5}, {0.25, 3}, {5, 5}, {10, 4}}) {
                    const chain::ChainModel model = uniformRest(length);
                    const chain::ChainTable rotor(model, {snapshots + 1, snapshots + 1, true}, kNever);
                    const TwoLevelTable table(model, rotor, equalCopies(length + 1, copies), kNever);
                    const offload::MultistageTable multistage(length, snapshots, copies);
                    QCOMPARE(table.extraUs(snapshots + 1), multistage.steps());
                    useful += multistage.steps() < rotor.extraUs(snapshots + 1) ? 1 : 0;
                }
        QVERIFY2(useful > 40, qPrintable(QString::number(useful)));
    }

    void withoutALinkItIsRotor()
    {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const Case of = withLink(variedChain(7, seed), 0, 0);
            const FlatGraph flat = flatten(of.graph, of.costs);
            const chain::StageChain line = finestChain(of, flat);
            const int bytes = static_cast<int>(of.keepAllPeakBytes);
            const chain::ChainTable rotor(line.model, {bytes, bytes, true}, kNever);
            const TwoLevelTable table(line.model, rotor, offload::inputCopies(flat, line), kNever);
            for (int m = 0; m <= bytes; ++m) {
                QCOMPARE(table.extraUs(m), rotor.extraUs(m));
                if (table.extraUs(m) < kInfinity) QVERIFY(table.schedule(m).schedule == rotor.schedule(m));
            }
        }
    }

    void plansWithoutALinkAreThoseOfRotor()
    {
        int plans = 0;
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const Case of = withLink(variedChain(8, seed), 1e-9, 1e9);
            for (int share = 100; share >= 35; share -= 13) {
                const auto rotor = plan("rotor", of, of.percent(share));
                const auto both = plan("rotor-disk", of, of.percent(share));
                QVERIFY2(rotor && both, sentenceOf(both).c_str());
                QCOMPARE(both->plan.has_value(), rotor->plan.has_value());
                if (!both->plan) continue;
                QCOMPARE(both->plan->predicted.timeUs, rotor->plan->predicted.timeUs);
                ++plans;
            }
        }
        QVERIFY2(plans > 20, qPrintable(QString::number(plans)));
    }

    void aFasterLinkOrMoreMemoryIsNeverSlower()
    {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            const LevelledChain of = levelledChain(8, seed);
            const chain::ChainTable rotor(of.model, {60, 60, true}, kNever);
            InputCopies faster = of.copies;
            for (double &us : faster.readUs)
                us /= 2;
            const TwoLevelTable table(of.model, rotor, of.copies, kNever), fast(of.model, rotor, faster, kNever);
            for (int m = 1; m <= 60; ++m) {
                QVERIFY(table.extraUs(m) <= table.extraUs(m - 1));
                QVERIFY(table.extraUs(m) <= rotor.extraUs(m));
                QVERIFY(fast.extraUs(m) <= table.extraUs(m));
            }
            QCOMPARE(table.extraUs(60), 0.0); // room for everything
        }
    }

    void freeCopiesComputeEachStageOnceMoreAtMost()
    {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const LevelledChain of = levelledChain(7, seed);
            const chain::ChainTable rotor(of.model, {60, 60, true}, kNever);
            const TwoLevelTable table(of.model, rotor, equalCopies(7, {0, 0}), kNever);
            double onceMore = 0;
            for (const chain::Stage &stage : of.model.stages) {
                double most = 0;
                for (const chain::StageOption &option : stage.options)
                    most = std::max(most, option.extraUs);
                onceMore += most + stage.advanceUs;
            }
            for (int m = 0; m <= 60; ++m)
                if (table.extraUs(m) < kInfinity) QVERIFY(table.extraUs(m) <= onceMore);
        }
    }

    void thePlanTakesNoMoreThanTheTableSays()
    {
        // The computation waits for every copy in the table, and for some of them in the plan; the peak is within the
        // memory that the table gives it.
        int copied = 0;
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            const Case of = withLink(variedChain(7, seed), seed % 2 == 0 ? 10 : 40, seed % 3 == 0 ? 0.5 : 0);
            const FlatGraph flat = flatten(of.graph, of.costs);
            const chain::StageChain line = finestChain(of, flat);
            const int bytes = static_cast<int>(of.keepAllPeakBytes);
            const chain::ChainTable rotor(line.model, {bytes, bytes, true}, kNever);
            const TwoLevelTable table(line.model, rotor, offload::inputCopies(flat, line), kNever);
            for (int m = 0; m <= bytes; m += 3) {
                if (table.extraUs(m) == kInfinity) continue;
                const offload::PagedSchedule paged = table.schedule(m);
                Plan made;
                made.steps = offload::waitingSteps(flat, line, paged,
                                                   translate(flat, chain::choiceOf(flat, line, paged.schedule)));
                made.budgetBytes = m;
                const Verdict verdict = checkPlan(of.graph, of.costs, made);
                QVERIFY2(verdict.ok,
                         qPrintable(QString("seed %1, %2 bytes: %3").arg(seed).arg(m).arg(verdict.sentence.c_str())));
                QVERIFY2(verdict.timeUs <= of.keepAllTimeUs + table.extraUs(m) + 1e-9,
                         qPrintable(QString("seed %1, %2 bytes: %3 > %4")
                                        .arg(seed)
                                        .arg(m)
                                        .arg(verdict.timeUs)
                                        .arg(of.keepAllTimeUs + table.extraUs(m))));
                copied += std::count(paged.leaves.begin(), paged.leaves.end(), 1) > 0 ? 1 : 0;
            }
        }
        QVERIFY2(copied > 100, qPrintable(QString::number(copied)));
    }

    void theHostMakesRoom()
    {
        // Inputs are what fills memory here; the link copies one while a stage runs.
        const Case of = withLink(chainGraph(24, {.activationBytes = 100, .gradientBytes = 10}), 1000, 0);
        int useful = 0;
        for (int share = 90; share >= 20; share -= 10) {
            const auto rotor = plan("rotor", of, of.percent(share));
            const auto both = plan("rotor-disk", of, of.percent(share));
            QVERIFY2(rotor && both, sentenceOf(both).c_str());
            if (!rotor->plan) continue;
            QVERIFY2(both->plan, both->message.c_str());
            QVERIFY(both->plan->predicted.timeUs <= rotor->plan->predicted.timeUs + 1e-9);
            useful += both->plan->predicted.timeUs < 0.95 * rotor->plan->predicted.timeUs ? 1 : 0;
        }
        QVERIFY2(useful > 2, qPrintable(QString::number(useful)));
    }

    void whatStaysStays()
    {
        Case of = withLink(chainGraph(12, {.activationBytes = 100, .gradientBytes = 10}), 1000, 0);
        const FlatGraph flat = flatten(of.graph, of.costs);
        const chain::StageChain line = finestChain(of, flat);
        offload::PagedSchedule paged{chain::inputsOnly(line.model), {}};
        paged.leaves.assign(paged.schedule.holds.size(), 0);
        for (const int s : {4, 8})
            paged.add(kForwardPass, s, -1, true);
        const auto recomputes = translate(flat, chain::choiceOf(flat, line, paged.schedule));
        const auto offloads = [&](const std::vector<char> &stays) {
            int count = 0;
            for (const Step &step : offload::waitingSteps(flat, line, paged, recomputes, stays))
                count += step.kind == StepKind::Offload ? 1 : 0;
            return count;
        };
        std::vector<char> stays(of.graph.storages.size(), 0);
        QCOMPARE(offloads(stays), 2);
        stays[static_cast<std::size_t>(line.inputs[4].front())] = 1;
        QCOMPARE(offloads(stays), 1);
    }

    void neverSlowerThanRotorOnSamples_data() { textRows("sample", kTinySamples); }

    void neverSlowerThanRotorOnSamples()
    {
        QFETCH(const QString, sample);
        auto of = sampleCase(sample.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        of->costs.linkBytesPerSecond /= 20; // the sizes of these graphs are as small
        for (int share = 90; share >= 30; share -= 20) {
            const auto rotor = plan("rotor", *of, of->percent(share));
            const auto both = plan("rotor-disk", *of, of->percent(share));
            QVERIFY2(rotor && both, sentenceOf(both).c_str());
            if (rotor->plan) QVERIFY(both->plan && both->plan->predicted.timeUs <= rotor->plan->predicted.timeUs);
        }
    }

    void neverOverBudgetOnRandomTrainingGraphs() { test::neverOverBudget("rotor-disk", 60); }

    void stopsSoon()
    {
        const LevelledChain of = levelledChain(40, 1);
        const chain::ChainTable rotor(of.model, {200, 200, true}, kNever);
        int asked = 0;
        const TwoLevelTable table(of.model, rotor, of.copies, [&] { return ++asked > 10; });
        QCOMPARE(asked, 11);
        QCOMPARE(table.extraUs(200), kInfinity);
    }

    void needsABackwardPart() { test::needsABackwardPart("rotor-disk"); }
};

QTEST_GUILESS_MAIN(TestRotorDisk)
#include "tst_rotor_disk.moc"
