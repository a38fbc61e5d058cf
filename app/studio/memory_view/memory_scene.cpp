#include "app/studio/memory_view/memory_scene.h"

#include "app/studio/document/text.h"
#include "core/plan/simulator.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace remat::studio {

namespace {
constexpr std::size_t kNamedAtPeak = 4;
} // namespace

void MemoryScene::setModel(std::shared_ptr<const CostedModel> model)
{
    m_model = std::move(model);
    m_plan = nullptr;
    m_labels = m_model ? OpLabels(graph()) : OpLabels();
    rebuild();
}

void MemoryScene::setPlan(std::shared_ptr<const PlanEntry> plan)
{
    m_plan = m_model ? std::move(plan) : nullptr;
    rebuild();
}

void MemoryScene::setAxisKind(AxisKind kind)
{
    m_kind = kind;
    rebuild();
}

void MemoryScene::rebuild()
{
    m_peakRows.clear();
    for (std::vector<Span> &lane : m_lanes)
        lane.clear();
    m_axes = {};
    if (!m_model) return;
    m_axes = PlanAxes(timeline(), keepAll(), m_kind);
    rebuildLanes();
    rebuildPeak();
}

void MemoryScene::rebuildLanes()
{
    const MemoryTimeline &line = timeline();
    const auto onAxis = [&](double timeUs) { return m_axes.plan.ofTime(timeUs); };
    for (std::size_t i = 0; i < line.op.size(); ++i) {
        const Span span = m_kind == AxisKind::Steps ? Span{m_axes.plan.edges()[i], m_axes.plan.edges()[i + 1]}
                                                    : Span{line.startUs[i], line.endUs[i]};
        m_lanes[line.recompute[i] ? static_cast<std::size_t>(Lane::Recompute) : static_cast<std::size_t>(Lane::Compute)]
            .push_back(span);
    }
    if (!m_plan) return;
    const std::vector<Step> &steps = m_plan->plan->steps;
    const auto copies = [](const Step &step) {
        return step.kind == StepKind::Offload || step.kind == StepKind::Prefetch;
    };
    if (std::none_of(steps.begin(), steps.end(), copies)) return;
    const Expected<Simulation> simulation = simulatePlan(graph(), *m_model->costs, *m_plan->plan);
    if (!simulation) return; // the entry's own sentence says what is wrong with the plan
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!copies(steps[i])) continue;
        const Lane lane = steps[i].kind == StepKind::Offload ? Lane::CopyOut : Lane::CopyIn;
        m_lanes[static_cast<std::size_t>(lane)].push_back(
            {onAxis(simulation->steps[i].startUs), onAxis(simulation->steps[i].endUs)});
    }
    for (const Lane lane : {Lane::CopyOut, Lane::CopyIn}) {
        std::vector<Span> &spans = m_lanes[static_cast<std::size_t>(lane)];
        std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.from < b.from; });
    }
}

void MemoryScene::rebuildPeak()
{
    const MemoryTimeline &line = timeline();
    if (line.op.empty()) return;
    const std::size_t peak = line.peakSample;
    std::int64_t named = 0;
    std::size_t rest = 0;
    const std::int64_t workspace = line.bytes[static_cast<std::size_t>(Category::Workspace)][peak];
    std::vector<PeakRow> rows;
    for (const LiveRange &range : aliveAt(graph(), line, peak)) {
        const std::int64_t bytes = graph().storage(range.storage).bytes;
        if (bytes == 0) continue;
        if (rows.size() < kNamedAtPeak)
            rows.push_back({range.category, m_labels.storage(graph(), range.storage), bytes, range.storage});
        else
            ++rest;
    }
    if (workspace > 0) {
        const PeakRow row{Category::Workspace, QCoreApplication::translate("MemoryScene", "workspace"), workspace, {}};
        const auto place =
            std::find_if(rows.begin(), rows.end(), [&](const PeakRow &r) { return r.bytes < workspace; });
        if (place != rows.end() || rows.size() < kNamedAtPeak) {
            rows.insert(place, row);
            if (rows.size() > kNamedAtPeak) {
                rows.pop_back();
                ++rest;
            }
        } else {
            ++rest;
        }
    }
    for (const PeakRow &row : rows)
        named += row.bytes;
    m_peakRows = std::move(rows);
    if (rest > 0)
        m_peakRows.push_back({Category::KeptActivations,
                              QCoreApplication::translate("MemoryScene", "%1 more").arg(countText(std::int64_t(rest))),
                              line.peakBytes - named,
                              {}});
}

double MemoryScene::topBytes() const
{
    const std::int64_t peak = std::max(keepAll().peakBytes, timeline().peakBytes);
    return std::max<double>(static_cast<double>(peak), 1) * 1.07;
}

std::size_t MemoryScene::readoutSample() const
{
    if (m_cursorUs < 0) return timeline().peakSample;
    return m_axes.plan.sampleAt(m_axes.plan.ofTime(m_cursorUs));
}

std::vector<PhaseSpan> MemoryScene::phases() const
{
    const MemoryTimeline &line = timeline();
    std::vector<PhaseSpan> spans;
    for (std::size_t i = 0; i < line.op.size(); ++i) {
        // Recomputed forward ops belong to the phase they are needed in.
        const Phase phase = graph().op(line.op[i]).phase;
        if (spans.empty() || (phase > spans.back().phase && !line.recompute[i]))
            spans.push_back({phase, m_axes.plan.edges()[i], m_axes.plan.edges()[i + 1]});
        spans.back().to = m_axes.plan.edges()[i + 1];
    }
    return spans;
}

std::vector<Lane> MemoryScene::lanes() const
{
    std::vector<Lane> lanes{Lane::Compute, Lane::Recompute};
    for (const Lane lane : {Lane::CopyOut, Lane::CopyIn})
        if (!laneSpans(lane).empty()) lanes.push_back(lane);
    return lanes;
}

std::vector<std::pair<Span, bool>> MemoryScene::selectedOpSpans() const
{
    std::vector<std::pair<Span, bool>> spans;
    const MemoryTimeline &line = timeline();
    if (!m_selection.op) return spans;
    for (std::size_t i = 0; i < line.op.size(); ++i)
        if (line.op[i] == m_selection.op)
            spans.push_back({{m_axes.plan.edges()[i], m_axes.plan.edges()[i + 1]}, line.recompute[i] != 0});
    return spans;
}

Span MemoryScene::spanOfSteps(std::int32_t first, std::int32_t last) const
{
    const std::vector<std::int32_t> &steps = timeline().step;
    const auto from = std::lower_bound(steps.begin(), steps.end(), first) - steps.begin();
    const auto to = std::upper_bound(steps.begin(), steps.end(), last) - steps.begin();
    return {m_axes.plan.edges()[static_cast<std::size_t>(from)],
            m_axes.plan.edges()[static_cast<std::size_t>(std::max(from, to))]};
}

std::vector<Span> MemoryScene::selectedStorageSpans() const
{
    std::vector<Span> spans;
    if (!m_selection.storage) return spans;
    for (const LiveRange &range : timeline().ranges) {
        if (range.storage != m_selection.storage) continue;
        const Span span = spanOfSteps(range.firstStep, range.lastStep);
        // A copy is cut where its category changes; it is one stretch all the same.
        if (!spans.empty() && span.from <= spans.back().to)
            spans.back().to = std::max(spans.back().to, span.to);
        else
            spans.push_back(span);
    }
    return spans;
}

StorageId MemoryScene::storageAt(std::size_t sample, std::int64_t bytes) const
{
    const MemoryTimeline &line = timeline();
    std::size_t category = 0;
    while (category < kCategoryCount && bytes >= line.bytes[category][sample])
        bytes -= line.bytes[category++][sample];
    if (category == kCategoryCount) return {};
    for (const LiveRange &range : aliveAt(graph(), line, sample)) {
        if (static_cast<std::size_t>(range.category) != category) continue;
        if (bytes < graph().storage(range.storage).bytes) return range.storage;
        bytes -= graph().storage(range.storage).bytes;
    }
    return {};
}

std::vector<Category> MemoryScene::legend() const
{
    std::vector<Category> shown{Category::KeptActivations, Category::RecomputedActivations, Category::Gradients,
                                Category::ParameterGradients, Category::Workspace};
    if (!m_model) return shown;
    for (const Category rare : {Category::Offloaded, Category::Parameters}) {
        const std::vector<std::int64_t> &bytes = timeline().bytes[static_cast<std::size_t>(rare)];
        if (std::any_of(bytes.begin(), bytes.end(), [](std::int64_t held) { return held > 0; })) shown.push_back(rare);
    }
    return shown;
}

} // namespace remat::studio
