// SPDX-License-Identifier: Apache-2.0
// A plan from what is kept at a cut holds no more than that there.
#include "core/plan/sequence_evaluator.h"
#include "solvers/search/skeleton.h"
#include "tests/solvers/solving.h"
#include "tests/support/random.h"

#include <QtTest>

using namespace remat;
using namespace remat::search;

class TestSearchSkeleton : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatIsKeptCrosses()
    {
        int steps = 0;
        for (std::uint64_t seed = 0; seed < 150; ++seed) {
            test::RandomGraphParams params;
            params.ops = 8 + static_cast<int>(seed % 30);
            params.joint = seed % 2 == 0;
            params.computeOnce = seed % 5 == 0 ? 10 : 0;
            const test::Case of(test::randomGraph(seed, params));
            const FlatGraph flat = flatten(of.graph, of.costs);
            test::Random random(seed);
            const int cut = random.between(1, flat.ops - 2);
            std::vector<int> kept;
            std::vector<char> mayCross(flat.bytes.size(), 0);
            for (int s = 0; s < flat.storages(); ++s) {
                if (flat.producer[s] < 0 || flat.producer[s] >= cut) continue;
                if (random.percent(50)) kept.push_back(s);
                mayCross[s] = flat.once[flat.producer[s]] || flat.bytes[s] == 0;
            }
            for (const int s : kept)
                mayCross[s] = 1;
            for (const int s : flat.inputs[cut])
                mayCross[s] = 1;

            State state(flat, of.percent(50));
            keepAtCut(state, cut, kept);
            std::vector<Recompute> tidy = state.recomputes();
            tidyRecomputes(flat, tidy);
            QVERIFY(tidy == state.recomputes());
            QCOMPARE(state.memory().peak(), sequenceCost(of.graph, of.costs, toSequence(flat, tidy)).peakBytes);
            steps += static_cast<int>(tidy.size());
            for (int s = 0; s < flat.storages(); ++s) {
                if (mayCross[s] || flat.producer[s] < 0 || flat.producer[s] >= cut) continue;
                const std::vector<Key> &events = state.events(s);
                const std::size_t e = state.eventAt(s, keyOf(cut + 1, 0));
                // Outputs of the graph cannot be made again after the last op, nor by one that reads only the end.
                if (e == events.size() || events[e] == state.endKey()) continue;
                QVERIFY2(state.makes(events[e], s), std::to_string(seed).c_str());
            }
        }
        QVERIFY(steps > 100);
    }
};

QTEST_GUILESS_MAIN(TestSearchSkeleton)
#include "tst_search_skeleton.moc"
