// SPDX-License-Identifier: Apache-2.0
// Plans on the simulated accelerator: each thing that can go wrong is found and leaves nothing behind.
#include "core/plan/checker.h"
#include "core/plan/simulator.h"
#include "core/streams/race_check.h"
#include "tests/gpu/engine_cases.h"

#include <QtTest>

#include <fcntl.h>
#include <unistd.h>

using namespace remat;
using namespace remat::test;

class TestEngineFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// A layer whose weights are updated: what a prefetch before the new offload brings back is stale, and a wait that
    /// is left out lets a late stream read or write too early.
    void staleCopiesAndMissingWaitsShow_data()
    {
        QTest::addColumn<bool>("onHost");
        QTest::addColumn<bool>("stale");
        QTest::newRow("a stale copy, after an update on the device") << false << true;
        QTest::newRow("a stale copy, after an update on the host") << true << true;
        QTest::newRow("a new offload does not wait for the update") << false << false;
        QTest::newRow("a prefetch does not wait for the host") << true << false;
    }

    void staleCopiesAndMissingWaitsShow()
    {
        QFETCH(bool, onHost);
        QFETCH(bool, stale);
        GraphBuilder builder;
        const StorageId x = builder.resident(3, StorageKind::Input, "x");
        const StorageId w = builder.resident(4000, StorageKind::Parameter, "w");
        const OpId forward = builder.op({x, w}, {{8}}, 5);
        const OpId backward = builder.op({builder.output(forward), w}, {{4000, StorageKind::ParameterGradient, true}},
                                         10, Phase::Backward);
        const StorageId g = builder.output(backward);
        const OpId update = builder.op({g, w}, {}, 4, Phase::Backward);
        const OpId reader = builder.op({w}, {{50, StorageKind::Gradient, true}}, 1, Phase::Backward);
        builder.edit(update).updates = {w};
        builder.edit(update).onHost = onHost;
        const Graph graph = withPlannedParameters(builder.finish());
        std::vector<Step> steps = {Step::prefetch(w), Step::compute(forward), Step::compute(backward)};
        if (onHost) {
            steps.insert(steps.end(), {Step::offload(g), Step::compute(update), Step::free(w), Step::prefetch(w)});
        } else {
            steps.insert(steps.end(), {Step::compute(update), Step::offload(w), Step::free(w), Step::prefetch(w)});
        }
        steps.insert(steps.end(),
                     {Step::compute(reader), Step::free(w), Step::free(g), Step::free(builder.output(forward))});
        const auto outcomeOf = [&](const Case &what) {
            SimulatedAccelerator device(SimulatedSettings{.late = onHost ? kLateHost : kLateCompute});
            return runInArena(what, device);
        };
        const Case right(graph, steps);
        QVERIFY(!findRace(graph, steps, right.program));
        const Outcome expected = outcomeOf(right);
        QVERIFY2(expected.run, expected.run ? "" : expected.run.error().message.c_str());
        QCOMPARE(expected.updated.size(), std::size_t(1));

        std::vector<Step> broken = steps;
        if (stale && onHost) // brought back before it is updated
            std::rotate(broken.begin() + 4, broken.begin() + 5, broken.begin() + 7);
        else if (stale) // never offloaded
            broken.erase(broken.begin() + 4);
        Case wrong(graph, broken);
        Plan plan;
        plan.steps = broken;
        plan.parametersPlanned = true;
        QCOMPARE(checkPlan(graph, wrong.costs, plan).ok, !stale);
        if (!stale) {
            const std::size_t waiting = onHost ? 6 : 4;
            QVERIFY(!wrong.program.waits[waiting].empty());
            wrong.program.waits[waiting].clear();
            const std::optional<Race> race = findRace(graph, broken, wrong.program);
            QVERIFY(race);
            QCOMPARE(race->step, static_cast<std::int32_t>(waiting));
        }
        bool shown = false;
        for (int attempt = 0; attempt < 50 && !shown; ++attempt) {
            const Outcome outcome = outcomeOf(wrong);
            shown = !outcome.run || outcome.outputs != expected.outputs || outcome.updated != expected.updated;
        }
        QVERIFY(shown);
    }

    /// Each wait that is left out lets a late stream do damage that shows at the end.
    void aMissingWaitShows_data()
    {
        QTest::addColumn<int>("step");
        QTest::addColumn<bool>("lateCopies");
        const Case what = offloadingChain();
        const std::size_t prefetch = position(what, StepKind::Prefetch);
        QTest::newRow("free before the offload has ended") << int(position(what, StepKind::Offload)) + 1000 << true;
        QTest::newRow("read before the prefetch has ended") << int(prefetch) + 1 << true;
        QTest::newRow("offload before the op has ended") << int(position(what, StepKind::Offload)) << false;
    }

    void aMissingWaitShows()
    {
        QFETCH(int, step);
        QFETCH(bool, lateCopies);
        Case what = offloadingChain();
        const StorageId first = what.graph.op(OpId(0)).outputs[0];
        auto at = static_cast<std::size_t>(step);
        if (step >= 1000)
            at = static_cast<std::size_t>(std::find(what.steps.begin(), what.steps.end(), Step::free(first)) -
                                          what.steps.begin());
        QVERIFY(!what.program.waits[at].empty());
        what.program.waits[at].clear();
        const std::optional<Race> race = findRace(what.graph, what.steps, what.program);
        QVERIFY(race);
        QCOMPARE(race->step, static_cast<std::int32_t>(at));
        // A copy that nothing orders may come in time by chance, where the system starts its thread late.
        bool shown = false;
        for (int attempt = 0; attempt < 50 && !shown; ++attempt) {
            SimulatedAccelerator device(SimulatedSettings{.late = lateCopies ? kLateCopies : kLateCompute});
            const Outcome outcome = runInArena(what, device);
            shown = !outcome.run || outcome.outputs != expectedOutputs(what.graph);
        }
        QVERIFY(shown);
    }

    /// Checksums after each step name the very step that goes wrong, whatever was broken.
    void theFirstWrongStepIsNamed()
    {
        const Case right = offloadingChain();
        const StorageId first = right.graph.op(OpId(0)).outputs[0];
        std::vector<StepSums> expected;
        SimulatedAccelerator good;
        EngineSetting summing;
        summing.sums = &expected;
        QVERIFY(runInArena(right, good, summing).run);
        QCOMPARE(expected.size(), right.steps.size());
        const auto differenceOf = [&](const Case &what, const auto &late) {
            SimulatedAccelerator device(SimulatedSettings{.late = late});
            std::vector<StepSums> sums;
            EngineSetting setting;
            setting.sums = &sums;
            const Outcome outcome = runInArena(what, device, setting);
            return outcome.run ? firstDifference(what.graph, expected, sums) : std::nullopt;
        };
        QVERIFY(!differenceOf(right, kLateCopies));

        // The reader of what is prefetched does not wait for it.
        Case waitless = right;
        const std::size_t reader = position(right, StepKind::Prefetch) + 1;
        waitless.program.waits[reader].clear();
        std::optional<FirstDifference> found = differenceOf(waitless, kLateCopies);
        QVERIFY(found);
        QCOMPARE(found->step, reader);
        QCOMPARE(found->storage, first);
        QVERIFY(found->read);
        QVERIFY2(
            QString::fromStdString(found->sentence).contains(QString::fromStdString(right.graph.storage(first).name)),
            found->sentence.c_str());

        // Freed before the offload has ended: the poison is what comes back, and its first reader says so.
        Case early = right;
        early.program
            .waits[static_cast<std::size_t>(std::find(right.steps.begin(), right.steps.end(), Step::free(first)) -
                                            right.steps.begin())]
            .clear();
        found = differenceOf(early, kLateCopies);
        QVERIFY(found);
        QCOMPARE(found->step, reader);

        // An op that computes something else.
        std::vector<StepSums> other = expected;
        std::size_t changed = 0;
        for (std::size_t step = 0; step < other.size() && changed == 0; ++step)
            if (other[step].op == OpId(3)) changed = step;
        other[changed].made[0] ^= 1;
        found = firstDifference(right.graph, expected, other);
        QVERIFY(found && !found->read);
        QCOMPARE(found->step, changed);
        QVERIFY2(QString::fromStdString(found->sentence).contains("makes other"), found->sentence.c_str());
    }

    void overlappingAddressesAreFound()
    {
        Case what = offloadingChain();
        for (std::size_t i = 1; i < what.instances.size(); ++i)
            if (what.instances[i - 1].endStep > what.instances[i].firstStep) {
                what.layout.offsets[i] = what.layout.offsets[i - 1];
                break;
            }
        QVERIFY(findOverlap(what.graph, what.steps, what.program, what.instances, what.layout));
        SimulatedAccelerator device;
        const Outcome outcome = runInArena(what, device);
        QVERIFY(!outcome.run);
        QVERIFY2(QString::fromStdString(outcome.run.error().message).contains("is still in use"),
                 outcome.run.error().message.c_str());
    }

    /// A plan that frees too early reads what the poison has left.
    void aFreeTooEarlyIsFound()
    {
        Case what = offloadingChain();
        const StorageId first = what.graph.op(OpId(0)).outputs[0];
        std::erase(what.steps, Step::free(first));
        what.steps.insert(what.steps.begin() + 1, Step::free(first));
        const Case broken(what.graph, what.steps);
        SimulatedAccelerator device;
        const Outcome outcome = runInArena(broken, device);
        QVERIFY(!outcome.run);
    }

    void everyFailureLeavesNothingBehind_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("copies") << 0;
        QTest::newRow("ops and frees") << 1;
        QTest::newRow("allocations") << 2;
    }

    void everyFailureLeavesNothingBehind()
    {
        QFETCH(int, kind);
        const Case what = offloadingChain();
        const Outputs expected = expectedOutputs(what.graph);
        int failures = 0;
        for (int number = 0; number < 1000; ++number) {
            SimulatedSettings settings;
            (kind == 0   ? settings.failingCopy
             : kind == 1 ? settings.failingCompute
                         : settings.failingAllocation) = number;
            SimulatedAccelerator device(settings);
            const Outcome outcome = runInArena(what, device);
            QCOMPARE(device.deviceBytes(), 0);
            QCOMPARE(device.hostBytes(), 0);
            if (outcome.run) {
                QVERIFY(outcome.outputs == expected);
                break;
            }
            ++failures;
            QVERIFY2(QString::fromStdString(outcome.run.error().message).endsWith("as was asked of it."),
                     outcome.run.error().message.c_str());
            // The device works again.
            const Outcome again = runInArena(what, device);
            QVERIFY2(again.run, again.run ? "" : again.run.error().message.c_str());
            QVERIFY(again.outputs == expected);
        }
        QVERIFY2(failures >= (kind == 0 ? 2 : 15), qPrintable(QString::number(failures)));
    }

    void stopsBetweenOps()
    {
        const Case what = offloadingChain();
        StopToken stop;
        std::size_t last = 0;
        EngineSetting setting;
        setting.stop = &stop;
        setting.progress = [&](std::size_t step) {
            last = step;
            if (step >= 4) stop.requestStop();
        };
        SimulatedAccelerator device;
        const Outcome outcome = runInArena(what, device, setting);
        QVERIFY(!outcome.run);
        QCOMPARE(QString::fromStdString(outcome.run.error().message), QString("Stopped."));
        QVERIFY(last >= 4 && last < what.steps.size() / 2);
        QCOMPARE(device.deviceBytes(), 0);
        QCOMPARE(device.hostBytes(), 0);
    }

    void memoryRunsOutWithASentence()
    {
        const Case what = offloadingChain();
        SimulatedAccelerator small(SimulatedSettings{.memoryBytes = what.layout.heightBytes - 1});
        const Outcome arena = runInArena(what, small);
        QVERIFY(!arena.run);
        QVERIFY2(QString::fromStdString(arena.run.error().message).contains("do not fit"),
                 arena.run.error().message.c_str());
        SimulatedAccelerator device;
        const Outcome firstFit = runFirstFit(what, device, what.layout.loadBytes / 2);
        QVERIFY(!firstFit.run);
        QVERIFY2(QString::fromStdString(firstFit.run.error().message).startsWith("Memory ran out"),
                 firstFit.run.error().message.c_str());
        QCOMPARE(device.deviceBytes(), 0);
    }

    void programOfAnotherPlanIsRefused()
    {
        Case what = offloadingChain();
        what.program.waits.pop_back();
        SimulatedAccelerator device;
        QVERIFY(!runInArena(what, device).run);
    }

    /// The system itself may not read a page that is closed, nor one beyond either end.
    void closedMemoryCannotBeRead()
    {
        SimulatedAccelerator device(SimulatedSettings{.closed = ClosedMemory::Unreadable});
        const auto page = static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
        Expected<MemoryBlock> block = device.deviceBlock(4 * page);
        QVERIFY(block);
        const int null = ::open("/dev/null", O_WRONLY);
        int pipes[2] = {-1, -1};
        QCOMPARE(::pipe(pipes), 0);
        const auto readable = [&](const std::byte *at) { return ::write(pipes[1], at, 1) == 1; };
        std::byte *begin = block->get();
        QVERIFY(!readable(begin) && !readable(begin - 1) && !readable(begin + 4 * page));
        // Two parts share the second page: it closes with the last of them.
        QVERIFY(device.open(begin, page + 100));
        QVERIFY(device.open(begin + page + 100, 100));
        QVERIFY(readable(begin) && readable(begin + page + 199));
        QVERIFY(!readable(begin + 2 * page) && !readable(begin - 1));
        device.close(begin, page + 100);
        QVERIFY(!readable(begin) && readable(begin + page + 150));
        QCOMPARE(begin[page + 50], std::byte(0xff));
        device.close(begin + page + 100, 100);
        QVERIFY(!readable(begin + page + 150));
        for (const int descriptor : {null, pipes[0], pipes[1]})
            ::close(descriptor);
    }
};

QTEST_APPLESS_MAIN(TestEngineFaults)
#include "tst_engine_faults.moc"
