// SPDX-License-Identifier: Apache-2.0
#include "solvers/interface/solver.h"

#include <QtTest>

using namespace remat;

class TestRegistry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPlannerIsFoundByItsName()
    {
        QSet<QString> names;
        for (const Planner *planner : planners()) {
            names.insert(QString::fromStdString(planner->info.name));
            QCOMPARE(findPlanner(planner->info.name).value(), planner);
        }
        QCOMPARE(names.size(), qsizetype(planners().size()));
        for (const char *name : {"auto", "search", "hiremate", "chen-sqrt", "keep-all"})
            QVERIFY(names.contains(name));
        QCOMPARE(planners().front()->info.name, std::string("auto"));
    }

    void anUnknownNameListsTheKnownOnes()
    {
        const Expected<const Planner *> none = findPlanner("himate");
        QVERIFY(!none.has_value());
        for (const Planner *planner : planners())
            QVERIFY(none.error().message.find(planner->info.name) != std::string::npos);
    }

    void everyPlannerSaysWhatItIs()
    {
        for (const Planner *planner : planners()) {
            const PlannerInfo &info = planner->info;
            QVERIFY2(!info.title.empty() && !info.kind.empty() && !info.source.empty(), info.name.c_str());
            QVERIFY2(info.text.ends_with('.'), info.name.c_str());
        }
    }

    void everyOptionIsUsable()
    {
        for (const Planner *planner : planners()) {
            QSet<QString> names;
            for (const OptionRecord &record : planner->info.options) {
                const std::string where = planner->info.name + " " + record.name;
                names.insert(QString::fromStdString(record.name));
                QVERIFY2(record.text.ends_with('.') && !record.label.empty(), where.c_str());
                if (record.type == OptionType::Choice)
                    QVERIFY2(std::find(record.choices.begin(), record.choices.end(), record.defaultChoice) !=
                                 record.choices.end(),
                             where.c_str());
                else
                    QVERIFY2(record.minimum < record.maximum && record.defaultNumber >= record.minimum &&
                                 record.defaultNumber <= record.maximum,
                             where.c_str());
            }
            QCOMPARE(names.size(), qsizetype(planner->info.options.size()));
            QVERIFY(makeOptions(planner->info.options, {}).has_value());
        }
    }

    void statusNames()
    {
        QCOMPARE(QString(statusName(SolveStatus::Optimal)), QString("optimal"));
        QCOMPARE(QString(statusName(SolveStatus::Feasible)), QString("feasible"));
        QCOMPARE(QString(statusName(SolveStatus::Infeasible)), QString("infeasible"));
        QCOMPARE(QString(statusName(SolveStatus::Stopped)), QString("stopped"));
    }
};

QTEST_GUILESS_MAIN(TestRegistry)
#include "tst_registry.moc"
