// SPDX-License-Identifier: Apache-2.0
// Back and forward through what was looked at, as in a browser: budget and plans stay as they are.
#pragma once

#include "app/studio/work/history/snapshot.h"
#include "core/views/sample_axis.h"
#include "core/views/selection.h"
#include "core/views/span.h"

#include <QElapsedTimer>

#include <memory>

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
    struct Place {
        QJsonObject views;
        AxisKind axis = AxisKind::Time;
        std::optional<Span> seen;
        Selection selection;
        bool operator==(const Place &other) const;
    };
    /// Where one model was looked at.
    struct Trail {
        std::shared_ptr<const OpenModel> model;
        std::vector<Place> places;
        std::size_t at = 0;
    };
    /// Hands over the trail of the model that is shown, before another one is; `resume` brings it back, and with none
    /// begins anew. In between nothing is noted.
    std::unique_ptr<Trail> park();
    void resume(std::unique_ptr<Trail> trail);

Q_SIGNALS:
    void changed();

private:
    Place here() const;
    void note();
    void clear();

    Session &m_session;
    std::unique_ptr<Trail> m_trail;
    QElapsedTimer m_sinceLast;
    bool m_going = false;
};

} // namespace remat::studio
