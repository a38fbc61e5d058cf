// SPDX-License-Identifier: Apache-2.0
// What a process that ran somebody's file says is looked at before it is believed or shown.
#pragma once

#include "gpu/run_messages.h"

#include <cstddef>
#include <string>

namespace remat {

/// Fit to be shown and written: UTF-8 on one line, nothing that a terminal would obey, not endless.
std::string fitToShow(const std::string &said);
/// Makes every text of the reply so.
void makeFitToShow(RunReply &reply);

/// Whether a profile can be one of a graph with so many ops: a time for each, nothing negative, and no more
/// than its file may hold.
bool isPossible(const Profile &profile, std::size_t ops);
/// Whether a record can be one of a run: finite times, nothing negative, no more equal tensors than there are. A
/// difference may be infinite.
bool isPossible(const ValidationRecord &record);

} // namespace remat
