// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/stress/odd_graph.h"

#include "tests/support/graphs.h"
#include "tests/support/random.h"

#include <algorithm>
#include <array>

namespace remat::fuzz {

namespace {

class Maker
{
public:
    explicit Maker(std::uint64_t seed) : m_random(seed)
    {
        m_zeroBytes = m_random.percent(30) ? m_random.between(10, 60) : 0;
        m_zeroTime = m_random.percent(30) ? m_random.between(10, 90) : 0;
        m_huge = m_random.percent(15) ? 20 : 0;
        m_once = m_random.percent(20) ? m_random.between(5, 40) : 0;
        m_randomOps = m_random.percent(30) ? 20 : 0;
        m_outputs = m_random.percent(20) ? 60 : 10;
        m_unit = std::int64_t(1) << m_random.pick(std::array{0, 0, 3, 10, 20});
    }

    Graph make()
    {
        for (int i = m_random.between(1, 3); i > 0; --i)
            m_made.push_back(m_builder.resident(
                bytes(), m_random.pick(std::array{StorageKind::Parameter, StorageKind::Input, StorageKind::Buffer})));
        m_residents = m_made.size();
        const int ops = m_random.percent(70) ? m_random.between(1, 12) : m_random.between(13, 40);
        switch (m_random.below(5)) {
        case 0:
            chain(ops);
            break;
        case 1:
            fan(ops);
            break;
        case 2:
            joint(ops);
            break;
        default:
            any(ops);
        }
        return m_builder.finish();
    }

private:
    std::int64_t bytes()
    {
        if (m_random.percent(m_zeroBytes)) return 0;
        const std::int64_t unit = m_random.percent(m_huge) ? std::int64_t(1) << 33 : m_unit;
        return unit * m_random.between(1, 20);
    }

    double timeUs()
    {
        if (m_random.percent(m_zeroTime)) return 0;
        return m_random.percent(m_huge) ? 1e10 * m_random.between(1, 9) : 0.5 * m_random.between(1, 40);
    }

    StorageId add(std::vector<StorageId> read, Phase phase, OpId forward = {})
    {
        std::vector<test::GraphBuilder::Output> outputs;
        for (int n = m_random.percent(85) ? 1 : m_random.between(2, 4); n > 0; --n)
            outputs.push_back({bytes(),
                               phase == Phase::Backward ? StorageKind::Gradient : StorageKind::Activation,
                               m_random.percent(m_outputs),
                               {}});
        std::sort(read.begin(), read.end());
        read.erase(std::unique(read.begin(), read.end()), read.end());
        const OpId id = m_builder.op(read, outputs, timeUs(), phase);
        Op &op = m_builder.edit(id);
        op.module = m_random.pick(std::array{"", "a", "a.b", "a.b.0", "a.b.1", "c"});
        op.kind = m_random.pick(std::array{"mm", "relu", "x y"});
        op.forwardOp = forward;
        if (m_random.percent(20)) op.workspaceBytes = bytes();
        op.computeOnce = m_random.percent(m_once);
        op.random = m_random.percent(m_randomOps);
        for (const StorageId made : op.outputs)
            m_made.push_back(made);
        m_last = id;
        return m_builder.output(id);
    }

    /// Nothing at all, the last ones, or anything made so far.
    std::vector<StorageId> some()
    {
        std::vector<StorageId> read;
        if (m_random.percent(8)) return read;
        for (int n = m_random.between(1, 4); n > 0; --n)
            read.push_back(m_random.percent(50) ? m_made.back() : m_random.pick(m_made));
        return read;
    }

    void markLast() { m_builder.edit(m_builder.output(m_last)).isOutput = true; }

    void chain(int ops)
    {
        StorageId last = m_made.front();
        for (int i = 0; i < ops; ++i)
            last = add({last}, Phase::Forward);
        markLast();
    }

    /// One op that many read, and one that reads them all.
    void fan(int ops)
    {
        const StorageId root = add({m_made.front()}, Phase::Forward);
        std::vector<StorageId> leaves = {root};
        for (int i = 2; i < ops; ++i)
            leaves.push_back(add({root}, Phase::Forward));
        add(leaves, Phase::Loss);
        markLast();
    }

    void joint(int ops)
    {
        struct Recorded {
            OpId op;
            std::vector<StorageId> read;
        };
        std::vector<Recorded> tape;
        StorageId last = m_made.front();
        for (int i = 0; i < std::max(1, ops / 2); ++i) {
            std::vector<StorageId> read = some();
            read.push_back(last);
            last = add(read, Phase::Forward);
            tape.push_back({m_last, read});
        }
        StorageId gradient = add({last}, Phase::Loss);
        m_builder.edit(gradient).isOutput = true;
        std::reverse(tape.begin(), tape.end());
        for (const Recorded &forward : tape) {
            std::vector<StorageId> read = m_random.percent(70) ? forward.read : std::vector<StorageId>{};
            read.push_back(gradient);
            gradient = add(read, Phase::Backward, forward.op);
            if (m_random.percent(50)) markLast();
        }
        markLast();
    }

    void any(int ops)
    {
        for (int i = 0; i < ops; ++i)
            add(some(), Phase::Forward);
        markLast();
    }

    test::Random m_random;
    test::GraphBuilder m_builder;
    std::vector<StorageId> m_made; ///< residents first
    std::size_t m_residents = 0;
    OpId m_last;
    std::int64_t m_unit = 1;
    int m_zeroBytes = 0, m_zeroTime = 0, m_huge = 0, m_once = 0, m_randomOps = 0, m_outputs = 10;
};

} // namespace

Graph oddGraph(std::uint64_t seed)
{
    return Maker(seed).make();
}

} // namespace remat::fuzz
