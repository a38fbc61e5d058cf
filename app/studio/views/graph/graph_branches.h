// SPDX-License-Identifier: Apache-2.0
// Which clusters show their branches side by side.
#pragma once

#include <QJsonObject>

#include <set>
#include <string>

namespace remat::studio {

/// One switch for all, and clusters that do otherwise, by their paths.
class GraphBranches
{
public:
    bool on() const { return m_on; }
    void setOn(bool on) { m_on = on; }
    bool isOtherwise(const std::string &path) const { return m_otherwise.contains(path); }
    bool isBeside(const std::string &path) const { return m_on != isOtherwise(path); }
    void toggle(const std::string &path);
    /// Another model was opened.
    void forget() { m_otherwise.clear(); }

    void save(QJsonObject &state) const;
    /// On where the state does not say, as sessions of former versions.
    void restore(const QJsonObject &state);

private:
    bool m_on = true;
    std::set<std::string> m_otherwise;
};

} // namespace remat::studio
