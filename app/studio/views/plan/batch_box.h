// SPDX-License-Identifier: Apache-2.0
// The batch beside the budget: what other numbers of samples would take.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/work/session/session.h"

class QSlider;
class QSpinBox;

namespace remat::studio {

/// Asks for a second trace. With one, the batch is dragged like the budget: what keep-all takes, what a plan within the
/// budget costs, and the largest batches that fit. A length, where the traces differ in that, likewise.
class BatchBox : public QWidget
{
    Q_OBJECT
public:
    explicit BatchBox(Session &session, QWidget *parent = nullptr);

private:
    void show();
    QString figuresText() const;
    QString limitsText() const;

    Document *m_document;
    BatchOutlook *m_batches;
    TokenLabel *m_name, *m_figures, *m_limits;
    QSlider *m_slider;
    QSpinBox *m_field;
    StudioButton *m_ask;
};

} // namespace remat::studio
