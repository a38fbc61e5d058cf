// SPDX-License-Identifier: Apache-2.0
// What each view remembers of itself (what is expanded, what is in front), under one roof: undo, sessions and presets
// save and restore all views without knowing any.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>

#include <functional>
#include <map>

namespace remat::studio {

/// GUI thread only. Views register once, at construction, and say `touch` after each change a person would want back.
class ViewStates : public QObject
{
    Q_OBJECT
public:
    explicit ViewStates(QObject *parent = nullptr) : QObject(parent) {}

    /// What a state is to the person: a look is gone back to by Back and Forward, a setting of plans is undone, and a
    /// place (where a view is scrolled to) only comes back with a session.
    enum class Part { Look, Setting, Place };
    struct Keeper {
        std::function<QJsonObject()> save;
        /// Takes what `save` gave, of this version of the program or of an older one; what is missing stays.
        std::function<void(const QJsonObject &)> restore;
        Part part = Part::Look;
    };
    /// Trail: looks; Undo: settings; Session: everything.
    enum class Use { Trail, Undo, Session };
    void add(const QString &key, Keeper keeper);

    QJsonObject save(Use use = Use::Session) const;
    void restore(const QJsonObject &states);
    /// `what` is for the history list: "Expand h.11".
    void touch(const QString &key, const QString &what);

Q_SIGNALS:
    /// Not while states are being restored.
    void touched(const QString &key, const QString &what);

private:
    std::map<QString, Keeper> m_keepers;
    bool m_restoring = false;
};

} // namespace remat::studio
