// SPDX-License-Identifier: Apache-2.0
// The texts of a lesson: where each stands, and the same lesson in another language.
#pragma once

#include "core/teaching/lessons/lesson.h"
#include "core/teaching/lessons/texts.h"

namespace remat {

/// Visits every text of the lesson that people read, in the order of the file.
void eachText(Lesson &lesson, const TextVisitor &visit);

/// The lesson in a language, as far as it is translated; `en`, an empty language and one without a translation that can
/// be read leave it as it is.
void translateLesson(Lesson &lesson, const std::string &language);

} // namespace remat
