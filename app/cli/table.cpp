// SPDX-License-Identifier: Apache-2.0
#include "app/cli/table.h"

#include "app/cli/output.h"

#include "core/base/text.h"

#include <algorithm>

namespace remat::cli {

namespace {

/// Characters of UTF-8: what stands beside each other in a terminal, near enough.
std::size_t widthOf(const std::string &text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }));
}

} // namespace

Table::Table(const std::vector<std::string> &heads)
{
    std::vector<std::string> names;
    for (const std::string &head : heads) {
        m_right.push_back(head.starts_with('>'));
        names.push_back(m_right.back() ? head.substr(1) : head);
    }
    add(std::move(names));
}

void Table::add(std::vector<std::string> cells)
{
    for (std::string &cell : cells)
        cell = printable(cell);
    m_rows.push_back(std::move(cells));
}

void Table::print() const
{
    std::vector<std::size_t> widths(m_right.size(), 0);
    for (const auto &row : m_rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], widthOf(row[i]));
    for (const auto &row : m_rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string room(widths[i] - widthOf(row[i]), ' ');
            line += "  ";
            line += m_right[i] ? room + row[i] : row[i] + room;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        say(stdout, "%s\n", line.c_str());
    }
}

} // namespace remat::cli
