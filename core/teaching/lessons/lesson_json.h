// SPDX-License-Identifier: Apache-2.0
// Lessons as JSON, `remat-lesson/1`: resources/lessons/README.md says what is in them.
#pragma once

#include "core/base/expected.h"
#include "core/teaching/lessons/lesson.h"

#include <string_view>

namespace remat {

/// Reads a lesson. A mistake becomes a sentence with its line and field:
/// `sqrt.json, line 12: steps[2].question.answer is 4 and must be a whole number from 0 to 3.`
Expected<Lesson> parseLesson(std::string_view text, const std::filesystem::path &path);
Expected<Lesson> readLesson(const std::filesystem::path &path, const std::string &language = {});

/// The lessons that come with the program, by number, in a language as far as they are translated. Files that cannot be
/// read are left out; a test reads them all.
std::vector<Lesson> readLessons(const std::string &language = {});

} // namespace remat
