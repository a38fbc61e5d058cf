// SPDX-License-Identifier: Apache-2.0
// Order of the rows inside a cluster, and the lanes of edges that pass rows.
#include "core/views/row_order.h"
#include "core/views/skip_lanes.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>

using namespace remat;

namespace {

OrderQuestion randomQuestion(std::uint64_t seed, int rows)
{
    test::Random random(seed);
    OrderQuestion question;
    question.rows = rows;
    for (int to = 1; to < rows; ++to)
        for (int from = 0; from < to; ++from)
            if (random.percent(12)) question.edges.emplace_back(from, to);
    return question;
}

} // namespace

class TestRowOrder : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void rowsKeepEveryEdgeDown()
    {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const OrderQuestion question = randomQuestion(seed, 3 + static_cast<int>(seed % 20));
            std::vector<RowRank> ranks = longestPathRanks(question);
            for (const auto &[from, to] : question.edges)
                QVERIFY(ranks[static_cast<std::size_t>(from)].rank < ranks[static_cast<std::size_t>(to)].rank);
            // Even ranks that make no sense, as a broken helper might give, keep the order of computation.
            if (seed % 3 == 0)
                for (RowRank &rank : ranks)
                    rank = {7 - rank.rank, -rank.order};
            const std::vector<int> rows = rowsInOrder(question, ranks);
            QCOMPARE(rows.size(), static_cast<std::size_t>(question.rows));
            std::vector<int> place(rows.size(), -1);
            for (std::size_t i = 0; i < rows.size(); ++i)
                place[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
            for (const auto &[from, to] : question.edges)
                QVERIFY(place[static_cast<std::size_t>(from)] < place[static_cast<std::size_t>(to)]);
        }
    }

    void branchesStayInOnePiece()
    {
        // One source, two branches of three, computed by turns, one sink.
        OrderQuestion question;
        question.rows = 8;
        question.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 6}, {5, 7}, {6, 7}};
        QCOMPARE(rowsInOrder(question, longestPathRanks(question)), (std::vector<int>{0, 1, 3, 5, 2, 4, 6, 7}));
    }

    void mirroredRanksAreTurned()
    {
        std::vector<RowRank> ranks = {{0, 0}, {1, 2}, {1, 1}, {1, 0}, {2, 0}};
        unmirror(ranks);
        QCOMPARE(ranks, (std::vector<RowRank>{{0, 0}, {1, 0}, {1, 1}, {1, 2}, {2, 0}}));
        unmirror(ranks);
        QCOMPARE(ranks, (std::vector<RowRank>{{0, 0}, {1, 0}, {1, 1}, {1, 2}, {2, 0}}));
    }

    void lanesDoNotOverlap()
    {
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            test::Random random(seed);
            std::vector<RowEdge> skips;
            for (int i = 0; i < 12; ++i) {
                const int from = random.below(30);
                skips.emplace_back(from, from + random.between(2, 9));
            }
            std::sort(skips.begin(), skips.end());
            skips.erase(std::unique(skips.begin(), skips.end()), skips.end());
            const std::vector<SkipLine> lines = assignLanes(skips);
            std::size_t shown = 0;
            for (const SkipLine &a : lines) {
                shown += static_cast<std::size_t>(std::max(a.more, 1));
                QVERIFY(a.lane >= 0 && a.lane <= kSkipLanes);
                QVERIFY(a.more == 0 || a.lane == kSkipLanes);
                for (const SkipLine &b : lines)
                    QVERIFY(a == b || a.lane != b.lane || a.from == b.from || a.to <= b.from || b.to <= a.from);
            }
            QCOMPARE(shown, skips.size());
        }
    }

    void bundlesBeyondThreeLanes()
    {
        // Six nested skips, as the levels of a U-Net: three lanes, and the other three as one.
        std::vector<RowEdge> skips;
        for (int i = 0; i < 6; ++i)
            skips.emplace_back(i, 20 - i);
        const std::vector<SkipLine> lines = assignLanes(skips);
        QCOMPARE(lines.size(), std::size_t(4));
        QCOMPARE(lines.back(), (SkipLine{3, 17, kSkipLanes, 3}));
        // Upwards, in the backward column.
        std::vector<RowEdge> up;
        for (const auto &[from, to] : skips)
            up.emplace_back(to, from);
        std::sort(up.begin(), up.end());
        QCOMPARE(assignLanes(up).back(), (SkipLine{17, 3, kSkipLanes, 3}));
        QVERIFY(assignLanes({}).empty());
    }
};

QTEST_GUILESS_MAIN(TestRowOrder)
#include "tst_row_order.moc"
