// Windows of a plan, solved exactly.
#include "core/base/expected.h"

#include "solvers/portfolio/window.h"
#include "solvers/search/greedy.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"

#include <QTest>

using namespace remat;
using namespace remat::test;
using portfolio::solveWindow;
using portfolio::WindowResult;
using portfolio::WindowSettings;

namespace {

WindowSettings windowOf(std::int64_t budgetBytes, int first, int last)
{
    WindowSettings settings;
    settings.budgetBytes = budgetBytes;
    settings.first = first;
    settings.last = last;
    return settings;
}

search::Found greedyFor(const FlatGraph &flat, std::int64_t budgetBytes)
{
    return search::greedyPlan(flat, budgetBytes, {}, [] { return false; });
}

SequenceCost costOf(const FlatGraph &flat, const std::vector<Recompute> &set)
{
    return sequenceCost(*flat.graph, *flat.costs, toSequence(flat, set));
}

} // namespace

class TestWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neverBelowTheOptimumNorOverTheBudgetAndMostlyThere()
    {
        int solved = 0, optimal = 0, better = 0;
        for (std::uint64_t seed = 0; seed < 80; ++seed) {
            const Case of(chainGraph(4, {.parameterBytes = 2, .seed = seed + 1}));
            const FlatGraph flat = flatten(of.graph, of.costs);
            for (const int percent : {90, 75}) {
                const std::int64_t budget = of.percent(percent);
                const search::Found found = greedyFor(flat, budget);
                if (!found.fits || found.set.empty()) continue;
                const WindowResult result = solveWindow(flat, found.set, windowOf(budget, 1, flat.ops - 1));
                QVERIFY(result.proven);
                const std::vector<Recompute> set = result.better.value_or(found.set);
                const SequenceCost cost = costOf(flat, set);
                const std::optional<double> optimum = bruteForceOptimum(of.graph, of.costs, budget);
                QVERIFY(optimum && cost.peakBytes <= budget && cost.timeUs > *optimum - 1e-6);
                ++solved;
                better += result.better ? 1 : 0;
                optimal += cost.timeUs < *optimum + 1e-6 ? 1 : 0;
            }
        }
        const std::string counts =
            std::to_string(optimal) + " of " + std::to_string(solved) + ", " + std::to_string(better) + " better";
        QVERIFY2(solved > 50 && better > 0 && optimal >= solved - solved / 20, counts.c_str());
    }

    void onlyTheWindowChanges()
    {
        // A plan for less memory than there is: windows have much to undo.
        int better = 0;
        for (const char *sample : {"tiny_gpt2", "tiny_unet"}) {
            const Expected<Case> of = sampleCase(sample);
            if (!of) QFAIL(sentenceOf(of).c_str());
            const FlatGraph flat = flatten(of->graph, of->costs);
            const std::int64_t budget = of->percent(60);
            const search::Found found = greedyFor(flat, of->percent(40));
            QVERIFY(found.fits);
            for (std::size_t third = 0; third < 3; ++third) {
                const int stage = found.set[third * found.set.size() / 3].slot;
                WindowSettings settings = windowOf(budget, std::max(1, stage - 1), std::min(flat.ops - 1, stage + 2));
                settings.iterations = 20'000;
                const WindowResult result = solveWindow(flat, found.set, settings);
                if (!result.better) continue;
                ++better;
                const SequenceCost cost = costOf(flat, *result.better);
                QVERIFY(cost.peakBytes <= budget && cost.timeUs < of->keepAllTimeUs + found.extraUs);
                for (const Recompute &each : *result.better)
                    QVERIFY((each.slot >= settings.first && each.slot <= settings.last) ||
                            std::binary_search(found.set.begin(), found.set.end(), each));
            }
        }
        QVERIFY2(better >= 3, std::to_string(better).c_str());
    }

    void autoTellsWhatWindowsDid()
    {
        const Expected<Case> of = sampleCase("tiny_gpt2");
        if (!of) QFAIL(sentenceOf(of).c_str());
        const std::map<std::string, std::string> weak = {{"effort", "1"}, {"rounds", "0"}, {"hiremate", "false"}};
        std::map<std::string, std::string> with = weak;
        with["windows"] = "true";
        const auto without = plan("auto", *of, of->percent(30), {}, weak);
        const auto windows = plan("auto", *of, of->percent(30), {}, with);
        QVERIFY(without && without->plan && windows && windows->plan);
        QVERIFY2(windows->message.find("solved exactly") != std::string::npos, windows->message.c_str());
        QVERIFY(windows->plan->predicted.timeUs <= without->plan->predicted.timeUs);
    }
};

QTEST_GUILESS_MAIN(TestWindow)
#include "tst_window.moc"
