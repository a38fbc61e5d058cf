// The views over time beside the memory view, their commands, and what they remember.
#pragma once

#include "app/studio/shell/workspace/feature.h"
#include "app/studio/shell/workspace/workspace.h"

#include <QObject>

class QAction;

namespace remat::studio {

class AddressView;
class LanesView;
class MatrixView;

/// GUI thread only.
class TimeViews : public QObject
{
    Q_OBJECT
public:
    explicit TimeViews(const FeatureHost &host);

private:
    void keepMemoryState();
    void addLanes();
    void addAddresses();
    void addMatrix();
    void addMeasuring();
    QAction *addCommand(const QString &id, const QString &text, const QString &icon, const QKeySequence &key,
                        const QString &tooltip, bool checkable = false);
    /// A PlanView with a command that brings it to the front and gives it the keyboard.
    void addView(Workspace::Area area, const ViewPlace &place, const QKeySequence &key, const QString &tooltip);
    void enableActions();

    FeatureHost m_host;
    LanesView *m_lanes = nullptr;
    AddressView *m_addresses = nullptr;
    MatrixView *m_matrix = nullptr;
    QList<QAction *> m_needModel, m_needSelection;
};

} // namespace remat::studio
