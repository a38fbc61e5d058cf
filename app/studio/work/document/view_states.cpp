// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/document/view_states.h"

namespace remat::studio {

namespace {

bool isKept(ViewStates::Part part, ViewStates::Use use)
{
    switch (use) {
    case ViewStates::Use::Trail:
        return part == ViewStates::Part::Look;
    case ViewStates::Use::Undo:
        return part == ViewStates::Part::Setting;
    case ViewStates::Use::Session:
        break;
    }
    return true;
}

} // namespace

void ViewStates::add(const QString &key, Keeper keeper)
{
    m_keepers[key] = std::move(keeper);
}

QJsonObject ViewStates::save(Use use) const
{
    QJsonObject states;
    for (const auto &[key, keeper] : m_keepers)
        if (isKept(keeper.part, use)) states[key] = keeper.save();
    return states;
}

void ViewStates::restore(const QJsonObject &states)
{
    m_restoring = true;
    for (const auto &[key, keeper] : m_keepers)
        if (states.contains(key)) keeper.restore(states[key].toObject());
    m_restoring = false;
}

void ViewStates::touch(const QString &key, const QString &what)
{
    if (!m_restoring) Q_EMIT touched(key, what);
}

} // namespace remat::studio
