// SPDX-License-Identifier: Apache-2.0
// Words of the glossary wherever they stand in the window: the mouse on one, or a key, shows what it means.
#pragma once

#include "app/studio/shell/lessons/word_card.h"
#include "app/studio/shell/workspace/feature.h"

#include <QObject>
#include <QPointer>

#include <memory>

namespace remat::studio {

/// Looks at the labels, buttons, headers of tables, tooltips and painted plots of its window, whoever made them:
/// nothing else knows of it. Everyday words (plan, model) count only inside of `lessons`. GUI thread only.
class WordHints : public QObject
{
    Q_OBJECT
public:
    /// `lessons`: the panel whose texts are read word by word.
    WordHints(const FeatureHost &host, QWidget *lessons);

    /// The words around what has the keyboard.
    void showForKeyboard();

Q_SIGNALS:
    void wanted(const QString &lesson, int step); ///< a lesson's file, and a step from 1

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    const GlossaryWords &words();
    void show(const std::vector<GlossaryWord> &found, const QString &before, WordCard::By by, const QPoint &at,
              const QRect &around);

    QWidget *m_window;
    QWidget *m_lessons;
    std::unique_ptr<GlossaryWords> m_words; ///< read when they are first looked for
    QPointer<WordCard> m_card;
};

} // namespace remat::studio
