// SPDX-License-Identifier: Apache-2.0
// A model as everything that looks at it needs it: opened, and under costs. Any thread.
#pragma once

#include "core/bounds/bounds.h"
#include "core/clusters/cluster_tree.h"
#include "core/costs/profile.h"
#include "core/graph/chunking.h"
#include "core/graph/model.h"
#include "core/graph/optimizer.h"
#include "core/plan/timeline.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace remat {

/// A model as opened, with what is derived from it once. Immutable; made on a worker thread.
struct OpenModel {
    std::shared_ptr<const Model> model;
    ClusterTree modules;
    ClusterTree partition;
    std::vector<std::vector<OpId>> readers; ///< per storage
    Updates updates;                        ///< that the graph holds; its model has no program then
    std::shared_ptr<const Model> traced;    ///< the model without updates, where the graph holds them
    ChunkedFrom from;                       ///< where the graph is in chunks
    std::shared_ptr<const OpenModel> whole; ///< the same model with its ops whole, where the graph is in chunks

    /// What runs, with `updates`, and what else can be made of the file.
    const Model &asRead() const { return traced ? *traced : *model; }
    /// The same model with its ops whole; itself where they are.
    const OpenModel &unchunked() const { return whole ? *whole : *this; }
};

/// Where costs come from: a device file's roofline, or a measured profile with a device for the host link.
struct CostChoice {
    Device device;
    std::shared_ptr<const Profile> profile; ///< none for the roofline
    std::string profileTitle;               ///< the profile's file name or the measured device
};

/// A model under one cost table. Immutable; made on a worker thread.
struct CostedModel {
    std::shared_ptr<const OpenModel> open;
    CostChoice choice; ///< where `costs` come from
    std::shared_ptr<const CostTable> costs;
    std::shared_ptr<const CostTable> roofline; ///< the device's, where `costs` were measured; or none
    std::string costTitle;                     ///< `reference`, `NVIDIA H100 …`, or the profile's file name
    std::int64_t deviceMemoryBytes = 0;        ///< memory of the cost device, 0 when unknown
    std::shared_ptr<const MemoryTimeline> keepAll;
    PeakBound floor;
    /// What percent are of: keep-all of this graph, or, where it is in chunks, of the same graph with its ops whole.
    std::int64_t keepAllPeakBytes = 0;
    double keepAllTimeUs = 0;

    const Graph &graph() const { return open->model->graph; }
};

/// Derives module tree, solving partition and readers, of the model with the updates in its step. Fails on a graph
/// without ops, which `name` is called in the sentence, and as `withUpdates` does.
Expected<std::shared_ptr<const OpenModel>> openModel(Model model, const std::string &name, const Device &device,
                                                     const Updates &updates = {});
/// The same of a file. O(file).
Expected<std::shared_ptr<const OpenModel>> openModel(const std::filesystem::path &path, const Device &device,
                                                     const Updates &updates = {});

/// The model with regions of it in chunks, and with the updates it has. Fails as chunkedModel() does; `whole` must not
/// be in chunks itself.
Expected<std::shared_ptr<const OpenModel>> openInChunks(const std::shared_ptr<const OpenModel> &whole,
                                                        const Chunking &chunking, const Device &device);

/// Costs, keep-all timeline and floor of an open model. Fails when the profile belongs to another graph.
Expected<std::shared_ptr<const CostedModel>> costModel(std::shared_ptr<const OpenModel> open, const CostChoice &choice);

} // namespace remat
