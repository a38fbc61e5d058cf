// SPDX-License-Identifier: Apache-2.0
#include "solvers/interface/option_table.h"

#include <QtTest>

using namespace remat;

namespace {

enum class Points { Best, All };

struct PartOptions {
    double gap = 0.5;
    bool undo = true;
};

struct Options {
    int levels = 60;
    PartOptions part;
    Points points = Points::Best;
    std::string leaf = "ilp";
};

const OptionTable<PartOptions> kPart = {
    numberOption(&PartOptions::gap, "gap", "Gap", 0, 50, "%", "How near."),
    flagOption(&PartOptions::undo, "undo", "Undo", "Whether."),
};
const OptionTable<Options> kTable = {
    numberOption(&Options::levels, "levels", "Levels", 2, 400, "", "How many."),
    kPart.in(&Options::part),
    choiceOption(&Options::points, "points", "Points", {{"best", Points::Best}, {"all", Points::All}}, "Which."),
    nameOption(&Options::leaf, "leaf", "Leaf", {"search", "ilp"}, "Who.", true),
};
const std::vector<OptionRecord> kRecords = kTable.records();

} // namespace

class TestOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordsSayWhatTheMembersAre()
    {
        QCOMPARE(kRecords.size(), std::size_t(5));
        QCOMPARE(kRecords[0].type, OptionType::Int);
        QCOMPARE(kRecords[0].defaultNumber, 60.0);
        QCOMPARE(kRecords[1].type, OptionType::Real);
        QCOMPARE(kRecords[1].defaultNumber, 0.5);
        QCOMPARE(kRecords[1].unit, std::string("%"));
        QCOMPARE(kRecords[2].type, OptionType::Bool);
        QCOMPARE(kRecords[2].defaultNumber, 1.0);
        QCOMPARE(kRecords[3].defaultChoice, std::string("best"));
        QCOMPARE(kRecords[3].choices, (std::vector<std::string>{"best", "all"}));
        QCOMPARE(kRecords[4].defaultChoice, std::string("ilp")); // not the first one
        QVERIFY(kRecords[4].advanced && !kRecords[3].advanced);
    }

    void aPartMayHaveOtherDefaultsInTheWhole()
    {
        struct Whole {
            PartOptions part{.gap = 2};
        };
        const OptionTable<Whole> whole = kPart.in(&Whole::part);
        QCOMPARE(whole.records()[0].defaultNumber, 2.0);
        QCOMPARE(kPart.records()[0].defaultNumber, 0.5);
        QCOMPARE(whole.read(*makeOptions(whole.records(), {})).part.gap, 2.0);
    }

    void defaults()
    {
        const Expected<OptionSet> set = makeOptions(kRecords, {});
        QVERIFY(set.has_value());
        const Options options = kTable.read(*set);
        QCOMPARE(options.levels, 60);
        QCOMPARE(options.part.gap, 0.5);
        QVERIFY(options.part.undo);
        QCOMPARE(options.points, Points::Best);
        QCOMPARE(options.leaf, std::string("ilp"));
        QVERIFY(set->changed().empty());
    }

    void eachRecordIsReadIntoItsOwnMember()
    {
        const std::map<std::string, std::string> all = {
            {"levels", "12"}, {"gap", "3.5"}, {"undo", "off"}, {"points", "all"}, {"leaf", "search"}};
        for (const auto &[name, value] : all) {
            const Expected<OptionSet> set = makeOptions(kRecords, {{name, value}});
            QVERIFY(set.has_value());
            const Options options = kTable.read(*set);
            QCOMPARE(options.levels, name == "levels" ? 12 : 60);
            QCOMPARE(options.part.gap, name == "gap" ? 3.5 : 0.5);
            QCOMPARE(options.part.undo, name != "undo");
            QCOMPARE(options.points, name == "points" ? Points::All : Points::Best);
            QCOMPARE(options.leaf, std::string(name == "leaf" ? "search" : "ilp"));
        }
    }

    void whatIsSetAndWhatChanged()
    {
        const Expected<OptionSet> set =
            makeOptions(kRecords, {{"levels", "12"}, {"gap", "0.5"}, {"undo", "off"}, {"points", "all"}});
        QVERIFY(set.has_value());
        const std::map<std::string, std::string> changed = {{"levels", "12"}, {"undo", "false"}, {"points", "all"}};
        QCOMPARE(set->changed(), changed);
    }

    void whatChangedMakesTheSameOptions()
    {
        const Expected<OptionSet> once = makeOptions(kRecords, {{"gap", "1e-3"}, {"undo", "no"}});
        const Expected<OptionSet> twice = makeOptions(kRecords, once->changed());
        QVERIFY(twice.has_value());
        QCOMPARE(kTable.read(*twice).part.gap, 1e-3);
        QVERIFY(!kTable.read(*twice).part.undo);
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("says");
        QTest::newRow("unknown, the nearest is named") << "level"
                                                       << "3"
                                                       << "Did you mean \"levels\"?";
        QTest::newRow("unknown, far away") << "zzz"
                                           << "3"
                                           << "Options: levels, gap, undo, points, leaf.";
        QTest::newRow("below") << "levels"
                               << "1"
                               << "goes from 2 to 400; 1 is outside";
        QTest::newRow("above") << "gap"
                               << "50.5"
                               << "goes from 0 to 50 %; 50.5 is outside";
        QTest::newRow("not whole") << "levels"
                                   << "2.5"
                                   << "needs a whole number, not \"2.5\"";
        QTest::newRow("not a number") << "gap"
                                      << "much"
                                      << "needs a number, not \"much\"";
        QTest::newRow("rest after the number") << "gap"
                                               << "1%"
                                               << "not \"1%\"";
        QTest::newRow("not finite") << "gap"
                                    << "nan"
                                    << "needs a number";
        QTest::newRow("empty") << "levels"
                               << ""
                               << "needs a whole number";
        QTest::newRow("not a flag") << "undo"
                                    << "2"
                                    << "is on or off, not \"2\"";
        QTest::newRow("no such choice") << "points"
                                        << "none"
                                        << "is one of best, all, not \"none\"";
    }

    void refusals()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, value);
        QFETCH(const QString, says);
        const Expected<OptionSet> options = makeOptions(kRecords, {{name.toStdString(), value.toStdString()}});
        QVERIFY(!options.has_value());
        QVERIFY2(QString::fromStdString(options.error().message).contains(says), options.error().message.c_str());
    }

    void aPlannerWithoutOptions()
    {
        const Expected<OptionSet> options = makeOptions({}, {{"x", "1"}});
        QVERIFY(!options.has_value());
        QVERIFY(options.error().message.find("has none") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestOptions)
#include "tst_options.moc"
