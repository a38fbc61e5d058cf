// SPDX-License-Identifier: Apache-2.0
// Names from files as text of other languages: one function for each. HTML is in html.h, CSV in core/io/csv.h.
#pragma once

#include <string>
#include <string_view>

namespace remat {

/// A string literal of Python that stands for exactly this text; U+FFFD for bytes that are not UTF-8.
std::string pythonQuoted(std::string_view text);

/// What may stand between the quotation marks of a docstring: the text on one line.
std::string inDocstring(std::string_view text);

/// A quoted string of Graphviz that shows this text; line feeds begin a new line of a label.
std::string dotQuoted(std::string_view text);

/// One word of a POSIX shell, on one line; quoted only where it must be.
std::string shellQuoted(std::string_view text);

} // namespace remat
