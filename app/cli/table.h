// SPDX-License-Identifier: Apache-2.0
// Tables on standard output.
#pragma once

#include <string>
#include <vector>

namespace remat::cli {

/// Columns as wide as what is in them, two spaces apart, behind two spaces; made printable here.
class Table
{
public:
    /// Heads of the columns; those that begin with `>` are set right.
    explicit Table(const std::vector<std::string> &heads);
    /// One cell for each column.
    void add(std::vector<std::string> cells);
    void print() const;

private:
    std::vector<bool> m_right;
    std::vector<std::vector<std::string>> m_rows; ///< heads first
};

} // namespace remat::cli
