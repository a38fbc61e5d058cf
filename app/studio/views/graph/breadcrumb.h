// SPDX-License-Identifier: Apache-2.0
// Where in the model the graph is: `GPT2LMHeadModel › transformer › h.11 › mlp`.
#pragma once

#include "app/studio/views/graph/graph_view.h"

#include <QWidget>

namespace remat::studio {

/// One line of places, the last one bold. When room is short the first places go, and an ellipsis says so.
class Breadcrumb : public QWidget
{
    Q_OBJECT
public:
    explicit Breadcrumb(QWidget *parent = nullptr);
    void setPath(const QVector<GraphCrumb> &path);
    QSize sizeHint() const override { return {200, 31}; }

Q_SIGNALS:
    void chosen(const QString &path);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    struct Place {
        int crumb;
        QRect rect;
    };
    std::vector<Place> places(bool &shortened) const;
    int crumbAt(const QPoint &point) const;

    QVector<GraphCrumb> m_path;
    int m_hovered = -1;
};

} // namespace remat::studio
