// SPDX-License-Identifier: Apache-2.0
// Card and optimizer at the top of the plan panel, and whether training fits there.
#pragma once

#include "app/studio/work/jobs/model_loader.h"
#include "app/studio/work/jobs/quick_planner.h"

#include <QComboBox>

namespace remat::studio {

class StudioButton;
class TokenLabel;
class TrainingCard;

/// Choosing a card sets the budget to what it leaves and, unless costs were measured, takes its costs. One sentence
/// says whether training fits as it is, with a plan and at which added time, or not, and why.
class CardBox : public QWidget
{
    Q_OBJECT
public:
    CardBox(Document *document, ModelLoader *loader, TrainingCard *card, QThreadPool *pool, QWidget *parent = nullptr);
    QComboBox *cards() const { return m_cards; }
    QComboBox *optimizers() const { return m_optimizers; }

private:
    void fill();
    void choose(int row);
    void takeTyped();
    void useBudget();
    void showVerdict();
    /// Looks for a quick plan within what the card leaves, where none of the list is.
    void look(std::int64_t leftBytes);
    QString fitsSentence(std::int64_t leftBytes);

    Document *m_document;
    ModelLoader *m_loader;
    TrainingCard *m_card;
    QComboBox *m_cards, *m_optimizers;
    TokenLabel *m_sentence;
    StudioButton *m_use;
    JobTracker m_tracker;
    std::int64_t m_lookedBytes = 0; ///< what a quick plan was looked for within
    std::optional<double> m_found;  ///< its overhead; none when there is none
};

} // namespace remat::studio
