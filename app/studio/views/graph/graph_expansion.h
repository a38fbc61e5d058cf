// SPDX-License-Identifier: Apache-2.0
// Which clusters of the graph are open, and which of equal ones stand for all.
#pragma once

#include "core/views/graph_tree.h"

#include <QJsonObject>

#include <optional>
#include <set>
#include <string>

namespace remat::studio {

/// Knows clusters by their paths and keeps no tree: the tree is made from its choices. Of two hierarchies it is about
/// one at a time.
class GraphExpansion
{
public:
    bool empty() const { return m_open.empty(); }
    bool isOpen(const std::string &path) const { return m_open.contains(path); }
    /// False when it was so already.
    bool open(const std::string &path) { return m_open.insert(path).second; }
    bool close(const std::string &path) { return m_open.erase(path) > 0; }
    void openAll(const GraphTree &tree);
    void closeAll() { m_open.clear(); }
    /// What a person sees at first.
    void openFirst(const GraphTree &tree);
    /// Everything that the node lies in.
    void openAround(const GraphTree &tree, int node);
    /// The node and everything below it.
    void setOpenBelow(const GraphTree &tree, int node, bool open);

    /// Which member of each run of identical clusters is shown.
    const RunChoices &choices() const { return m_choices; }
    /// Shows another member; what was open in the one is open in the other, which has the same parts.
    void choose(const Run &run, int member);
    /// The run and member to choose so that the path comes out of a closed stack; none when it lies in none.
    std::optional<std::pair<int, int>> hiddenInStack(const GraphTree &tree, const std::string &path) const;

    void swapHierarchy() { m_open.swap(m_openThere); }
    /// Another model was opened.
    void forget() { *this = {}; }

    void save(QJsonObject &state) const;
    /// What is open in the other hierarchy, and the choices; true when those changed, so that the tree is to be made
    /// anew.
    bool restoreChoices(const QJsonObject &state);
    /// What is open; clusters that the tree does not have are left out.
    void restoreOpen(const QJsonObject &state, const GraphTree &tree);

private:
    std::set<std::string> m_open, m_openThere; ///< names in this hierarchy and in the other
    RunChoices m_choices;
};

} // namespace remat::studio
