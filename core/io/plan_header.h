// What a plan file says of its graph, read apart from the plan itself.
#pragma once

#include "core/base/expected.h"

#include <filesystem>
#include <string>

namespace remat {

/// The fingerprint of the graph that a plan file was made for. Tells "a plan for another graph" from "not a plan".
Expected<std::string> readPlanFingerprint(const std::filesystem::path &path);

} // namespace remat
