// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_branches.h"

#include "app/studio/base/text/text.h"

#include <QJsonArray>

namespace remat::studio {

namespace {

const QString kBranches = QStringLiteral("branches");
const QString kOtherwise = QStringLiteral("branchesOtherwise");

} // namespace

void GraphBranches::toggle(const std::string &path)
{
    if (m_otherwise.erase(path) == 0) m_otherwise.insert(path);
}

void GraphBranches::save(QJsonObject &state) const
{
    QJsonArray paths;
    for (const std::string &path : m_otherwise)
        paths.append(toQString(path));
    state[kBranches] = m_on;
    state[kOtherwise] = paths;
}

void GraphBranches::restore(const QJsonObject &state)
{
    m_on = state[kBranches].toBool(true);
    m_otherwise.clear();
    for (const QJsonValue &path : state[kOtherwise].toArray())
        m_otherwise.insert(path.toString().toStdString());
}

} // namespace remat::studio
