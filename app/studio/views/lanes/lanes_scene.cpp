// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/lanes/lanes_scene.h"

#include "app/studio/base/text/text.h"
#include "core/plan/measured.h"
#include "core/views/graph_names.h"

#include <algorithm>

namespace remat::studio {

namespace {
constexpr std::size_t kModuleRows = 3;

/// `h.0.attn` as {h.0, attn}: numbers belong to the word before them.
std::vector<std::string> moduleParts(const std::string &path)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < path.size();) {
        const std::size_t dot = std::min(path.find('.', at), path.size());
        const std::string part = path.substr(at, dot - at);
        const bool number = !part.empty() &&
                            std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
        if (number && !parts.empty())
            parts.back() += '.' + part;
        else
            parts.push_back(part);
        at = dot + 1;
    }
    return parts;
}
} // namespace

LanesScene::LanesScene(std::shared_ptr<const CostedModel> model, std::shared_ptr<const PlanEntry> plan,
                       const PlanAxes &axes, AxisKind kind)
    : m_model(std::move(model)), m_plan(std::move(plan))
{
    if (!m_model) return;
    m_labels = OpLabels(graph());
    m_lanes = planLanes(*m_model, timeline(), m_plan ? m_plan->plan.get() : nullptr);
    m_critical = criticalPath(m_lanes);
    for (CriticalStretch &stretch : m_critical) {
        m_criticalUs[static_cast<std::size_t>(stretch.lane)] += stretch.time.to - stretch.time.from;
        stretch.time = {axes.plan.ofTime(stretch.time.from), axes.plan.ofTime(stretch.time.to)};
    }
    makeRows(axes, kind);
    makeModules(axes);
}

void LanesScene::makeRows(const PlanAxes &axes, AxisKind kind)
{
    PlanLanes measured;
    if (m_plan) measured = measuredLanes(graph(), timeline(), *m_plan->plan);
    if (measured.timeUs > 0) m_measured = measuredSteps(*m_plan->plan);
    for (const Lane lane : {Lane::Compute, Lane::Recompute, Lane::CopyIn, Lane::CopyOut, Lane::Host}) {
        const std::vector<LaneEvent> &events = m_lanes.of(lane);
        if (lane == Lane::Host && events.empty()) continue;
        LaneRow row;
        row.lane = lane;
        const bool beside = lane != Lane::Compute && lane != Lane::Recompute;
        for (std::size_t i = 0; i < events.size(); ++i)
            if (beside || kind == AxisKind::Time)
                row.blocks.push_back({axes.plan.ofTime(events[i].fromUs), axes.plan.ofTime(events[i].toUs),
                                      static_cast<std::int32_t>(i)});
        if (kind == AxisKind::Time)
            for (const LaneEvent &event : measured.of(lane))
                row.measured.push_back({axes.plan.ofTime(event.fromUs), axes.plan.ofTime(event.toUs), event.step});
        m_rows.push_back(std::move(row));
    }
    if (kind == AxisKind::Time) {
        m_waits = m_lanes.waits;
        return;
    }
    // By steps a computation is as wide as its sample, whatever its time.
    const MemoryTimeline &line = timeline();
    std::int32_t next[2] = {0, 0};
    for (std::size_t i = 0; i < line.op.size(); ++i) {
        if (laneOf(graph(), line, i) == Lane::Host) continue; // beside the others by any axis
        const std::size_t row = line.recompute[i] ? 1 : 0;
        m_rows[row].blocks.push_back({axes.plan.edges()[i], axes.plan.edges()[i + 1], next[row]++});
    }
}

void LanesScene::makeModules(const PlanAxes &axes)
{
    const MemoryTimeline &line = timeline();
    std::vector<std::vector<std::string>> parts(graph().ops.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
        parts[i] = moduleParts(graph().ops[i].module);
    // A root that every op is in says nothing.
    std::size_t skip = 0;
    for (bool same = true; same; ++skip) {
        const std::string *name = nullptr;
        std::size_t named = 0, alike = 0;
        for (const std::vector<std::string> &path : parts) {
            if (path.empty()) continue;
            ++named;
            if (path.size() <= skip) continue;
            if (!name) name = &path[skip];
            alike += path[skip] == *name ? 1 : 0;
        }
        same = named > 0 && alike * 5 > named * 4;
        if (!same) break;
    }
    for (std::size_t depth = skip; depth < skip + kModuleRows; ++depth) {
        LaneRow row;
        row.isModule = true;
        const std::vector<std::string> *before = nullptr;
        Phase phase = Phase::Forward;
        for (std::size_t i = 0; i < line.op.size(); ++i) {
            const Op &op = graph().op(line.op[i]);
            const std::vector<std::string> &path = parts[line.op[i].index()];
            if (path.size() <= depth) {
                before = nullptr;
                continue;
            }
            const auto end = static_cast<std::ptrdiff_t>(depth) + 1;
            const bool joins = before && phase == op.phase && before->size() > depth &&
                               std::equal(path.begin(), path.begin() + end, before->begin());
            if (joins) {
                row.blocks.back().to = axes.plan.edges()[i + 1];
            } else {
                row.blocks.push_back(
                    {axes.plan.edges()[i], axes.plan.edges()[i + 1], static_cast<std::int32_t>(row.modules.size())});
                const std::string &name = path[depth];
                row.modules.push_back({toQString(op.phase == Phase::Backward ? backwardName(name) : name), op.phase});
            }
            before = &path;
            phase = op.phase;
        }
        if (row.blocks.empty()) break;
        m_moduleRows.push_back(std::move(row));
    }
}

std::optional<std::pair<double, StorageId>> LanesScene::waitAt(double position) const
{
    for (std::size_t i = 0; i < m_waits.size(); ++i)
        if (m_waits[i].from <= position && position < m_waits[i].to)
            return std::pair(m_lanes.waits[i].to - m_lanes.waits[i].from, waitedFor(m_lanes, m_lanes.waits[i]));
    return std::nullopt;
}

double LanesScene::criticalShare(Lane lane) const
{
    double whole = 0;
    for (const double part : m_criticalUs)
        whole += part;
    return whole > 0 ? m_criticalUs[static_cast<std::size_t>(lane)] / whole : 0;
}

Selection LanesScene::selectionOf(const LaneRow &row, std::int32_t id) const
{
    const LaneEvent &found = event(row, id);
    Selection selection;
    selection.op = found.op;
    selection.storage = found.storage;
    return selection;
}

QString LanesScene::nameOf(const LaneRow &row, std::int32_t id) const
{
    if (row.isModule) return row.modules[static_cast<std::size_t>(id)].name;
    const LaneEvent &found = event(row, id);
    return found.op ? m_labels.op(graph(), found.op) : m_labels.storage(graph(), found.storage);
}

} // namespace remat::studio
