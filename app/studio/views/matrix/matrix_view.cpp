// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/matrix/matrix_view.h"

#include "app/studio/base/text/text.h"

#include <QHBoxLayout>

namespace remat::studio {

MatrixView::MatrixView(Document *document) : MatrixView(document, new MatrixCanvas(document)) {}

MatrixView::MatrixView(Document *document, MatrixCanvas *canvas)
    : PlanView(
          document, canvas, QStringLiteral("grid-3x3"),
          tr("Open a model to see what is computed and what is kept from one op of the training step to the next.")),
      m_canvas(canvas),
      m_table(new MatrixTable(m_canvas, this)),
      m_header(new QWidget(this)),
      m_summary(new TokenLabel({}, FontRole::Label, Token::Text2, m_header)),
      m_columns(new SegmentedControl({tr("All ops"), tr("Forward")}, m_header))
{
    auto *row = new QHBoxLayout(m_header);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(8);
    row->addWidget(m_summary, 1);
    row->addWidget(m_columns);
    m_columns->setToolTip(tr("Which ops are columns"));
    m_columns->setAccessibleName(tr("Which ops are columns"));
    m_header->hide();
    connect(m_columns, &SegmentedControl::currentChanged, this, [this](int index) {
        m_canvas->setForwardOnly(index == 1);
        Q_EMIT columnsChanged();
    });
}

void MatrixView::takeScene()
{
    PlanView::takeScene();
    const MatrixScene &scene = m_canvas->scene();
    m_summary->setText(document()->model()
                           ? tr("%1 slots, %2 ops · %3 computed again")
                                 .arg(countText(scene.rows), countText(static_cast<std::int64_t>(scene.columns.size())),
                                      countText(scene.recomputations))
                           : QString());
    m_canvas->setAccessibleDescription(m_summary->text());
}

} // namespace remat::studio
