// Back and forward through what was looked at, as in a browser: budget and plans stay as they are.
#pragma once

#include "app/studio/history/snapshot.h"

#include <QElapsedTimer>

namespace remat::studio {

struct Session;

/// Remembers views, part of the time axis and selection. GUI thread only.
class ViewTrail : public QObject
{
    Q_OBJECT
public:
    static constexpr int kMost = 100; ///< places
    explicit ViewTrail(Session &session, QObject *parent = nullptr);

    bool canGo(int by) const;
    /// -1 back, 1 forward; nothing at the ends.
    void go(int by);

Q_SIGNALS:
    void changed();

private:
    struct Place {
        QJsonObject views;
        AxisKind axis = AxisKind::Time;
        std::optional<Span> seen;
        Selection selection;
        bool operator==(const Place &other) const;
    };
    Place here() const;
    void note();
    void clear();

    Session &m_session;
    std::shared_ptr<const OpenModel> m_model;
    std::vector<Place> m_places;
    std::size_t m_at = 0;
    QElapsedTimer m_sinceLast;
    bool m_going = false;
};

} // namespace remat::studio
