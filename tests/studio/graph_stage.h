// SPDX-License-Identifier: Apache-2.0
// A graph view with a model in it, for the tests of what it does.
#pragma once

#include "app/studio/views/graph/graph_view.h"
#include "tests/studio/golden.h"
#include "tests/support/costed_models.h"

#include <QPainter>
#include <QTest>

namespace remat::studio::fixture {

/// Views that look the same in every run, and move at once.
inline void prepareGraphs()
{
    qputenv("REMAT_NO_ANIMATION", "1");
    lightTheme();
}

/// A view of a model, shown and laid out.
struct GraphStage {
    explicit GraphStage(std::shared_ptr<const CostedModel> model, QSize size = {1032, 800}) : view(&document)
    {
        view.resize(size);
        view.show();
        if (model) document.setModel(std::move(model));
        if (document.model()) settle();
    }
    void settle()
    {
        QVERIFY(QTest::qWaitFor([&] { return !view.layoutPending() && !view.scene().picture.items.empty(); }, 20000));
    }
    VisibleItem item(const QString &path, Side side = Side::Forward) const
    {
        for (const VisibleItem &item : view.visibleItems())
            if (item.path == path && item.side == side) return item;
        return {};
    }
    void open(const std::vector<const char *> &paths)
    {
        for (const char *path : paths)
            view.expand(QString::fromLatin1(path));
        settle();
    }
    bool shows(const QString &path, Side side = Side::Forward) const { return !item(path, side).rect.isNull(); }
    void click(QPointF position)
    {
        QTest::mouseClick(view.canvas(), Qt::LeftButton, {}, (position - view.canvas()->pos()).toPoint());
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(view.canvas(), key, modifiers);
        settle();
    }
    QString selected() const
    {
        for (const VisibleItem &item : view.visibleItems())
            if (item.selected) return item.title;
        return {};
    }

    Document document;
    GraphView view;
};

inline const QString kBlock = QStringLiteral("model.h.5");
inline const QString kMlp = QStringLiteral("model.h.5.mlp");

inline std::shared_ptr<const CostedModel> layers(int count)
{
    return test::costedModel(test::layeredGraph(count));
}

/// Inception cells, heads and experts.
inline std::shared_ptr<const CostedModel> branched()
{
    auto model = test::loadSample("branches");
    if (!model) return nullptr;
    for (Op &op : model->graph.ops)
        op.timeUs = 10;
    return test::costedModel(std::move(model->graph));
}

/// What a frame of the graph is measured against in the same run: as many cards and names as fill the picture.
inline void paintCards(QImage &image)
{
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int card = 0; card < 200; ++card) {
        const QRect place(card % 8 * 60, card / 8 * 20, 56, 18);
        painter.drawRoundedRect(place, 4, 4);
        painter.drawText(place, Qt::AlignCenter, QStringLiteral("card %1").arg(card));
    }
}
inline constexpr double kMostReferences = 12;

inline OpId firstOp(const Graph &graph, const std::string &module, const std::string &kind)
{
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (graph.ops[i].module == module && graph.ops[i].kind == kind) return OpId(i);
    return {};
}

} // namespace remat::studio::fixture
