// SPDX-License-Identifier: Apache-2.0
#include "core/io/session_json.h"

#include "core/base/version.h"
#include "core/io/chunks_json.h"
#include "core/io/json_cursor.h"

#include <algorithm>
#include <fmt/core.h>
#include <unordered_set>

namespace remat {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> textsOf(const JsonCursor &list)
{
    std::vector<std::string> texts;
    if (!list) return texts;
    for (const JsonCursor &item : list.items())
        texts.push_back(item.text());
    return texts;
}

int idOf(const JsonCursor &cursor)
{
    return static_cast<int>(cursor.integer(0, std::numeric_limits<int>::max()));
}

std::optional<std::array<double, 2>> spanOf(const JsonCursor &span)
{
    if (!span) return std::nullopt;
    const std::vector<JsonCursor> ends = span.items();
    if (ends.size() != 2) {
        span.fail("must hold two numbers, where it begins and where it ends.");
        return std::nullopt;
    }
    return std::array{ends[0].number(), ends[1].number()};
}

std::array<double, 3> sampleOf(const JsonCursor &sample)
{
    const std::vector<JsonCursor> numbers = sample.items();
    if (numbers.size() != 3) {
        sample.fail("must hold three numbers: seconds, the time of the best plan, and the bound.");
        return {};
    }
    return {numbers[0].number(), numbers[1].number(), numbers[2].number()};
}

std::string objectText(const JsonCursor &object)
{
    if (!object) return "{}";
    if (!object.isObject()) object.fail("must be an object.");
    return object.written();
}

std::vector<SessionPlan> plansOf(const JsonCursor &list)
{
    std::vector<SessionPlan> plans;
    std::unordered_set<int> ids;
    for (const JsonCursor &item : list.items()) {
        SessionPlan plan;
        plan.id = idOf(item["id"]);
        plan.title = item.textOr("title", "");
        plan.quick = item.booleanOr("quick", false);
        plan.text = std::make_shared<const std::string>(objectText(item["plan"]));
        if (!ids.insert(plan.id).second) item["id"].fail("stands twice; each plan has an id of its own.");
        if (plan.id == 0) item["id"].fail("is 0; ids begin at 1.");
        plans.push_back(std::move(plan));
        if (list.failed()) break;
    }
    return plans;
}

std::string stateOf(const JsonCursor &cursor)
{
    std::string state = cursor.textOr("state", "waiting");
    for (const char *known : {"waiting", "done", "stopped", "infeasible", "failed"})
        if (state == known) return state;
    cursor["state"].fail("must be \"waiting\", \"done\", \"stopped\", \"infeasible\" or \"failed\".");
    return {};
}

std::vector<SessionSolve> solvesOf(const JsonCursor &list)
{
    std::vector<SessionSolve> solves;
    if (!list) return solves;
    for (const JsonCursor &item : list.items()) {
        SessionSolve solve;
        solve.planner = item["planner"].text();
        if (const JsonCursor options = item.find("options"))
            for (const JsonCursor &option : options.items())
                solve.options.emplace_back(option["name"].text(), option["value"].text());
        solve.timeLimitSeconds = item.numberOr("time_limit_s", solve.timeLimitSeconds, 0);
        solve.threads = static_cast<int>(item.integerOr("threads", 1, 1, 4096));
        solve.chunks = item.booleanOr("chunks", false);
        solve.whole = textsOf(item.find("never_in_chunks"));
        solve.budgetBytes = item.integerOr("budget_bytes", 0, 0);
        if (const JsonCursor pins = item.find("by_hand")) {
            solve.keep = textsOf(pins.find("keep"));
            solve.recompute = textsOf(pins.find("recompute"));
            solve.never = textsOf(pins.find("never_recompute"));
        }
        solve.state = stateOf(item);
        solve.optimal = item.booleanOr("optimal", false);
        solve.seconds = item.numberOr("seconds", 0, 0);
        if (const JsonCursor plan = item.find("plan")) solve.plan = idOf(plan);
        solve.timeUs = item.numberOr("time_us", -1);
        solve.boundTimeUs = item.numberOr("bound_us", -1);
        solve.sentence = item.textOr("sentence", "");
        solve.bindingOp = item.textOr("binding_op", "");
        if (const JsonCursor progress = item.find("progress"))
            for (const JsonCursor &sample : progress.items())
                solve.progress.push_back(sampleOf(sample));
        solves.push_back(std::move(solve));
        if (list.failed()) break;
    }
    return solves;
}

Json solvesJson(const std::vector<SessionSolve> &solves)
{
    Json list = Json::array();
    for (const SessionSolve &solve : solves) {
        Json options = Json::array();
        for (const auto &[name, value] : solve.options)
            options.push_back({{"name", name}, {"value", value}});
        list.push_back(
            {{"planner", solve.planner},
             {"options", std::move(options)},
             {"time_limit_s", solve.timeLimitSeconds},
             {"threads", solve.threads},
             {"chunks", solve.chunks},
             {"never_in_chunks", solve.whole},
             {"budget_bytes", solve.budgetBytes},
             {"by_hand", {{"keep", solve.keep}, {"recompute", solve.recompute}, {"never_recompute", solve.never}}},
             {"state", solve.state},
             {"optimal", solve.optimal},
             {"seconds", solve.seconds},
             {"plan", solve.plan},
             {"time_us", solve.timeUs},
             {"bound_us", solve.boundTimeUs},
             {"sentence", solve.sentence},
             {"binding_op", solve.bindingOp},
             {"progress", solve.progress}});
    }
    return list;
}

Json spanJson(const std::optional<std::array<double, 2>> &span)
{
    return span ? Json(*span) : Json(nullptr);
}

constexpr int kVersion = 2;

/// 1 or 2; marks the document where it is something else.
int versionOf(const JsonCursor &root)
{
    const std::string prefix = "remat-session/";
    const std::string format = root["format"].text();
    for (int version = 1; version <= kVersion; ++version)
        if (format == prefix + std::to_string(version)) return version;
    if (root.failed()) return 0;
    const std::string said = fmt::format("is \"{}\"; ", format.substr(0, 60));
    if (format.starts_with(prefix))
        root["format"].fail(said + "this program reads \"remat-session/1\" and \"remat-session/2\". A newer one wrote "
                                   "it: open it with that.");
    else
        root["format"].fail(said + "a session has \"remat-session/2\".");
    return 0;
}

SessionModel modelOf(const JsonCursor &root)
{
    SessionModel session;
    const JsonCursor model = root["model"];
    session.modelPath = model["path"].text();
    session.modelRelativePath = model.textOr("relative_path", "");
    session.modelTitle = model.textOr("title", "");
    session.fingerprint = model["fingerprint"].text();
    if (const JsonCursor chunks = model.find("chunks")) session.chunking = readChunks(chunks);
    if (const JsonCursor costs = root.find("costs")) {
        session.device = costs.textOr("device", "");
        session.profileTitle = costs.textOr("profile_title", "");
        if (const JsonCursor profile = costs.find("profile")) session.profileText = objectText(profile);
    }
    session.budgetBytes = root.integerOr("budget_bytes", 0, 0);
    session.plans = plansOf(root["plans"]);
    if (const JsonCursor current = root.find("current_plan")) session.currentPlan = idOf(current);
    if (const JsonCursor compared = root.find("compared"))
        for (const JsonCursor &id : compared.items())
            session.compared.push_back(idOf(id));
    session.solves = solvesOf(root.find("solves"));
    if (const JsonCursor pins = root.find("by_hand")) {
        session.keep = textsOf(pins.find("keep"));
        session.recompute = textsOf(pins.find("recompute"));
        session.never = textsOf(pins.find("never_recompute"));
    }
    if (const JsonCursor selection = root.find("selection")) {
        session.selectedOp = selection.textOr("op", "");
        session.selectedStorage = selection.textOr("storage", "");
    }
    if (const JsonCursor time = root.find("time")) {
        session.cursorUs = time.numberOr("cursor_us", -1);
        const std::string axis = time.textOr("axis", "time");
        session.axisInSteps = axis == "steps";
        if (axis != "steps" && axis != "time") time["axis"].fail("must be \"time\" or \"steps\".");
        session.seen = spanOf(time.find("seen"));
        session.range = spanOf(time.find("range"));
    }
    session.viewsText = objectText(root.find("views"));
    return session;
}

std::vector<SessionModel> modelsOf(const JsonCursor &list)
{
    std::vector<SessionModel> models;
    if (!list) return models;
    for (const JsonCursor &item : list.items()) {
        models.push_back(modelOf(item));
        if (list.failed()) break;
    }
    return models;
}

void appendModels(std::string &text, const char *name, const std::vector<std::shared_ptr<const std::string>> &models)
{
    text.append(",\n\"").append(name).append("\": [");
    for (std::size_t i = 0; i < models.size(); ++i)
        text.append(i == 0 ? "\n" : ",\n").append(*models[i]);
    text.append("]");
}

std::vector<std::shared_ptr<const std::string>> textsOf(const std::vector<SessionModel> &models)
{
    std::vector<std::shared_ptr<const std::string>> texts;
    texts.reserve(models.size());
    for (const SessionModel &model : models)
        texts.push_back(std::make_shared<const std::string>(sessionModelText(model)));
    return texts;
}

} // namespace

Expected<SessionFile> parseSession(std::string_view text, const std::string &title)
{
    Expected<JsonDocument> document = JsonDocument::parse(text, title);
    if (!document) return tl::unexpected(document.error());
    const JsonCursor root = document->root();
    SessionFile session;
    const int version = versionOf(root);
    session.savedMs = root.integerOr("saved_ms", 0, 0);
    if (version == 1) {
        session.models.push_back(modelOf(root));
    } else if (version == 2) {
        session.models = modelsOf(root["models"]);
        session.closed = modelsOf(root.find("closed"));
        const std::size_t most = std::max<std::size_t>(session.models.size(), 1) - 1;
        session.shown = static_cast<std::size_t>(root.integerOr("shown", 0, 0, static_cast<std::int64_t>(most)));
    }
    session.windowText = objectText(root.find("window"));
    if (document->failed()) return document->failure();
    return session;
}

std::string sessionModelText(const SessionModel &session)
{
    Json model = {{"path", session.modelPath},
                  {"relative_path", session.modelRelativePath},
                  {"title", session.modelTitle},
                  {"fingerprint", session.fingerprint}};
    if (!session.chunking.regions.empty()) model["chunks"] = chunksJson(session.chunking);
    const Json head = {
        {"model", std::move(model)},
        {"budget_bytes", session.budgetBytes},
        {"current_plan", session.currentPlan},
        {"compared", session.compared},
        {"by_hand", {{"keep", session.keep}, {"recompute", session.recompute}, {"never_recompute", session.never}}},
        {"solves", solvesJson(session.solves)},
        {"selection", {{"op", session.selectedOp}, {"storage", session.selectedStorage}}},
        {"time",
         {{"axis", session.axisInSteps ? "steps" : "time"},
          {"cursor_us", session.cursorUs},
          {"seen", spanJson(session.seen)},
          {"range", spanJson(session.range)}}},
    };
    std::string text = dumped(head);
    text.pop_back(); // more members follow, which are text already
    text.append(",\n\"costs\": {\"device\": ").append(dumped(session.device));
    text.append(", \"profile_title\": ").append(dumped(session.profileTitle)).append(", \"profile\": ");
    text.append(session.profileText.empty() ? "null" : session.profileText).append("},\n\"views\": ");
    text.append(session.viewsText).append(",\n\"plans\": [");
    for (std::size_t i = 0; i < session.plans.size(); ++i) {
        const SessionPlan &plan = session.plans[i];
        text.append(i == 0 ? "\n" : ",\n").append("{\"id\": ").append(std::to_string(plan.id));
        text.append(", \"title\": ").append(dumped(plan.title));
        text.append(", \"quick\": ").append(plan.quick ? "true" : "false").append(", \"plan\": ");
        text.append(*plan.text).append("}");
    }
    return text.append("]}");
}

std::string sessionText(const SessionParts &session)
{
    std::string text = "{\"format\": \"remat-session/2\",\n\"written_by\": " + dumped(writtenBy());
    text.append(",\n\"saved_ms\": ").append(std::to_string(session.savedMs));
    text.append(",\n\"shown\": ").append(std::to_string(session.shown));
    text.append(",\n\"window\": ").append(session.windowText);
    appendModels(text, "models", session.models);
    appendModels(text, "closed", session.closed);
    return text.append("}\n");
}

std::string sessionText(const SessionFile &session)
{
    return sessionText(SessionParts{session.savedMs, textsOf(session.models), textsOf(session.closed), session.shown,
                                    session.windowText});
}

} // namespace remat
