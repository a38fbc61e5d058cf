// SPDX-License-Identifier: Apache-2.0
// The functions of all targets.
#pragma once

#include "solvers/interface/options.h"
#include "tests/fuzz/target.h"

namespace remat::fuzz {

bool readAmounts(std::string_view input);
bool readDeviceFile(std::string_view input);
bool readFilter(std::string_view input);
bool readGraphFile(std::string_view input);
bool readLayoutAnswer(std::string_view input);
bool readLayoutRequest(std::string_view input);
bool readLessonFile(std::string_view input);
bool readPins(std::string_view input);
bool readPlanFile(std::string_view input);
bool readProfileFile(std::string_view input);
bool readPuzzleFile(std::string_view input);
bool readRunReply(std::string_view input);
bool readRunRequest(std::string_view input);
bool readSession(std::string_view input);
bool readSettings(std::string_view input);
bool readSolveReply(std::string_view input);
bool readSolveRequest(std::string_view input);
bool readStoryFile(std::string_view input);
bool readTextsFile(std::string_view input);
bool readTrace(std::string_view input);
bool takeFrames(std::string_view input);
bool writeTable(std::string_view input);

/// Messages that are read back: one of each kind.
std::vector<std::string> runReplies();
std::vector<std::string> runRequests();

/// What `settings` are read for.
const std::vector<OptionRecord> &optionRecords();

} // namespace remat::fuzz
