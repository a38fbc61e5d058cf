// SPDX-License-Identifier: Apache-2.0
// Pieces of a page of HTML.
#pragma once

#include <string>
#include <vector>

namespace remat::html {

/// Text as it may stand between tags and in attributes.
std::string escaped(const std::string &text);

/// A cell; numbers stand at the right.
struct Cell {
    std::string text;
    bool number = false;
};
std::string table(const std::vector<Cell> &head, const std::vector<std::vector<Cell>> &rows);
std::string section(const std::string &title, const std::string &body);
/// What a page has besides its text; both are the program's own, never from a file.
struct PageParts {
    std::string style;  ///< after that of all pages
    std::string script; ///< runs at the end of the page; none: the page may run nothing
};
/// A whole page with its style: light or dark as the reader's system is, and fit to be printed. It may fetch nothing.
std::string page(const std::string &title, const std::string &body, const PageParts &parts = {});

} // namespace remat::html
