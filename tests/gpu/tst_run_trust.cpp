// SPDX-License-Identifier: Apache-2.0
// What a process that ran somebody's file may say, and what is made of it.
#include "gpu/run_trust.h"

#include <QtTest>

#include <cmath>
#include <functional>

using namespace remat;

class TestRunTrust : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textsAreFitToShow()
    {
        ValidationRecord record;
        record.sentence = "one\ntwo\x1b[31m\xff";
        record.peakReasons = {std::string(1'000'000, 'a')};
        record.differences = {{"loss\r", 1}};
        RunReply reply = record;
        makeFitToShow(reply);
        const auto &mended = std::get<ValidationRecord>(reply);
        QCOMPARE(mended.sentence, std::string("one two [31m\xef\xbf\xbd"));
        QVERIFY(mended.peakReasons.front().size() <= 4000);
        QCOMPARE(mended.differences.front().name, std::string("loss "));
        reply = std::string("\x07"
                            "no");
        makeFitToShow(reply);
        QCOMPARE(std::get<std::string>(reply), std::string(" no"));
    }

    void recordsThatCannotBe()
    {
        ValidationRecord good;
        good.gradients = good.gradientsEqual = 3;
        good.largestDifference = INFINITY; // a loss that is no number
        QVERIFY(isPossible(good));
        const std::vector<std::function<void(ValidationRecord &)>> changes = {
            [](ValidationRecord &record) { record.measuredTimeUs = NAN; },
            [](ValidationRecord &record) { record.measuredKeepAllTimeUs = INFINITY; },
            [](ValidationRecord &record) { record.measuredPeakBytes = -1; },
            [](ValidationRecord &record) { record.measuredKeepAllPeakBytes = -1; },
            [](ValidationRecord &record) { record.predictedPeakBytes = -1; },
            [](ValidationRecord &record) { record.gradientsEqual = 4; },
            [](ValidationRecord &record) { record.buffersEqual = -1; },
            [](ValidationRecord &record) { record.updatedEqual = record.updated + 1; },
            [](ValidationRecord &record) { record.reference = static_cast<ReferenceKind>(9); },
            [](ValidationRecord &record) { record.referencePeakBytes = -1; },
            [](ValidationRecord &record) { record.cpu.tolerance = NAN; },
            [](ValidationRecord &record) {
                record.steps = {{1, 0, 1, NAN, 2}};
            },
            [](ValidationRecord &record) {
                record.steps = {{-1, 0, 1, 1, 2}};
            },
        };
        for (const auto &change : changes) {
            ValidationRecord record = good;
            change(record);
            QVERIFY(!isPossible(record));
        }
    }

    void profilesThatCannotBe()
    {
        Profile profile;
        profile.ops = {{1, 0, 0}, {2, 0, 64}};
        QVERIFY(isPossible(profile, 2));
        QVERIFY(!isPossible(profile, 3));
        for (const OpMeasurement bad : {OpMeasurement{-1, 0, 0}, OpMeasurement{1, NAN, 0}, OpMeasurement{1, 0, -1},
                                        OpMeasurement{1e16, 0, 0}, OpMeasurement{1, 0, (std::int64_t(1) << 60) + 1}}) {
            profile.ops[1] = bad;
            QVERIFY(!isPossible(profile, 2));
        }
        profile.ops[1] = {2, 0, 64};
        for (const StepTimes bad : {StepTimes{-1, 0, 0}, StepTimes{1e16, 0, 0}, StepTimes{1, NAN, 0},
                                    StepTimes{1, 0, -1}, StepTimes{1, 0, INFINITY}}) {
            profile.step = bad;
            QVERIFY(!isPossible(profile, 2));
        }
        profile.step = {};
        const std::vector<std::function<void(Profile &)>> changes = {
            [](Profile &p) { p.ops[0].samples = -1; },
            [](Profile &p) { p.ops[0].outliers = 1; },
            [](Profile &p) { p.distinctOps = 3; },
            [](Profile &p) { p.spreadLimit = NAN; },
            [](Profile &p) {
                p.link = {{8, 1, 1}, {8, 1, 1}};
            },
            [](Profile &p) {
                p.link = {{8, NAN, 1}};
            },
            [](Profile &p) {
                p.clocks = {"", 2, 1, 0};
            },
            [](Profile &p) {
                p.clocks = {"", 0, INFINITY, 0};
            },
        };
        for (const auto &change : changes) {
            Profile changed = profile;
            change(changed);
            QVERIFY(!isPossible(changed, 2));
        }
    }
};

QTEST_GUILESS_MAIN(TestRunTrust)
#include "tst_run_trust.moc"
