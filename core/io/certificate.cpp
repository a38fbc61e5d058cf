// SPDX-License-Identifier: Apache-2.0
#include "core/io/certificate.h"

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/memory_units.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/graph_header.h"
#include "core/io/json_cursor.h"

#include <fmt/core.h>

namespace remat {

namespace {

constexpr std::int64_t kMostCertificateBytes = std::int64_t(16) << 20; // names of all tensors that differ
constexpr std::string_view kSeal = "\"digest\": \"";

/// Its text ends with the digest of what stands before it.
bool isAsWritten(std::string_view text)
{
    const std::size_t end = text.find_last_not_of(" \n\r");
    const std::size_t seal = text.rfind(kSeal);
    if (end == std::string_view::npos || seal == std::string_view::npos) return false;
    Digest digest;
    digest.add(text.substr(0, seal));
    return text.substr(seal, end + 1 - seal) == fmt::format("{}{}\"\n}}", kSeal, digest.hex());
}

void readMeasured(const JsonCursor &measured, Certificate &certificate)
{
    certificate.measuredPeakBytes = measured["peak_bytes"].integer(0);
    certificate.measuredSeconds = measured["seconds"].number(0);
    certificate.peakOp = measured.textOr("peak_op", "");
    if (const JsonCursor between = measured.find("peak_between_ops_bytes"))
        certificate.betweenOpsBytes = between.integer(0);
    const JsonCursor plain = measured["plain"];
    if (!plain.find("peak_bytes")) return;
    certificate.plainPeakBytes = plain["peak_bytes"].integer(0);
    certificate.plainSeconds = plain["seconds"].number(0);
}

void readPytorch(const JsonCursor &pytorch, Certificate &certificate)
{
    certificate.pytorchVerdict = pytorch["verdict"].text();
    certificate.pytorchWhy = pytorch["why"].text();
}

/// The other half of the verdict.
std::string aboutPytorch(const Certificate &certificate)
{
    const std::string &verdict = certificate.pytorchVerdict;
    if (verdict.empty())
        return "This certificate is of a version that did not look at plain PyTorch: it says nothing of whether the "
               "graph is what your code computes. Train with options={\"verify\": \"FILE\"} again for one that does.";
    if (verdict == "different")
        return "The graph is not what PyTorch computes: do not train with it. " + certificate.pytorchWhy;
    if (verdict == "not compared") return "The graph was not compared with plain PyTorch. " + certificate.pytorchWhy;
    return certificate.pytorchWhy;
}

std::string nameOfStep(const Step &step, const Graph &graph)
{
    return step.kind == StepKind::Compute ? graph.op(step.op).name : graph.storage(step.storage).name;
}

} // namespace

Expected<Certificate> readCertificate(const std::filesystem::path &path)
{
    const Expected<std::string> text = readFile(path, kMostCertificateBytes);
    if (!text) return tl::unexpected(text.error());
    return parseCertificate(*text, path.filename().string());
}

Expected<Certificate> parseCertificate(std::string_view text, const std::string &title)
{
    Expected<JsonDocument> document = JsonDocument::parse(text, title);
    if (!document) return tl::unexpected(document.error());
    const JsonCursor root = document->root();
    checkFormat(root, "remat-certificate/1", "a certificate");
    if (document->failed()) return document->failure();
    if (!isAsWritten(text))
        return fail(title + " was changed after it was written: its digest is not that of its text. It certifies "
                            "nothing any more; train with options={\"verify\": \"FILE\"} for a new one.");
    Certificate certificate;
    certificate.writtenBy = root["written_by"].text();
    certificate.torchVersion = root["torch"].text();
    certificate.device = root["device"].text();
    certificate.graphName = root["graph"]["name"].text();
    certificate.fingerprint = root["graph"]["fingerprint"].text();
    certificate.stepsDigest = root["steps"].text();
    certificate.budgetBytes = root["budget_bytes"].integer(0);
    certificate.outsideBytes = root["outside_bytes"].integer(0);
    certificate.predictedPeakBytes = root["predicted"]["peak_bytes"].integer(0);
    certificate.predictedTimeUs = root["predicted"]["time_us"].number(0);
    readMeasured(root["measured"], certificate);
    if (const JsonCursor over = root.find("time_over_bound")) certificate.timeOverBound = over.number();
    certificate.compared = root["compared"].integer(0);
    if (const JsonCursor unrepeatable = root.find("unrepeatable")) certificate.unrepeatable = unrepeatable.integer(0);
    if (const JsonCursor equal = root.find("equal")) certificate.equal = equal.boolean();
    if (const JsonCursor different = root.find("different"))
        for (const JsonCursor &name : different.items())
            certificate.different.push_back(name.text());
    if (const JsonCursor pytorch = root.find("pytorch")) readPytorch(pytorch, certificate);
    if (document->failed()) return document->failure();
    return certificate;
}

Certified certified(const Certificate &certificate)
{
    const std::int64_t over = certificate.measuredPeakBytes - certificate.budgetBytes - certificate.outsideBytes;
    std::string sentence;
    if (!certificate.equal)
        sentence = "The plain step did not fit, so that no results were compared. ";
    else if (*certificate.equal)
        sentence =
            fmt::format("The plan is exact for this graph: the results of keep-all, bit for bit ({} tensors{}). ",
                        formatCount(certificate.compared),
                        certificate.unrepeatable ? fmt::format("; {} more differ as much between two runs of keep-all",
                                                               formatCount(certificate.unrepeatable))
                                                 : "");
    else
        sentence = fmt::format(
            "The planned step differs from the plain one in {} of {} tensors{}: do not train with this plan. ",
            formatCount(static_cast<std::int64_t>(certificate.different.size())), formatCount(certificate.compared),
            certificate.different.empty() ? "" : ", first in " + quotedName(certificate.different.front()));
    sentence += "It held " + formatMemory(certificate.measuredPeakBytes);
    if (over > 0)
        sentence += fmt::format(
            ", {} over the budget of {}{}{}", formatBytes(over, Rounding::Up), formatMemory(certificate.budgetBytes),
            certificate.peakOp.empty() ? "." : fmt::format(", while {} ran.", quotedName(certificate.peakOp)),
            certificate.betweenOpsBytes
                ? fmt::format(" Between ops it held {} at most; the rest is what kernels took while they ran.",
                              formatMemory(*certificate.betweenOpsBytes))
                : "");
    else
        sentence += fmt::format(", within the budget of {}.", formatMemory(certificate.budgetBytes));
    sentence += " " + aboutPytorch(certificate);
    return {certificate.equal.value_or(true) && certificate.pytorchVerdict != "different" && over <= 0, sentence};
}

Expected<void> certificateIsOf(const Certificate &certificate, const Graph &graph, const Plan *plan)
{
    if (certificate.fingerprint != graph.fingerprint)
        return fail("The certificate is of another graph, {}, and this is {}. The graph of a step in "
                    "training is what options={{\"graph\": \"FILE\"}} writes.",
                    quotedName(certificate.graphName), quotedName(graph.name));
    if (!plan) return {};
    if (certificate.stepsDigest != namedStepsDigest(plan->steps, graph))
        return fail("The certificate is of another plan for this graph: its steps are not those of this one.");
    if (certificate.budgetBytes != plan->budgetBytes)
        return fail("The certificate is of these steps under another budget, {}; the plan has {}.",
                    formatMemory(certificate.budgetBytes), formatMemory(plan->budgetBytes));
    return {};
}

std::string namedStepsDigest(const std::vector<Step> &steps, const Graph &graph)
{
    Digest digest;
    for (const Step &step : steps) {
        digest.add(static_cast<std::uint64_t>(step.kind));
        digest.add(std::string_view(nameOfStep(step, graph)));
    }
    return digest.hex();
}

} // namespace remat
