// How far lessons were walked, for a teacher: what was done, tried and asked for. No names, no times.
#pragma once

#include "core/lessons/lesson.h"

#include <QByteArray>

#include <vector>

namespace remat::studio {

/// A line for each step that was begun: `lesson,step,kind,done,tries,hints,right` (right: of the last choice; empty
/// where there is none).
QByteArray progressCsv(const std::vector<Lesson> &lessons);
/// The same as JSON, `{"format": "remat-progress/1", "steps": [{"lesson": …}]}`.
QByteArray progressJson(const std::vector<Lesson> &lessons);

} // namespace remat::studio
