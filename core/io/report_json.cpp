// SPDX-License-Identifier: Apache-2.0
#include "core/io/report_json.h"

#include "core/base/file.h"
#include "core/base/limits.h"
#include "core/base/resources.h"
#include "core/base/version.h"
#include "core/io/json_cursor.h"

#include <algorithm>

namespace remat {
namespace {

constexpr const char *kFormat = "remat-report/1";

template <class T>
std::vector<T> readAll(const JsonCursor &list, T (*read)(const JsonCursor &))
{
    std::vector<T> result;
    for (const JsonCursor &item : list.items()) {
        if (item.failed()) break;
        result.push_back(read(item));
    }
    return result;
}

ReportFinding readFinding(const JsonCursor &item)
{
    return {item["name"].text(), item["there"].boolean(), item["text"].text()};
}

ReportCheck readCheck(const JsonCursor &item)
{
    return {item["name"].text(), item["passed"].boolean(), item["sentence"].text()};
}

ReportCopy readCopy(const JsonCursor &item)
{
    return {item["bytes"].integer(0), item["to_host_us"].number(0), item["to_device_us"].number(0)};
}

ReportRun readRun(const JsonCursor &item)
{
    ReportRun run;
    run.model = item["model"].text();
    run.planner = item["planner"].text();
    run.budgetBytes = item["budget_bytes"].integer(0);
    run.budgetShare = item["budget_share"].number(0);
    run.passed = item["passed"].boolean();
    run.equal = item["equal"].boolean();
    run.measuredPeakBytes = item["measured_peak_bytes"].integer(0);
    run.predictedPeakBytes = item["predicted_peak_bytes"].integer(0);
    run.heightBytes = item["height_bytes"].integer(0);
    run.plannedHeightBytes = item["planned_height_bytes"].integer(0);
    run.measuredUs = item["measured_us"].number(0);
    run.predictedUs = item["predicted_us"].number(0);
    run.keepAllUs = item["keep_all_us"].number(0);
    run.sentence = item["sentence"].text();
    return run;
}

template <class T, class Write>
nlohmann::json written(const std::vector<T> &items, const Write &write)
{
    nlohmann::json list = nlohmann::json::array();
    for (const T &item : items)
        list.push_back(write(item));
    return list;
}

} // namespace

std::string reportText(const Report &report)
{
    const nlohmann::json json{
        {"format", kFormat},
        {"written_by", writtenBy()},
        {"made", report.made},
        {"device", report.device},
        {"title", report.title},
        {"found", written(report.found,
                          [](const ReportFinding &f) {
                              return nlohmann::json{{"name", f.name}, {"there", f.there}, {"text", f.text}};
                          })},
        {"checks", written(report.checks,
                           [](const ReportCheck &c) {
                               return nlohmann::json{{"name", c.name}, {"passed", c.passed}, {"sentence", c.sentence}};
                           })},
        {"copies",
         written(
             report.copies,
             [](const ReportCopy &c) {
                 return nlohmann::json{{"bytes", c.bytes}, {"to_host_us", c.toHostUs}, {"to_device_us", c.toDeviceUs}};
             })},
        {"link_bytes_per_second", report.linkBytesPerSecond},
        {"link_latency_us", report.linkLatencyUs},
        {"overlap",
         {{"copy_us", report.overlapCopyUs},
          {"compute_us", report.overlapComputeUs},
          {"both_us", report.overlapBothUs}}},
        {"runs", written(report.runs,
                         [](const ReportRun &r) {
                             return nlohmann::json{{"model", r.model},
                                                   {"planner", r.planner},
                                                   {"budget_bytes", r.budgetBytes},
                                                   {"budget_share", r.budgetShare},
                                                   {"passed", r.passed},
                                                   {"equal", r.equal},
                                                   {"measured_peak_bytes", r.measuredPeakBytes},
                                                   {"predicted_peak_bytes", r.predictedPeakBytes},
                                                   {"height_bytes", r.heightBytes},
                                                   {"planned_height_bytes", r.plannedHeightBytes},
                                                   {"measured_us", r.measuredUs},
                                                   {"predicted_us", r.predictedUs},
                                                   {"keep_all_us", r.keepAllUs},
                                                   {"sentence", r.sentence}};
                         })},
        {"passed", report.passed},
        {"verdict", report.verdict}};
    return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Expected<Report> readReport(const std::filesystem::path &path)
{
    const Expected<std::string> text = readFile(path, kMaxJsonBytes);
    if (!text) return tl::unexpected(text.error());
    Expected<JsonDocument> document = JsonDocument::parse(*text, path.filename().string());
    if (!document) return tl::unexpected(document.error());
    const JsonCursor root = document->root();
    if (root["format"].text() != kFormat) root["format"].fail("is not {}.", kFormat);
    Report report;
    report.writtenBy = root["written_by"].text();
    report.made = root["made"].text();
    report.device = root["device"].text();
    report.title = root["title"].text();
    report.found = readAll(root["found"], readFinding);
    report.checks = readAll(root["checks"], readCheck);
    report.copies = readAll(root["copies"], readCopy);
    report.linkBytesPerSecond = root["link_bytes_per_second"].number(0);
    report.linkLatencyUs = root["link_latency_us"].number(0);
    if (const JsonCursor overlap = root.find("overlap")) {
        report.overlapCopyUs = overlap["copy_us"].number(0);
        report.overlapComputeUs = overlap["compute_us"].number(0);
        report.overlapBothUs = overlap["both_us"].number(0);
    }
    report.runs = readAll(root["runs"], readRun);
    report.passed = root["passed"].boolean();
    report.verdict = root["verdict"].text();
    if (document->failed()) return document->failure();
    return report;
}

std::vector<Report> keptReports()
{
    std::vector<Report> reports;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(resourceDir() / "reports", error)) {
        if (entry.path().extension() != ".json") continue;
        if (Expected<Report> report = readReport(entry.path())) reports.push_back(std::move(*report));
    }
    std::sort(reports.begin(), reports.end(), [](const Report &a, const Report &b) {
        return std::pair(a.title, a.device) < std::pair(b.title, b.device);
    });
    return reports;
}

} // namespace remat
