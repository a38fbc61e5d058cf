// SPDX-License-Identifier: Apache-2.0
// A question with its answer: bar in the category's colour, question, sentences, links.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/explain/explanation.h"

class QHBoxLayout;

namespace remat::studio {

/// Hidden while there is nothing to explain. GUI thread only.
class ExplanationCard : public QWidget
{
    Q_OBJECT
public:
    explicit ExplanationCard(QWidget *parent = nullptr);
    void setExplanation(const Explanation &explanation);
    const Explanation &explanation() const { return m_explanation; }

Q_SIGNALS:
    void followed(const remat::studio::ExplanationLink &link);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Explanation m_explanation;
    IconLabel *m_icon;
    TokenLabel *m_question;
    TokenLabel *m_text;
    QWidget *m_linkRow;
    std::vector<StudioButton *> m_links;
};

} // namespace remat::studio
