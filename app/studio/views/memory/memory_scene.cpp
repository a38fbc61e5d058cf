// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/memory/memory_scene.h"

#include "app/studio/base/text/text.h"
#include "core/plan/measured.h"

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
    m_module = nullptr;
    m_selection = m_hover = {}; // both belong to the model before, which may have had more ops
    m_extraBand = {};
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
    m_measuredBytes.clear();
    for (std::vector<Span> &lane : m_lanes)
        lane.clear();
    m_axes = {};
    m_phases.clear();
    m_meter.reset();
    m_heights.clear();
    m_bands = {};
    if (!m_model) return;
    m_axes = PlanAxes(timeline(), keepAll(), m_kind);
    m_phases = phaseSpans(graph(), timeline(), m_axes.plan);
    rebuildLanes();
    rebuildPeak();
    rebuildBands();
    rebuildModule();
    if (const std::vector<StepMeasurement> *measured = m_plan ? measuredSteps(*m_plan->plan) : nullptr)
        for (const std::int32_t step : timeline().step)
            m_measuredBytes.push_back((*measured)[static_cast<std::size_t>(step)].heldBytes);
}

void MemoryScene::rebuildBands()
{
    m_bands = {};
    if (m_model && m_grouping == Grouping::Storage)
        m_bands = storageBands(graph(), timeline(), static_cast<std::size_t>(m_largest), m_selection.storage);
}

bool MemoryScene::setSelection(Selection selection)
{
    m_selection = selection;
    if (m_grouping != Grouping::Storage || m_extraBand == selection.storage) return false;
    const auto has = [this](StorageId storage) {
        return std::any_of(m_bands.bands.begin(), m_bands.bands.end(),
                           [storage](const StorageBand &band) { return band.storage == storage; });
    };
    const bool changes = m_extraBand || (selection.storage && !has(selection.storage));
    m_extraBand = selection.storage && !has(selection.storage) ? selection.storage : StorageId();
    if (changes) rebuildBands();
    return changes;
}

void MemoryScene::setModule(std::shared_ptr<const SelectedModule> module)
{
    m_module = std::move(module);
    rebuildModule();
}

void MemoryScene::rebuildModule()
{
    m_moduleBytes.clear();
    m_moduleRuns.clear();
    if (!m_model || !m_module || m_module->isMade.size() != graph().storages.size()) return;
    const MemoryTimeline &line = timeline();
    const auto sampleOf = [&line](std::int32_t step) {
        return static_cast<std::size_t>(std::lower_bound(line.step.begin(), line.step.end(), step) - line.step.begin());
    };
    std::vector<std::int64_t> changes(line.step.size() + 1, 0);
    for (const LiveRange &range : line.ranges) {
        if (!m_module->isMade[range.storage.index()]) continue;
        changes[sampleOf(range.firstStep)] += graph().storage(range.storage).bytes;
        changes[sampleOf(range.lastStep + 1)] -= graph().storage(range.storage).bytes;
    }
    std::int64_t held = 0;
    for (std::size_t i = 0; i < line.step.size(); ++i)
        m_moduleBytes.push_back(held += changes[i]);
    const std::vector<double> &edges = m_axes.plan.edges();
    for (std::size_t i = 0; i < line.op.size(); ++i) {
        if (!m_module->isOp[line.op[i].index()]) continue;
        const bool again = line.recompute[i] != 0;
        const bool goesOn =
            !m_moduleRuns.empty() && m_moduleRuns.back().second == again && m_moduleRuns.back().first.to == edges[i];
        if (goesOn)
            m_moduleRuns.back().first.to = edges[i + 1];
        else
            m_moduleRuns.push_back({{edges[i], edges[i + 1]}, again});
    }
}

void MemoryScene::setGrouping(Grouping grouping, int largest)
{
    m_grouping = grouping;
    m_largest = largest;
    rebuildBands();
}

std::int64_t MemoryScene::measuredPeakBytes() const
{
    return m_plan && m_plan->plan->validated ? m_plan->plan->validated->measuredPeakBytes : 0;
}

RangeFigures MemoryScene::rangeFigures(Span range) const
{
    if (!m_model) return {};
    if (!m_meter) m_meter.emplace(graph(), timeline());
    return m_meter->measure(timeline(), m_axes.plan, range);
}

void MemoryScene::rebuildLanes()
{
    const MemoryTimeline &line = timeline();
    const PlanLanes lanes = planLanes(*m_model, line, m_plan ? m_plan->plan.get() : nullptr);
    if (m_kind == AxisKind::Steps)
        for (std::size_t i = 0; i < line.op.size(); ++i)
            if (const Lane lane = laneOf(graph(), line, i); lane != Lane::Host)
                m_lanes[static_cast<std::size_t>(lane)].push_back({m_axes.plan.edges()[i], m_axes.plan.edges()[i + 1]});
    for (const Lane lane : {Lane::Compute, Lane::Recompute, Lane::CopyOut, Lane::CopyIn, Lane::Host}) {
        std::vector<Span> &spans = m_lanes[static_cast<std::size_t>(lane)];
        if (!spans.empty()) continue;
        for (const LaneEvent &event : lanes.of(lane))
            spans.push_back({m_axes.plan.ofTime(event.fromUs), m_axes.plan.ofTime(event.toUs)});
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

namespace {
constexpr double kAbovePeak = 1.07, kAboveBudget = 1.03;
constexpr double kMostAbove = 1.4; ///< as much higher the axis gets for a budget
} // namespace

double MemoryScene::topBytes() const
{
    const std::int64_t peak = std::max(keepAll().peakBytes, timeline().peakBytes);
    const double all = std::max<double>(static_cast<double>(peak), 1) * kAbovePeak;
    // A budget somewhat above everything has its line where it belongs; the way to a far one would cost the picture.
    const double budget = static_cast<double>(m_budgetBytes) * kAboveBudget;
    return budget <= all * kMostAbove ? std::max(all, budget) : all;
}

std::size_t MemoryScene::readoutSample() const
{
    if (m_cursorUs < 0) return timeline().peakSample;
    return m_axes.plan.sampleAt(m_axes.plan.ofTime(m_cursorUs));
}

std::vector<Lane> MemoryScene::lanes() const
{
    std::vector<Lane> lanes{Lane::Compute, Lane::Recompute};
    for (const Lane lane : {Lane::CopyOut, Lane::CopyIn, Lane::Host})
        if (!laneSpans(lane).empty()) lanes.push_back(lane);
    return lanes;
}

std::vector<std::pair<Span, bool>> MemoryScene::opSpans(OpId op) const
{
    std::vector<std::pair<Span, bool>> spans;
    const MemoryTimeline &line = timeline();
    if (!op) return spans;
    for (std::size_t i = 0; i < line.op.size(); ++i)
        if (line.op[i] == op)
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

std::vector<Span> MemoryScene::storageSpans(StorageId storage) const
{
    std::vector<Span> spans;
    if (!storage) return spans;
    for (const LiveRange &range : timeline().ranges) {
        if (range.storage != storage) continue;
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
    if (m_grouping == Grouping::Storage) {
        const int band = bandAt(m_bands, static_cast<std::int32_t>(sample), bytes);
        return band < 0 ? StorageId() : m_bands.bands[static_cast<std::size_t>(band)].storage;
    }
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

const StorageHeights &MemoryScene::heights(StorageId storage) const
{
    constexpr std::size_t kMost = 8; // the selected one, and those the mouse goes over
    const auto known = m_heights.find(storage.index());
    if (known != m_heights.end()) return known->second;
    if (m_heights.size() >= kMost) m_heights.clear();
    return m_heights.emplace(storage.index(), storageHeights(graph(), timeline(), storage)).first->second;
}

std::vector<Category> MemoryScene::legend() const
{
    std::vector<Category> shown{Category::KeptActivations, Category::RecomputedActivations, Category::Gradients,
                                Category::ParameterGradients, Category::Workspace};
    if (!m_model) return shown;
    for (const Category rare : {Category::Offloaded, Category::Weights, Category::States}) {
        const std::vector<std::int64_t> &bytes = timeline().bytes[static_cast<std::size_t>(rare)];
        if (std::any_of(bytes.begin(), bytes.end(), [](std::int64_t held) { return held > 0; })) shown.push_back(rare);
    }
    return shown;
}

} // namespace remat::studio
