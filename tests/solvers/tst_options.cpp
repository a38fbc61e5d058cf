#include "solvers/options.h"

#include <QTest>

using namespace remat;

namespace {

const std::vector<OptionRecord> kRecords = {
    integerOption("levels", "Levels", 60, 2, 400, "", "How many."),
    realOption("gap", "Gap", 0.5, 0, 50, "%", "How near."),
    flagOption("undo", "Undo", true, "Whether."),
    choiceOption("points", "Points", {"best", "all"}, "Which."),
};

} // namespace

class TestOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaults()
    {
        const Expected<OptionSet> options = makeOptions(kRecords, {});
        QVERIFY(options.has_value());
        QCOMPARE(options->integer("levels"), 60);
        QCOMPARE(options->real("gap"), 0.5);
        QVERIFY(options->flag("undo"));
        QCOMPARE(options->choice("points"), std::string("best"));
        QVERIFY(options->changed().empty());
    }

    void whatIsSetAndWhatChanged()
    {
        const Expected<OptionSet> options =
            makeOptions(kRecords, {{"levels", "12"}, {"gap", "0.5"}, {"undo", "off"}, {"points", "all"}});
        QVERIFY(options.has_value());
        QCOMPARE(options->integer("levels"), 12);
        QVERIFY(!options->flag("undo"));
        QCOMPARE(options->choice("points"), std::string("all"));
        const std::map<std::string, std::string> changed = {{"levels", "12"}, {"undo", "false"}, {"points", "all"}};
        QCOMPARE(options->changed(), changed);
    }

    void whatChangedMakesTheSameOptions()
    {
        const Expected<OptionSet> once = makeOptions(kRecords, {{"gap", "1e-3"}, {"undo", "no"}});
        const Expected<OptionSet> twice = makeOptions(kRecords, once->changed());
        QVERIFY(twice.has_value());
        QCOMPARE(twice->real("gap"), 1e-3);
        QVERIFY(!twice->flag("undo"));
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
                                           << "Options: levels, gap, undo, points.";
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
