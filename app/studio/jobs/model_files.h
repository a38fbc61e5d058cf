// Opening a model and putting costs on it. Worker threads.
#pragma once

#include "app/studio/document/document.h"
#include "core/costs/profile.h"

#include <filesystem>

namespace remat::studio {

/// Where costs come from: a device file's roofline, or a measured profile with a device for the host link.
struct CostChoice {
    Device device;
    std::shared_ptr<const Profile> profile; ///< none for the roofline
    QString profileTitle;                   ///< the profile's file name or the measured device
};

/// Reads the model and derives module tree, solving partition and readers. O(file).
Expected<std::shared_ptr<const OpenModel>> openModel(const std::filesystem::path &path, const Device &device);

/// Costs, keep-all timeline and floor of an open model. Fails when the profile belongs to another graph.
Expected<std::shared_ptr<const CostedModel>> costModel(std::shared_ptr<const OpenModel> open, const CostChoice &choice);

} // namespace remat::studio
