// SPDX-License-Identifier: Apache-2.0
// Texts that a program shows in its reader's language.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace remat {

/// Gives a text in the reader's language; `%1`, `%2` stand where figures go. Whoever takes one takes an empty one for
/// English.
using Words = std::function<std::string(const char *context, const char *text)>;

/// `words`, or what leaves every text as it is where `words` is empty.
const Words &orEnglish(const Words &words);

/// Puts figures where `%1`, `%2` … `%9` stand.
std::string filled(const std::string &text, const std::vector<std::string> &figures);

} // namespace remat
