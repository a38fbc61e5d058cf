// SPDX-License-Identifier: Apache-2.0
#include "core/io/validation_json.h"

#include "core/base/field_list.h"
#include "core/plan/plan_verdict.h"

#include <cmath>

namespace remat {

namespace {

using Json = nlohmann::ordered_json;

void fields(auto &io, Is<CpuComparison> auto &cpu)
{
    io("done", cpu.done);
    io("largest_share", cpu.largestShare);
    io("tolerance", cpu.tolerance);
    io("worst", cpu.worst);
    io("sentence", cpu.sentence);
}

void fields(auto &io, Is<ChunkComparison> auto &chunks)
{
    io("done", chunks.done);
    io("tensors", chunks.tensors);
    io("largest_units", chunks.largestUnits);
    io("allowed_units", chunks.allowedUnits);
    io("different", chunks.different, "units");
    io("sentence", chunks.sentence);
}

void fields(auto &io, Is<ValidationRecord> auto &record)
{
    io("passed", record.passed);
    io("peak_holds", record.peakHolds);
    io("steps_digest", record.stepsDigest);
    io("sentence", record.sentence);
    io("device", record.device);
    io("device_title", record.deviceTitle);
    io("torch_version", record.torchVersion);
    io("loss_equal", record.lossEqual);
    io("gradients", record.gradients);
    io("gradients_equal", record.gradientsEqual);
    io("buffers", record.buffers);
    io("buffers_equal", record.buffersEqual);
    io("updated", record.updated);
    io("updated_equal", record.updatedEqual);
    io("largest_difference", record.largestDifference);
    io("differences", record.differences);
    io("measured_peak_bytes", record.measuredPeakBytes);
    io("measured_keep_all_peak_bytes", record.measuredKeepAllPeakBytes);
    io("predicted_peak_bytes", record.predictedPeakBytes);
    io("peak_reasons", record.peakReasons);
    io("measured_time_us", record.measuredTimeUs);
    io("measured_keep_all_time_us", record.measuredKeepAllTimeUs);
    io("predicted_time_us", record.predictedTimeUs);
    io("memory", record.memory);
    io("height_bytes", record.heightBytes);
    io("planned_height_bytes", record.plannedHeightBytes);
    io("host_bytes", record.hostBytes);
    io("reference", record.reference);
    io("reference_peak_bytes", record.referencePeakBytes);
    io("restless_ops", record.restlessOps);
    io("warned_ops", record.warnedOps);
    io("excused", record.excused);
    io("cpu", record.cpu);
    io("chunks", record.chunks);
}

/// Reads what is there; a field that a file of an earlier version does not have stays as it was.
class FieldReader
{
public:
    explicit FieldReader(const JsonCursor &object) : m_object(object) {}

    template <class T>
    void operator()(const char *key, T &value, const char *figure = "largest_difference")
    {
        if (const JsonCursor member = m_object.find(key)) get(member, value, figure);
    }

private:
    using Figure = const char *; ///< how a difference is called in the file

    void get(const JsonCursor &member, bool &value, Figure) { value = member.boolean(); }
    void get(const JsonCursor &member, int &value, Figure)
    {
        value = static_cast<int>(member.integer(0, std::numeric_limits<int>::max()));
    }
    void get(const JsonCursor &member, std::int64_t &value, Figure) { value = member.integer(); }
    void get(const JsonCursor &member, double &value, Figure) { value = member.anyNumber(); }
    void get(const JsonCursor &member, std::string &value, Figure) { value = member.text(); }
    void get(const JsonCursor &member, std::vector<std::string> &texts, Figure)
    {
        for (const JsonCursor &item : member.items())
            texts.push_back(item.text());
    }
    void get(const JsonCursor &member, std::vector<TensorDifference> &differences, Figure figure)
    {
        for (const JsonCursor &item : member.items())
            differences.push_back({item["name"].text(), item[figure].anyNumber()});
    }
    void get(const JsonCursor &member, ReferenceKind &kind, Figure)
    {
        const std::string name = member.text();
        for (const ReferenceKind known : {ReferenceKind::KeepAll, ReferenceKind::AnotherPlan, ReferenceKind::Itself}) {
            if (name != referenceName(known)) continue;
            kind = known;
            return;
        }
        member.fail("is no reference that this program knows.");
    }
    template <class T>
    requires std::is_class_v<T>
    void get(const JsonCursor &member, T &record, Figure)
    {
        FieldReader reader(member);
        fields(reader, record);
    }

    JsonCursor m_object;
};

class FieldWriter
{
public:
    template <class T>
    void operator()(const char *key, const T &value, const char *figure = "largest_difference")
    {
        m_object[key] = json(value, figure);
    }
    Json take() { return std::move(m_object); }

private:
    using Figure = const char *; ///< how a difference is called in the file

    template <class T>
    static Json json(const T &value, Figure figure)
    {
        if constexpr (std::same_as<T, double>)
            return exactNumber(value);
        else if constexpr (std::same_as<T, ReferenceKind>)
            return referenceName(value);
        else if constexpr (std::same_as<T, std::vector<TensorDifference>>) {
            Json list = Json::array();
            for (const TensorDifference &item : value)
                list.push_back({{"name", item.name}, {figure, exactNumber(item.largestDifference)}});
            return list;
        } else if constexpr (std::same_as<T, CpuComparison> || std::same_as<T, ChunkComparison>) {
            FieldWriter writer;
            fields(writer, value);
            return writer.take();
        } else
            return value;
    }

    Json m_object = Json::object();
};

/// A list per figure, each as long as the plan had steps when it ran.
std::vector<StepMeasurement> readMeasurements(const JsonCursor &cursor, std::size_t steps)
{
    std::vector<StepMeasurement> measured(cursor["held_bytes"].items().size());
    const auto read = [&](const char *key, const auto &take) {
        const std::vector<JsonCursor> items = cursor[key].items();
        if (items.size() != measured.size()) cursor[key].fail("must be as long as \"held_bytes\".");
        for (std::size_t step = 0; step < items.size() && !cursor.failed(); ++step)
            take(measured[step], items[step]);
    };
    read("held_bytes", [](StepMeasurement &step, const JsonCursor &item) { step.heldBytes = item.integer(0); });
    read("workspace_bytes",
         [](StepMeasurement &step, const JsonCursor &item) { step.workspaceBytes = item.integer(0); });
    read("made_bytes", [](StepMeasurement &step, const JsonCursor &item) { step.madeBytes = item.integer(0); });
    read("start_us", [](StepMeasurement &step, const JsonCursor &item) { step.startUs = item.number(); });
    read("end_us", [](StepMeasurement &step, const JsonCursor &item) { step.endUs = item.number(step.startUs); });
    if (measured.size() != steps) measured.clear();
    return measured;
}

Json measurementsJson(const std::vector<StepMeasurement> &steps)
{
    constexpr double kParts = 1000; // a nanosecond is finer than any clock of these
    Json held = Json::array(), workspace = Json::array(), made = Json::array(), start = Json::array(),
         end = Json::array();
    for (const StepMeasurement &step : steps) {
        held.push_back(step.heldBytes);
        workspace.push_back(step.workspaceBytes);
        made.push_back(step.madeBytes);
        start.push_back(std::round(step.startUs * kParts) / kParts);
        end.push_back(std::round(step.endUs * kParts) / kParts);
    }
    return {{"held_bytes", std::move(held)},
            {"workspace_bytes", std::move(workspace)},
            {"made_bytes", std::move(made)},
            {"start_us", std::move(start)},
            {"end_us", std::move(end)}};
}

} // namespace

ValidationRecord readValidation(const JsonCursor &cursor, std::size_t steps)
{
    ValidationRecord record;
    record.passed = cursor["passed"].boolean();
    record.lossEqual = record.passed; // version 0.1.0 kept only whether all passed
    FieldReader reader(cursor);
    fields(reader, record);
    // Over the budget was no part of what version 0.1.0 called passed.
    if (!cursor.find("peak_holds")) record.peakHolds = record.passed || !resultsEqual(record);
    if (const JsonCursor eager = cursor.find("eager")) {
        const auto verdict = eagerVerdictOf(eager["verdict"].text());
        if (!verdict) eager["verdict"].fail("is no verdict that this program knows.");
        record.eagerVerdict = verdict.value_or(EagerVerdict::NotCompared);
        record.eagerSentence = eager["sentence"].text();
    }
    if (const JsonCursor measured = cursor.find("steps")) record.steps = readMeasurements(measured, steps);
    return record;
}

Json validationJson(const ValidationRecord &record)
{
    FieldWriter writer;
    fields(writer, record);
    Json object = writer.take();
    if (!record.chunks.done && record.chunks.sentence.empty()) object.erase("chunks");
    object["eager"] = {{"verdict", eagerVerdictName(record.eagerVerdict)}, {"sentence", record.eagerSentence}};
    if (!record.steps.empty()) object["steps"] = measurementsJson(record.steps);
    return object;
}

} // namespace remat
