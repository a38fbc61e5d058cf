// SPDX-License-Identifier: Apache-2.0
// The command palette in the window: its key, its field in the tool bar, what choosing a row does.
#pragma once

#include "app/studio/shell/palette/palette_items.h"
#include "app/studio/shell/workspace/feature.h"
#include "app/studio/views/search/op_index.h"
#include "app/studio/work/jobs/job_tracker.h"

#include <QObject>

namespace remat::studio {

class PaletteBox;
class Search;

/// GUI thread only.
class Palette : public QObject
{
    Q_OBJECT
public:
    Palette(const FeatureHost &host, Search &search);
    PaletteBox *box() const { return m_box; }

private:
    using Items = std::shared_ptr<const std::vector<PaletteItem>>;

    void open(const QString &text);
    void gather();
    void ask(const QString &text);
    void choose(const PaletteItem &item);
    void showCount();

    Session &m_session;
    Commands &m_commands;
    Workspace &m_workspace;
    Search &m_search;
    PaletteBox *m_box;
    OpIndex m_index;
    JobTracker m_gathering;
    std::shared_ptr<const OpenModel> m_gathered; ///< what the items are of
    Items m_items;
    QString m_problem;
};

} // namespace remat::studio
