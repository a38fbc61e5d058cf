// SPDX-License-Identifier: Apache-2.0
// A plan as a page that plays it step by step: one file, which needs no network.
#include "core/base/memory_units.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/exports/exporter.h"
#include "core/exports/html.h"
#include "core/exports/player_script.h"
#include "core/exports/svg_chart.h"
#include "core/teaching/explain/step_story.h"
#include "core/views/op_names.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace remat {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *kPlayerStyle =
#include "player.css.inc"
    ;

constexpr const char *kControls =
#include "player_controls.html.inc"
    ;

constexpr const char *kKeys =
    "<p><kbd>Space</kbd> play or pause, <kbd>←</kbd> <kbd>→</kbd> step, <kbd>R</kbd> <kbd>F</kbd> <kbd>P</kbd> next "
    "recomputation, free, peak (with <kbd>Shift</kbd> the one before), <kbd>[</kbd> <kbd>]</kbd> loop from and to "
    "here, <kbd>0</kbd> no loop.</p>\n";

/// Places of the cells of ops in a picture 960 wide: forward in a row from the left, backward below it from the right,
/// so that what belongs together is near each other.
Json opCells(const Graph &graph, const OpNames &names)
{
    constexpr double kWidth = 960;
    std::size_t forward = 0;
    for (const Op &op : graph.ops)
        forward += op.phase == Phase::Backward ? 0 : 1;
    const std::size_t most = std::max<std::size_t>({forward, graph.ops.size() - forward, 1});
    const double width = kWidth / static_cast<double>(most);
    Json cells = Json::array();
    std::size_t there = 0, back = 0;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const bool backward = graph.ops[i].phase == Phase::Backward;
        const double place =
            backward ? static_cast<double>(forward) - 1 - static_cast<double>(back++) : static_cast<double>(there++);
        cells.push_back({printable(names.op(graph, OpId(i))), std::max(place, 0.0) * width, backward ? 28 : 0, width});
    }
    return cells;
}

/// Sample of the computation during or before which a plan's step happens; 0 for what comes before the first.
std::size_t sampleOfStep(const MemoryTimeline &timeline, std::int32_t step)
{
    const auto after = std::upper_bound(timeline.step.begin(), timeline.step.end(), step);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - timeline.step.begin() - 1, 0));
}

/// The ranges that reach into a computation, as storage, first and last computation, category, whether made again.
Json rangesOf(const MemoryTimeline &timeline)
{
    Json ranges = Json::array();
    for (const LiveRange &range : timeline.ranges) {
        const auto first = std::lower_bound(timeline.step.begin(), timeline.step.end(), range.firstStep);
        const std::size_t last = sampleOfStep(timeline, range.lastStep);
        const auto from = static_cast<std::size_t>(first - timeline.step.begin());
        if (first == timeline.step.end() || from > last) continue;
        ranges.push_back(
            {range.storage.index(), from, last, static_cast<int>(range.category), range.recomputed ? 1 : 0});
    }
    return ranges;
}

/// JSON that may stand between the tags of a script: no `<` can end it.
std::string inScript(const Json &json)
{
    std::string text;
    for (const char c : printableJson(json.dump(-1, ' ', false, Json::error_handler_t::replace)))
        text += c == '<' ? std::string("\\u003c") : c == '>' ? std::string("\\u003e") : std::string(1, c);
    return text;
}

Expected<std::string> playerOfPlan(const ExportInput &input)
{
    const Graph graph = input.plan.parametersPlanned ? withPlannedParameters(input.model.graph) : input.model.graph;
    const std::vector<Step> &steps = input.plan.steps;
    auto timeline = buildTimeline(graph, input.costs, steps);
    if (!timeline) return tl::unexpected(timeline.error());
    auto keepAll = buildTimeline(graph, input.costs, keepAllPlan(graph).steps);
    if (!keepAll) return tl::unexpected(keepAll.error());
    if (timeline->op.empty()) return fail("The plan computes nothing, so there is nothing to play.");

    const OpNames names(graph);
    const StepNames written{[&](OpId op) { return names.op(graph, op); },
                            [&](StorageId storage) { return names.storage(graph, storage); }};
    const std::vector<StepReason> reasons = stepReasons(graph, steps);
    Json data{{"steps", steps.size()},
              {"peak", timeline->peakSample},
              {"ops", opCells(graph, names)},
              {"storages", Json::array()},
              {"ranges", rangesOf(*timeline)},
              {"op", Json::array()},
              {"step", Json::array()},
              {"again", timeline->recompute},
              {"freed", Json::array()},
              {"total", timeline->totalBytes},
              {"x", Json::array()},
              {"story", Json::array()}};
    for (std::size_t i = 0; i < graph.storages.size(); ++i) {
        const Storage &storage = graph.storages[i];
        data["storages"].push_back({printable(storage.producer ? names.storage(graph, StorageId(i)) : storage.name),
                                    storage.bytes, storage.producer ? storage.producer.value : -1});
    }
    for (std::size_t i = 0; i < timeline->op.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        data["op"].push_back(timeline->op[i].index());
        data["step"].push_back(timeline->step[i]);
        data["freed"].push_back(nextGoal(*timeline, steps, StepGoal::Free, at - 1, 1) == at ? 1 : 0);
        data["x"].push_back(svg::timelineX(*timeline, *keepAll, (timeline->startUs[i] + timeline->endUs[i]) / 2));
        data["story"].push_back(printable(stepSentence(steps, reasons, *timeline, i, StepWords(), written)));
    }

    const double share =
        keepAll->peakBytes > 0 ? static_cast<double>(timeline->peakBytes) / static_cast<double>(keepAll->peakBytes) : 0;
    std::string body = fmt::format(
        "<h1>{}</h1>\n<p>{}</p>\n", html::escaped(graph.name),
        html::escaped(fmt::format("{}: peak {} ({} of keep-all), {} instead of {}.", input.plan.origin.solver,
                                  formatMemory(timeline->peakBytes), formatShare(share), formatTimeUs(timeline->timeUs),
                                  formatTimeUs(keepAll->timeUs))));
    body += kControls;
    body += fmt::format(
        "<input id=\"slider\" type=\"range\" min=\"0\" max=\"{}\" value=\"0\" aria-label=\"Step\"/>\n<p><span "
        "id=\"number\"></span> <span id=\"range\"></span></p>\n<p id=\"story\" role=\"status\" "
        "aria-live=\"polite\">This page plays the plan with JavaScript, which is switched off.</p>\n",
        timeline->op.size() - 1);
    body += html::section("Ops: forward above, from the left; backward below, from the right",
                          "<svg id=\"graph\" viewBox=\"0 -1 960 52\" role=\"img\" aria-label=\"Ops\"></svg>\n");
    body += html::section("Memory over time", fmt::format("<div id=\"memory\">{}</div>\n",
                                                          svg::timeline(*timeline, *keepAll, input.plan.budgetBytes)));
    body += html::section("Held now", "<ol id=\"held\"></ol>\n");
    body += kKeys;
    body += fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n", inScript(data));
    return html::page(graph.name + " – plan, step by step", body, {kPlayerStyle, playerScript()});
}

} // namespace

namespace exporter {

const ExportFormat &html_player()
{
    static const ExportFormat format = {
        .name = "html-player",
        .title = "Step player page",
        .order = 60,
        .suffix = "html",
        .sentence = "one page that plays the plan step by step in a browser, offline",
        .write = playerOfPlan,
    };
    return format;
}

} // namespace exporter

} // namespace remat
