// SPDX-License-Identifier: Apache-2.0
// `remat-certificate/1`: what training with a plan wrote down of its first step, see resources/python/training.md.
#pragma once

#include "core/graph/graph.h"
#include "core/plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace remat {

/// What was promised and what was measured. Bytes are of dynamic memory.
struct Certificate {
    std::string writtenBy, torchVersion;
    std::string device; ///< `cpu` or `cuda`
    std::string graphName, fingerprint;
    std::string stepsDigest; ///< see namedStepsDigest()
    std::int64_t budgetBytes = 0;
    std::int64_t outsideBytes = 0; ///< known to lie beside the plan: generator states, old values of inputs
    std::int64_t predictedPeakBytes = 0, measuredPeakBytes = 0;
    double predictedTimeUs = 0, measuredSeconds = 0;
    std::string peakOp; ///< that ran when the measured peak was held
    /// The most that was held between ops, without workspaces of kernels; none where only the allocator was asked.
    std::optional<std::int64_t> betweenOpsBytes;
    std::optional<std::int64_t> plainPeakBytes; ///< none where the plain step did not fit
    double plainSeconds = 0;                    ///< 0 where it did not fit
    std::optional<double> timeOverBound;        ///< share over the proven bound; none where there is no bound
    std::int64_t compared = 0;                  ///< tensors: outputs, gradients, new values of inputs
    std::int64_t unrepeatable = 0;              ///< more tensors, which differ as much between two runs of the graph
    std::optional<bool> equal;                  ///< all compared, bit for bit; none where nothing was compared
    std::vector<std::string> different;         ///< those that are not
    /// Whether the graph is what plain PyTorch computes: `equal`, `explained`, `different` or `not compared`; empty in
    /// certificates of versions that did not look.
    std::string pytorchVerdict;
    std::string pytorchWhy; ///< the sentence for it: ops, gradients, sizes
};

/// Reads one. Fails on what is no certificate, and on one that somebody changed after it was written: its last member
/// is a digest of all before it, which tells an accident or an edit, not a forger.
Expected<Certificate> readCertificate(const std::filesystem::path &path);
/// The same of a text; `title` names it in errors.
Expected<Certificate> parseCertificate(std::string_view text, const std::string &title);

/// What a certificate comes to.
struct Certified {
    /// Nothing differs, the graph is not known to be wrong, and the peak is within the budget and what lies beside it.
    bool holds = false;
    std::string sentence; ///< what was found, with the figures
};
Certified certified(const Certificate &certificate);

/// Fails with a sentence when the certificate is of another graph or, where a plan is given, of another plan.
Expected<void> certificateIsOf(const Certificate &certificate, const Graph &graph, const Plan *plan);

/// Tells one sequence of steps from another by what a plan file calls them; 32 hex digits. O(steps).
std::string namedStepsDigest(const std::vector<Step> &steps, const Graph &graph);

} // namespace remat
