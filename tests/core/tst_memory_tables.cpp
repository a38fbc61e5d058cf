// SPDX-License-Identifier: Apache-2.0
// What tables of memory are made of: saved tensors, sums of a range, bytes by module; each held against a plain count.
#include "core/views/icicle.h"
#include "core/views/range_sums.h"
#include "core/views/saved_tensors.h"
#include "tests/support/costed_models.h"

#include <QtTest>

#include <numeric>

using namespace remat;

class TestMemoryTables : public QObject
{
    Q_OBJECT

    std::shared_ptr<const CostedModel> m_model;
    std::shared_ptr<const PlanEntry> m_plan; ///< computes the second block's MLP again

    const Graph &graph() const { return m_model->graph(); }
    const MemoryTimeline &timeline() const { return *m_plan->timeline; }
    std::vector<SavedTensor> saved() const { return savedTensors(graph(), timeline(), m_model->open->readers); }

private Q_SLOTS:
    void initTestCase()
    {
        const auto model = test::costedSample("tiny_gpt2");
        QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
        m_model = *model;
        m_plan = test::recomputingPlan(*m_model, 1,
                                       [](const Op &op) { return op.module.find("h.1.mlp") != std::string::npos; });
    }

    void savedIsWhatTheBackwardPassReads()
    {
        const std::vector<SavedTensor> tensors = saved();
        std::size_t expected = 0;
        for (std::size_t i = 0; i < graph().storages.size(); ++i) {
            const OpId producer = graph().storages[i].producer;
            if (!producer || graph().op(producer).phase == Phase::Backward) continue;
            const auto &readers = m_model->open->readers[i];
            expected += std::any_of(readers.begin(), readers.end(),
                                    [this](OpId reader) { return graph().op(reader).phase == Phase::Backward; });
        }
        QCOMPARE(tensors.size(), expected);
        QVERIFY(expected > 20);
        bool anyRecomputed = false, anyKept = false;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const SavedTensor &tensor = tensors[i];
            QVERIFY(tensor.untilStep > tensor.sinceStep && tensor.untilUs > tensor.sinceUs);
            QVERIFY(tensor.fate != Fate::Transient);
            QCOMPARE(tensor.producer, graph().storage(tensor.storage).producer);
            if (i > 0) QVERIFY(graph().storage(tensors[i - 1].storage).bytes >= graph().storage(tensor.storage).bytes);
            anyRecomputed |= tensor.fate == Fate::Recomputed;
            anyKept |= tensor.fate == Fate::Kept;
            // It is there when the last of its readers runs.
            const auto &op = timeline().op;
            const auto last = std::find(op.rbegin(), op.rend(), tensor.readers.back());
            QVERIFY(timeline().step[static_cast<std::size_t>(op.rend() - last) - 1] <= tensor.untilStep);
        }
        QVERIFY(anyRecomputed && anyKept);
    }

    void sumsAddUpToAll()
    {
        const std::vector<SavedTensor> tensors = saved();
        std::int64_t all = 0;
        for (const SavedTensor &tensor : tensors)
            all += graph().storage(tensor.storage).bytes;
        for (const GroupBy by : {GroupBy::Module, GroupBy::Block, GroupBy::Kind, GroupBy::Type}) {
            std::int64_t bytes = 0, count = 0;
            for (const SavedSum &sum : savedSums(graph(), tensors, by)) {
                QCOMPARE(sum.keptBytes + sum.recomputedBytes + sum.offloadedBytes, sum.bytes);
                bytes += sum.bytes;
                count += sum.tensors;
            }
            QCOMPARE(bytes, all);
            QCOMPARE(count, static_cast<std::int64_t>(tensors.size()));
        }
        const auto blocks = savedSums(graph(), tensors, GroupBy::Block);
        QVERIFY(std::any_of(blocks.begin(), blocks.end(),
                            [](const SavedSum &sum) { return sum.name == "transformer.h.1" && sum.tensors > 5; }));
    }

    void filtersAreThoseOfFind()
    {
        const std::vector<OpFacts> facts = opFacts(graph());
        const OpFates fates = opFates(graph(), timeline());
        const SearchedOps searched{graph(), *m_model->costs, facts, &fates, {}};
        const auto filter = parseFilter("module:h.1 recomputed");
        QVERIFY(filter.has_value());
        const auto found = filtered(saved(), *filter, searched);
        QVERIFY(!found.empty() && found.size() < saved().size());
        for (const SavedTensor &tensor : found) {
            QVERIFY(graph().op(tensor.producer).module.find("h.1") != std::string::npos);
            QVERIFY(tensor.fate == Fate::Recomputed);
        }
        // Sizes are the tensor's own, and signs turn conditions round.
        const auto large = parseFilter("size>=64KiB -recomputed");
        QVERIFY(large.has_value());
        std::size_t expected = 0;
        for (const SavedTensor &tensor : saved())
            expected += graph().storage(tensor.storage).bytes >= 64 * 1024 && tensor.fate != Fate::Recomputed;
        QVERIFY(expected > 0);
        QCOMPARE(filtered(saved(), *large, searched).size(), expected);
    }

    /// All groups of any range come to what the range as a whole says.
    void rangesAddUp()
    {
        const SampleAxis axis(timeline(), AxisKind::Time);
        const RangeMeter meter(graph(), timeline());
        for (const auto &[from, to] : {std::pair{0.0, 1.0}, {0.2, 0.4}, {0.45, 0.6}, {0.7, 0.701}}) {
            const RangeFigures figures = meter.measure(timeline(), axis, {from * axis.length(), to * axis.length()});
            for (const GroupBy by :
                 {GroupBy::Module, GroupBy::Block, GroupBy::Kind, GroupBy::Type, GroupBy::Category, GroupBy::Storage}) {
                std::int64_t came = 0, went = 0, computations = 0;
                double recomputeUs = 0;
                for (const RangeSum &sum : rangeSums(graph(), timeline(), figures, by)) {
                    came += sum.cameBytes;
                    went += sum.wentBytes;
                    computations += sum.computations;
                    recomputeUs += sum.recomputeUs;
                }
                QCOMPARE(came, figures.allocatedBytes);
                QCOMPARE(went, figures.freedBytes);
                if (by == GroupBy::Category || by == GroupBy::Storage) continue;
                QCOMPARE(computations, figures.computations());
                QVERIFY(std::abs(recomputeUs - figures.recomputeUs) < 1e-6 * std::max(1.0, figures.timeUs));
            }
        }
    }

    void iciclesAreAsLongAsWhatIsHeld()
    {
        for (const std::size_t sample : {timeline().peakSample, std::size_t(0), timeline().op.size() / 3}) {
            std::int64_t held = 0;
            for (const LiveRange &range : aliveAt(graph(), timeline(), sample))
                if (graph().storage(range.storage).producer) held += graph().storage(range.storage).bytes;
            const auto cells = icicle(graph(), timeline(), m_model->open->modules, sample);
            QVERIFY(held == 0 || !cells.empty());
            if (cells.empty()) continue;
            QCOMPARE(cells.front().bytes, held);
            // Each lies inside of its parent, and beside its siblings.
            for (std::size_t i = 1; i < cells.size(); ++i) {
                const IcicleCell &cell = cells[i];
                auto around = cells.end();
                for (ClusterId parent = m_model->open->modules.cluster(cell.cluster).parent;
                     parent && around == cells.end(); parent = m_model->open->modules.cluster(parent).parent)
                    around = std::find_if(cells.begin(), cells.end(),
                                          [parent](const IcicleCell &each) { return each.cluster == parent; });
                QVERIFY(around != cells.end() && around->level + 1 == cell.level);
                QVERIFY(around->level == 0 || cell.bytes < around->bytes); // none is there twice
                QVERIFY(cell.fromBytes >= around->fromBytes &&
                        cell.fromBytes + cell.bytes <= around->fromBytes + around->bytes);
                if (cells[i - 1].level == cell.level)
                    QVERIFY(cell.fromBytes >= cells[i - 1].fromBytes + cells[i - 1].bytes);
            }
        }
        QVERIFY(icicle(graph(), timeline(), m_model->open->modules, timeline().op.size()).empty());
    }
};

QTEST_GUILESS_MAIN(TestMemoryTables)
#include "tst_memory_tables.moc"
