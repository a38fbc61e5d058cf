// SPDX-License-Identifier: Apache-2.0
// Commands of the graph view.
#pragma once

#include "app/studio/views/shared/view_spec.h"

namespace remat::studio {

class GraphView;

/// Lives as long as the view. GUI thread only.
class GraphCommands : public QObject
{
    Q_OBJECT
public:
    GraphCommands(const ViewHost &host, GraphView *graph);

private:
    void addWalks(const ViewHost &host);
    void addSwitches(const ViewHost &host);

    GraphView *m_graph;
};

} // namespace remat::studio
