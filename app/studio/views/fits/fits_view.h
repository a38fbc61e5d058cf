// SPDX-License-Identifier: Apache-2.0
// "Will it fit?": optimizer and what training takes above, what each device says below.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/fits/fits_model.h"

#include <QComboBox>
#include <QTableView>

namespace remat::studio {

/// Looks into devices while it is visible. A double-click on one that fits with a plan takes its budget; a second trace
/// with another batch brings the largest that fits. GUI thread only.
class FitsView : public QWidget
{
    Q_OBJECT
public:
    explicit FitsView(Session &session, QWidget *parent = nullptr);
    QTableView *table() const;
    const FitsModel &model() const { return *m_model; }

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *makeHead();
    QWidget *makeFoot(Session &session);
    void showNeeds();
    void showBatch();

    Document &m_document;
    TrainingCard &m_card;
    ChunkOutlook &m_chunks;
    FitsModel *m_model;
    class FitsTable *m_table;
    QComboBox *m_optimizer;
    TokenLabel *m_needs, *m_batch;
};

} // namespace remat::studio
