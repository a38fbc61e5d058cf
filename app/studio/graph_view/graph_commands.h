// Commands of the graph view, and its place among the view states.
#pragma once

#include "app/studio/window/feature.h"

#include <QKeySequence>
#include <QObject>

class QAction;

namespace remat::studio {

class GraphView;

/// GUI thread only.
class GraphCommands : public QObject
{
    Q_OBJECT
public:
    explicit GraphCommands(const FeatureHost &host);

private:
    QAction *add(const FeatureHost &host, const char *id, const QString &text, const QString &icon,
                 const QKeySequence &key, const QString &tooltip, bool checkable = false);
    void wire(const FeatureHost &host);
    void keepState(const FeatureHost &host);

    GraphView *m_graph;
    QList<QAction *> m_needModel;
};

} // namespace remat::studio
