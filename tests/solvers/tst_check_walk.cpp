// SPDX-License-Identifier: Apache-2.0
// Whatever a planner makes passes the checker after it was written to a file and read again, under the costs that the
// file names: every planner × parameters × decisions by hand × device. REMAT_CHECK_WALK=SEEDS walks that many graphs of
// each kind with all combinations; without it a part that covers every value of each with every planner.
#include "core/costs/profile.h"
#include "core/io/graph_json.h"
#include "core/io/plan_text.h"
#include "core/plan/checker.h"
#include "core/plan/pin_names.h"
#include "tests/solvers/solving.h"
#include "tests/support/graph_file.h"
#include "tests/support/random.h"

#include <QtTest>

using namespace remat;

namespace {

/// A graph as the program opens it, and how it is called in what is printed.
struct Opened {
    std::string name;
    Model model;
};

/// Where costs come from; a profile takes its link from a device.
struct Source {
    std::string device;
    bool profile = false;
};

const std::vector<Source> kSources = {{"reference"}, {"jetson-orin"}, {"h100"}, {"reference", true}, {"a100", true}};

/// Random residents become parameters, and some ops lose their time, which the device then has to say.
Model oddGraph(std::uint64_t seed)
{
    test::RandomGraphParams params;
    params.joint = true;
    params.ops = 14;
    params.maxBytes = 400;
    params.computeOnce = seed % 3 == 0 ? 10 : 0;
    Graph graph = test::randomGraph(seed, params);
    test::Random random(seed);
    int residents = 0;
    for (Storage &storage : graph.storages)
        if (isResident(storage.kind))
            storage.kind = residents++ % 3 == 2 ? StorageKind::Buffer : StorageKind::Parameter;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        graph.ops[i].module = i % 4 == 0 ? "" : "layers." + std::to_string(i % 3);
    Model model;
    model.graph = *parseGraphJson(test::graphText(graph), "odd " + std::to_string(seed));
    for (Op &op : model.graph.ops)
        if (seed % 2 == 1 && random.percent(30)) op.timeUs = -1;
    return model;
}

Profile measured(const Graph &graph, std::uint64_t seed)
{
    test::Random random(seed);
    Profile profile;
    profile.fingerprint = graph.fingerprint;
    profile.graphName = graph.name;
    profile.device = "cpu";
    profile.deviceTitle = "A test's own device";
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        profile.ops.push_back({0.1 * static_cast<double>(random.between(1, 90)), 0, random.between(0, 50)});
    return profile;
}

Expected<CostTable> costsOf(const Model &model, const Profile &profile, const std::string &device, bool measured)
{
    const Expected<Device> found = findDevice(device);
    if (!found) return tl::unexpected(found.error());
    if (measured) return profileCosts(model.graph, profile, *found);
    return rooflineCosts(model, *found);
}

/// None, and each kind of decision about an op, a storage and a module, where the graph has one.
std::vector<PinNames> decisions(const Graph &graph)
{
    std::vector<PinNames> all = {{}};
    std::vector<std::string> names;
    for (const Op &op : graph.ops)
        if (op.phase == Phase::Forward && !op.outputs.empty()) {
            names.push_back(op.name);
            if (names.size() == 2) names.push_back(graph.storage(op.outputs.front()).name);
            if (names.size() == 3 && !op.module.empty()) names.push_back(op.module);
        }
    if (names.size() > 4) names.resize(4);
    for (const std::string &name : names) {
        all.push_back({{name}, {}, {}});
        all.push_back({{}, {name}, {}});
        all.push_back({{}, {}, {name}});
    }
    for (const Storage &storage : graph.storages)
        if (storage.kind == StorageKind::Parameter) {
            all.push_back({{storage.name}, {}, {}});
            break;
        }
    return all;
}

std::string spoken(const PinNames &pins)
{
    std::string text;
    for (const auto &[word, list] :
         {std::pair("keep", &pins.keep), {"recompute", &pins.recompute}, {"never", &pins.never}})
        for (const std::string &name : *list)
            text.append(" ").append(word).append(" ").append(name);
    return text.empty() ? " no decisions" : text;
}

bool offersParameters(const Planner &planner)
{
    const auto &options = planner.info.options;
    return std::any_of(options.begin(), options.end(), [](const OptionRecord &o) { return o.name == "parameters"; });
}

} // namespace

class TestCheckWalk : public QObject
{
    Q_OBJECT

    std::vector<Opened> m_graphs;
    int m_seeds = 0;
    int m_calls = 0, m_plans = 0, m_withParameters = 0, m_decidedWithParameters = 0;

    /// Empty when the plan passes, or when there is none and a sentence says why.
    std::string walk(const Opened &opened, const Planner &planner, bool parameters, const PinNames &names,
                     const Source &source, int percent)
    {
        const Profile profile = measured(opened.model.graph, 7);
        const Expected<CostTable> costs = costsOf(opened.model, profile, source.device, source.profile);
        if (!costs) return costs.error().message;
        const Graph graph = parameters ? withPlannedParameters(opened.model.graph) : opened.model.graph;
        const test::Case of(graph, *costs);
        const Expected<Pins> pins = pinsByName(graph, names);
        if (!pins) return pins.error().message.empty() ? "decisions are refused without a sentence" : "";
        SolveContext context;
        context.deadline = Deadline(planner.info.usesTime ? 0.03 : 5);
        std::map<std::string, std::string> set;
        if (parameters) set["parameters"] = "true";
        const auto outcome = test::plan(planner.info.name, of, of.percent(percent), context, set, nullptr, *pins);
        ++m_calls;
        if (!outcome) {
            // What a planner cannot do it says; a plan of its own that breaks a rule is a fault.
            const std::string &said = outcome.error().message;
            const bool fault = said.empty() || said.find("breaks") != std::string::npos ||
                               said.find("cycles") != std::string::npos || said.find(" failed: ") != std::string::npos;
            return fault ? "failed: " + said : "";
        }
        if (!outcome->plan) return outcome->message.empty() ? "no plan and no sentence" : "";
        ++m_plans;
        m_withParameters += parameters;
        m_decidedWithParameters += parameters && !pins->empty();
        const Expected<Plan> plan =
            parsePlan(planText(*outcome->plan, opened.model.graph), "plan.json", opened.model.graph);
        if (!plan) return "cannot be read: " + plan.error().message;
        const bool byProfile = plan->costSource.kind == "profile";
        const Expected<CostTable> again = costsOf(opened.model, profile, deviceOf(plan->costSource), byProfile);
        if (!again) return again.error().message;
        if (again->source != costs->source) return "the costs are not those that it was made with";
        const Verdict verdict = checkPlan(opened.model.graph, *again, *plan);
        if (!verdict.ok) return "refused: " + verdict.sentence;
        if (const auto violated = pinsViolated(graph, plan->steps, *pins)) return "leaves the decisions: " + *violated;
        if (verdict.timeUs != outcome->plan->predicted.timeUs) return "takes another time after reading";
        return {};
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_seeds = qEnvironmentVariableIntValue("REMAT_CHECK_WALK");
        for (int seed = 1; seed <= std::max(m_seeds, 2); ++seed)
            m_graphs.push_back({"odd " + std::to_string(seed), oddGraph(static_cast<std::uint64_t>(seed))});
        Expected<Model> trace = readModel(REMAT_TEST_DATA "/versions/0.1.0/mlp.pt2");
        QVERIFY2(trace.has_value(), test::sentenceOf(trace).c_str());
        m_graphs.push_back({"mlp", std::move(*trace)});
    }

    void everyPlanPassesTheCheckerFromItsFile_data()
    {
        QTest::addColumn<QString>("planner");
        for (const Planner *planner : planners())
            QTest::newRow(planner->info.name.c_str()) << QString::fromStdString(planner->info.name);
    }

    void everyPlanPassesTheCheckerFromItsFile()
    {
        QFETCH(const QString, planner);
        const Planner &asked = **findPlanner(planner.toStdString());
        QStringList wrong;
        std::size_t turn = 0;
        for (const Opened &opened : m_graphs) {
            const std::vector<PinNames> all = decisions(opened.model.graph);
            for (const bool parameters : {false, true}) {
                if (parameters && !offersParameters(asked)) continue;
                for (const PinNames &names : all) {
                    for (std::size_t s = 0; s < kSources.size(); ++s) {
                        // The short walk takes one device for each decision, the next one for the next.
                        if (m_seeds == 0 && s != turn % kSources.size()) continue;
                        const int percent = m_seeds == 0 ? (turn % 2 == 0 ? 90 : 75) : 60 + static_cast<int>(s) * 9;
                        const std::string said = walk(opened, asked, parameters, names, kSources[s], percent);
                        if (!said.empty())
                            wrong << QString::fromStdString(opened.name + (parameters ? " parameters" : "") +
                                                            spoken(names) + " on " + kSources[s].device +
                                                            (kSources[s].profile ? " profile" : "") + " at " +
                                                            std::to_string(percent) + " %: " + said);
                    }
                    ++turn;
                }
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.mid(0, 10).join(QLatin1Char('\n'))));
    }

    void mostWereAnswered()
    {
        qInfo("%d calls, %d plans checked, %d with planned parameters, %d of those around decisions", m_calls, m_plans,
              m_withParameters, m_decidedWithParameters);
        QVERIFY(m_plans > m_calls / 3);
        QVERIFY(m_decidedWithParameters > 20);
    }
};

QTEST_GUILESS_MAIN(TestCheckWalk)
#include "tst_check_walk.moc"
