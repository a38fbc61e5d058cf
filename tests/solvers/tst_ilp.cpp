// SPDX-License-Identifier: Apache-2.0
#include "solvers/ilp/cbc.h"
#include "solvers/ilp/linear.h"
#include "solvers/tools/parallel.h"
#include "tests/support/patience.h"
#include "tests/support/random.h"

#include <QtTest>

#include <cmath>

using namespace remat;

namespace {

/// Random set cover with a knapsack row; `best` by trying every subset.
struct Instance {
    ilp::Model model;
    double best = ilp::kInfinity;
};

Instance randomInstance(std::uint64_t seed, int columns)
{
    test::Random random(seed);
    Instance instance;
    for (int c = 0; c < columns; ++c)
        instance.model.addBinary(random.between(1, 30));
    for (int r = 0; r < columns; ++r) {
        std::vector<ilp::Term> row;
        for (int c = 0; c < columns; ++c)
            if (random.percent(30)) row.push_back({c, 1.0});
        if (!row.empty()) instance.model.addAtLeast(1, row);
    }
    std::vector<ilp::Term> weights;
    for (int c = 0; c < columns; ++c)
        weights.push_back({c, static_cast<double>(random.between(1, 20))});
    instance.model.addAtMost(weights, random.between(10, 60));
    for (unsigned set = 0; set < (1U << static_cast<unsigned>(columns)); ++set) {
        std::vector<double> x;
        for (int c = 0; c < columns; ++c)
            x.push_back(set >> static_cast<unsigned>(c) & 1U ? 1.0 : 0.0);
        if (ilp::violation(instance.model, x) < 1e-9)
            instance.best = std::min(instance.best, ilp::objectiveOf(instance.model, x));
    }
    return instance;
}

/// Large enough to keep CBC busy for a long time: equal columns, no slack to prove anything with.
ilp::Model hardModel()
{
    test::Random random(5);
    ilp::Model model;
    constexpr int kColumns = 120, kRows = 40;
    for (int c = 0; c < kColumns; ++c)
        model.addBinary(random.between(90, 110));
    for (int r = 0; r < kRows; ++r) {
        std::vector<ilp::Term> row;
        for (int c = 0; c < kColumns; ++c)
            row.push_back({c, static_cast<double>(random.between(0, 99))});
        model.addAtLeast(1700, row);
    }
    return model;
}

} // namespace

class TestIlp : public QObject
{
    Q_OBJECT

private:
    static void check(const ilp::Solution &solution, const Instance &instance)
    {
        if (std::isinf(instance.best)) {
            QCOMPARE(solution.status, ilp::Status::Infeasible);
            QVERIFY(!solution.found());
            return;
        }
        QCOMPARE(solution.status, ilp::Status::Optimal);
        QVERIFY(std::abs(solution.objective - instance.best) < 1e-6);
        QVERIFY(ilp::violation(instance.model, solution.x) < 1e-6);
    }

private Q_SLOTS:
    void addRowSumsTerms()
    {
        ilp::Model model;
        model.addBinary(1);
        model.addBinary(1);
        model.addAtMost({{1, 2}, {0, 1}, {1, 3}, {0, -1}}, 4);
        QCOMPARE(model.terms.size(), std::size_t(1));
        QCOMPARE(model.terms[0].column, 1);
        QCOMPARE(model.terms[0].value, 5.0);
        QCOMPARE(ilp::violation(model, {1, 1}), 1.0);
    }

    void equalsTryingEverything_data()
    {
        QTest::addColumn<bool>("small");
        QTest::newRow("small") << true;
        QTest::newRow("full") << false;
    }

    void equalsTryingEverything()
    {
        QFETCH(const bool, small);
        ilp::Limits limits;
        limits.effort = small ? ilp::Effort::Small : ilp::Effort::Full;
        int feasible = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const Instance instance = randomInstance(seed, 10);
            feasible += std::isfinite(instance.best) ? 1 : 0;
            check(ilp::solve(instance.model, limits), instance);
            if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("seed %1").arg(seed)));
        }
        QVERIFY(feasible > 10 && feasible < 60);
    }

    void parallelSolvesAgreeWithSerialOnes()
    {
        std::vector<Instance> instances;
        for (std::uint64_t seed = 100; seed < 140; ++seed)
            instances.push_back(randomInstance(seed, 10));
        std::vector<ilp::Solution> solutions(instances.size());
        parallelFor(4, instances.size(), [&](std::size_t i) {
            ilp::Limits limits;
            limits.effort = i % 2 != 0 ? ilp::Effort::Small : ilp::Effort::Full;
            solutions[i] = ilp::solve(instances[i].model, limits);
        });
        for (std::size_t i = 0; i < instances.size(); ++i)
            check(solutions[i], instances[i]);
    }

    void aStartIsReturnedWhenNothingIsBetter()
    {
        for (const ilp::Effort effort : {ilp::Effort::Small, ilp::Effort::Full}) {
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                const Instance instance = randomInstance(seed, 10);
                if (std::isinf(instance.best)) continue;
                ilp::Limits limits;
                limits.effort = effort;
                limits.start = ilp::solve(instance.model, limits).x;
                check(ilp::solve(instance.model, limits), instance);
            }
        }
    }

    void aStartThatBreaksTheModelIsIgnored()
    {
        const Instance instance = randomInstance(1, 10);
        ilp::Limits limits;
        limits.start.assign(10, 0);
        check(ilp::solve(instance.model, limits), instance);
    }

    void nothingBetterThanWhatIsKnown()
    {
        Instance instance = randomInstance(0, 10);
        for (std::uint64_t seed = 1; std::isinf(instance.best); ++seed)
            instance = randomInstance(seed, 10);
        ilp::Limits limits;
        limits.known = instance.best;
        QVERIFY(!ilp::solve(instance.model, limits).found());
        limits.known = instance.best + 1;
        check(ilp::solve(instance.model, limits), instance);
    }

    void keepsTheTimeLimit()
    {
        const ilp::Model model = hardModel();
        ilp::Limits limits;
        limits.deadline = Deadline(1.0);
        QElapsedTimer timer;
        timer.start();
        const ilp::Solution solution = ilp::solve(model, limits);
        QVERIFY2(timer.elapsed() < 1000 + test::kPatienceMs, qPrintable(QString("%1 ms").arg(timer.elapsed())));
        QCOMPARE(solution.status, ilp::Status::Feasible);
        QVERIFY(ilp::violation(model, solution.x) < 1e-5);
    }

    void keepsTheIterationLimitAlikeEachTime()
    {
        const ilp::Model model = hardModel();
        for (const ilp::Effort effort : {ilp::Effort::Small, ilp::Effort::Full}) {
            ilp::Limits limits;
            limits.effort = effort;
            limits.iterations = 20'000;
            const ilp::Solution first = ilp::solve(model, limits);
            QCOMPARE(first.status, ilp::Status::Feasible);
            QVERIFY(first.iterations >= limits.iterations && first.iterations < limits.iterations + 2'000);
            limits.deadline = Deadline(500); // says nothing as long as it does not pass
            const ilp::Solution second = ilp::solve(model, limits);
            QVERIFY(second.x == first.x);
            QCOMPARE(second.bound, first.bound);
            QCOMPARE(second.iterations, first.iterations);
        }
    }

    void anIterationLimitEndsARelaxationWithABound()
    {
        const ilp::Model model = hardModel();
        const ilp::Relaxation full = ilp::solveRelaxation(model, {});
        ilp::Limits limits;
        limits.iterations = 16;
        const ilp::Relaxation cut = ilp::solveRelaxation(model, limits);
        QCOMPARE(cut.status, ilp::Status::Stopped);
        QVERIFY(cut.bound <= full.objective + 1e-6);
    }

    void stopsWhenAsked()
    {
        const ilp::Model model = hardModel();
        StopToken stop;
        ilp::Limits limits;
        limits.stop = &stop;
        bool bounded = false;
        limits.progress = [&](const ilp::Progress &progress) {
            bounded = bounded || std::isfinite(progress.bound);
            if (std::isfinite(progress.incumbent)) stop.requestStop();
        };
        const ilp::Solution solution = ilp::solve(model, limits);
        QCOMPARE(solution.status, ilp::Status::Feasible);
        QVERIFY(bounded);

        StopToken before;
        before.requestStop();
        limits.stop = &before;
        QCOMPARE(ilp::solve(model, limits).status, ilp::Status::Stopped);
    }
};

QTEST_GUILESS_MAIN(TestIlp)
#include "tst_ilp.moc"
