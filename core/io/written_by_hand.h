// SPDX-License-Identifier: Apache-2.0
// What readers of files that people write by hand ask for besides.
#pragma once

#include "core/io/json_cursor.h"

#include <initializer_list>
#include <string>

namespace remat {

/// Marks members that no reader knows: a misspelt one would ask for nothing, silently. O(members × known).
void onlyMembers(const JsonCursor &object, std::initializer_list<const char *> known);

/// The text of a member; an empty one fails with a sentence.
std::string filledText(const JsonCursor &object, const char *key);

} // namespace remat
