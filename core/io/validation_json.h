// SPDX-License-Identifier: Apache-2.0
// The record of a real run as JSON: in plan files, and what `remat validate --json` prints.
#pragma once

#include "core/io/json_cursor.h"
#include "core/plan/plan.h"

namespace remat {

/// Marks the document where the object is no such record. Measurements of steps that are not as many as `steps`, the
/// steps of the plan, are left out: the plan was edited since it ran. Any thread.
ValidationRecord readValidation(const JsonCursor &cursor, std::size_t steps);

/// Everything but the checksums, in the order of the plan file's description. Any thread.
nlohmann::ordered_json validationJson(const ValidationRecord &record);

} // namespace remat
