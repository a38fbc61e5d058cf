// SPDX-License-Identifier: Apache-2.0
// The graph of the open model as nested clusters, forward and backward side by side.
#pragma once

#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/views/graph/details_strip.h"
#include "app/studio/views/graph/graph_canvas.h"
#include "app/studio/views/graph/graph_rail.h"
#include "app/studio/views/graph/graph_table.h"
#include "app/studio/views/graph/open_layouts.h"
#include "app/studio/views/graph/picture_motion.h"
#include "app/studio/work/document/document.h"
#include "app/studio/work/document/hierarchy.h"

#include <QJsonObject>
#include <QStringList>
#include <QVBoxLayout>
#include <QWidget>

#include <optional>

namespace remat::studio {

/// One place of the breadcrumb, from the model down.
struct GraphCrumb {
    QString title, path;
    bool operator==(const GraphCrumb &) const = default;
};

/// A card or frame as it stands on the widget.
struct VisibleItem {
    QString path, title;
    Side side = Side::Forward;
    ItemShape shape = ItemShape::OpCard;
    NodeState state = NodeState::Kept;
    QRectF rect;    ///< in the view's coordinates
    QRectF chevron; ///< likewise; empty when there is nothing to open or close
    bool selected = false;
};

/// Shows the document's model under its current plan; GUI thread only. Never blocks: layouts come from a process.
class GraphView : public QWidget
{
    Q_OBJECT
public:
    explicit GraphView(Document *document, QWidget *parent = nullptr);
    ~GraphView() override;

    Hierarchy hierarchy() const { return m_hierarchy; }
    void setHierarchy(Hierarchy hierarchy);

    void expand(const QString &path);
    void collapse(const QString &path);
    bool isExpanded(const QString &path) const;
    void expandAll();
    void collapseAll();
    /// Opens what is around the op, selects it and brings it into sight.
    void reveal(OpId op);
    /// The same for a cluster, as a place of the module tree names it.
    void revealPath(const QString &path);
    /// Shows another member of the run of identical clusters that `path` represents.
    void stepRun(const QString &path, int by);

    /// Opens or closes a cluster and everything below it.
    void setOpenBelow(const QString &path, bool open);
    /// Selects what the selected op reads (the last made) or what reads it (the first).
    void follow(bool towardsReaders);
    ColourBy colourBy() const { return m_scene.colourBy; }
    void setColourBy(ColourBy by);

    /// Branches of clusters stand side by side, as the layout places them, or all rows below each other.
    bool branchesBeside() const { return m_branches.on(); }
    void setBranchesBeside(bool on);
    /// The other way round for one cluster.
    void switchBranches(const QString &path);
    /// For the innermost cluster with branches around the selection, or the selected one.
    void switchBranchesHere();

    /// What is open, in which tree, coloured by what, seen how large and where.
    QJsonObject saveState() const;
    void restoreState(const QJsonObject &state);

    void fit() { m_canvas->fit(); }
    /// Centres the selection; where it is in the centre already, or there is none, shows everything.
    void frame();
    void zoomIn() { m_canvas->zoomAround(QPointF(m_canvas->width() / 2.0, m_canvas->height() / 2.0), 1.25); }
    /// Gives up on layouts that are being waited for.
    void stopLayout() { m_layouts.book().stop(); }

    /// Lights the cards that hold these ops and dims all others; none ends that.
    void setMatches(std::optional<std::vector<OpId>> ops);
    /// A strip above the picture; takes ownership.
    void addBar(QWidget *bar) { static_cast<QVBoxLayout *>(layout())->insertWidget(0, bar); }

    std::vector<VisibleItem> visibleItems() const;
    QAbstractItemModel *table() { return &m_table; }
    GraphCanvas *canvas() { return m_canvas; }
    GraphRail *rail() { return m_rail; }
    DetailsStrip *details() { return m_details; }
    MessageStrip *strip() { return m_strip; }
    LayoutBook &layouts() { return m_layouts.book(); }
    const GraphScene &scene() const { return m_scene; }
    QVector<GraphCrumb> path() const { return m_path; }
    bool layoutPending() const { return m_layouts.pending(); }

Q_SIGNALS:
    void pathChanged(const QVector<remat::studio::GraphCrumb> &path);
    /// A cluster was chosen here; empty when that ended.
    void clusterSelected(const QString &path);
    /// For the status bar: `Laying out h.11, 3 of 14 clusters`; empty when nothing is being laid out.
    void layoutProgress(const QString &text);
    void openRequested();
    void branchesBesideChanged(bool on);
    void hierarchyChanged(remat::studio::Hierarchy hierarchy);
    /// The person changed what `saveState` keeps.
    void stateTouched(const QString &what);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void takeModel();
    /// The rail stands beside the graph where that has room enough besides.
    void showRail();
    void takePlan();
    void takeSelection();
    void takeCursor();
    void takeHover();
    void takePins();
    void hoverItem(int item);
    /// Timeline of the current plan, or of keep-all; only with a model.
    const MemoryTimeline &timeline() const;
    void remakeOverlay();
    void placeDetails();
    void rebuildTree();
    void remakeFigures();
    /// Brings the picture to what is expanded, as soon as all layouts are known.
    void relayout();
    void showPicture(const OpenClusters &open);
    void updateMarks();
    void updatePath();
    double columnWidth() const;
    double widestBranches() const;

    void select(int node, Side side, bool tellDocument);
    void clearSelection();
    void toggle(int item, bool below);
    void command(GraphCommand command);
    void moveSideways(GraphCommand command);
    /// Selects an item and brings it into sight, or a frame's head; -1 stays.
    void walkTo(int item);
    void chooseRun(int run, int member);
    /// Turns the outermost closed stack around a node into its representative; true when there was one. The tree is
    /// made anew then, and with it whatever `path` refers to.
    bool unstack(const std::string &path);

    Document *m_document;
    GraphScene m_scene;
    Hierarchy m_hierarchy = Hierarchy::Modules;
    GraphExpansion m_expansion;
    GraphBranches m_branches;
    OpenLayouts m_layouts;
    PictureMotion m_motion;
    GraphTable m_table;
    GraphCanvas *m_canvas;
    GraphRail *m_rail;
    MessageStrip *m_strip;
    QWidget *m_openPanel;
    DetailsStrip *m_details;
    bool m_figuresStale = false;                            ///< the plan changed while the view was hidden
    std::optional<std::pair<double, QPointF>> m_sightAfter; ///< scale and origin for the next picture
    int m_selectedNode = -1; ///< the deepest node; what is marked is the nearest open one
    Side m_selectedSide = Side::Forward;
    bool m_selecting = false, m_revealing = false;
    QVector<GraphCrumb> m_path;
};

} // namespace remat::studio

Q_DECLARE_METATYPE(remat::studio::GraphCrumb)
