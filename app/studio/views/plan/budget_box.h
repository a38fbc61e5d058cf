// SPDX-License-Identifier: Apache-2.0
// The budget in the plan panel: field, share and slider.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/chunk_outlook.h"

#include <QLineEdit>

namespace remat::studio {

class BudgetSlider;

/// Shows and sets the document's budget.
class BudgetBox : public QWidget
{
    Q_OBJECT
public:
    explicit BudgetBox(Document *document, ChunkOutlook *chunks = nullptr, QWidget *parent = nullptr);
    void focusField();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void showBudget();
    void showModel();
    void check(bool commit);
    void setError(const QString &sentence);
    QString floorProblem() const;
    void placeShare();
    std::int64_t bytesOf(int sliderValue) const;

    Document *m_document;
    ChunkOutlook *m_chunks; ///< may be null
    QLineEdit *m_field;
    TokenLabel *m_share;
    TokenLabel *m_error;
    BudgetSlider *m_slider;
};

} // namespace remat::studio
