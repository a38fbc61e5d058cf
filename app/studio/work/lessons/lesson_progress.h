// SPDX-License-Identifier: Apache-2.0
// How far lessons were walked, for a teacher: what was done, tried and asked for. No names, no times.
#pragma once

#include "core/teaching/lessons/lesson.h"
#include "core/teaching/puzzles/puzzle.h"

#include <QByteArray>

#include <vector>

namespace remat::studio {

/// A line for each step that was begun: `lesson,step,kind,done,tries,hints,right` (right: of the last choice; empty
/// where there is none).
/// Tries at puzzles follow, see triesCsv().
QByteArray progressCsv(const std::vector<Lesson> &lessons, const std::vector<Puzzle> &puzzles = {});
/// The same as JSON, `{"format": "remat-progress/1", "steps": [{"lesson": …}]}`.
/// Tries at puzzles are its `puzzles`, see triesJson().
QByteArray progressJson(const std::vector<Lesson> &lessons, const std::vector<Puzzle> &puzzles = {});

} // namespace remat::studio
