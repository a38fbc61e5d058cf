// Commands of the graph view, and its place among the view states.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QObject>

namespace remat::studio {

class GraphView;

/// GUI thread only.
class GraphCommands : public QObject
{
    Q_OBJECT
public:
    explicit GraphCommands(const FeatureHost &host);

private:
    void wire(const FeatureHost &host);
    void keepState(const FeatureHost &host);

    GraphView *m_graph;
};

} // namespace remat::studio
