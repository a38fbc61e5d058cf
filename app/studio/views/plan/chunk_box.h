// SPDX-License-Identifier: Apache-2.0
// What may run in chunks: decided by the plan, or by hand.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/work/jobs/solve_job.h"

#include <QComboBox>
#include <QJsonObject>
#include <QLineEdit>

namespace remat::studio {

/// A choice, below it what is written by hand: names of what runs in chunks, and of ops that never do.
class ChunkBox : public QWidget
{
    Q_OBJECT
public:
    explicit ChunkBox(QWidget *parent = nullptr);

    enum class Choice { IfNeeded, Automatic, ByHand, Off };
    Choice choice() const { return static_cast<Choice>(m_choice->currentIndex()); }
    void setChoice(Choice choice) { m_choice->setCurrentIndex(static_cast<int>(choice)); }
    /// Names of ops that run in no chunks.
    QStringList whole() const;
    void setWhole(const QStringList &ops);
    /// Sets what a solve may run in chunks.
    void tell(SolveSettings &settings) const;
    /// `choice` and `whole`; what does not exist is passed over.
    QJsonObject saveState() const;
    void restoreState(const QJsonObject &state);

Q_SIGNALS:
    /// For the history list: `Chunks: Off`.
    void stateChanged(const QString &what);
    /// `head=8`: the model is to be opened so.
    void chunksWanted(const QString &names);

private:
    QLineEdit *makeField(const QString &name, const QString &example);
    void showRows();

    QComboBox *m_choice;
    QLineEdit *m_names, *m_whole;
    QWidget *m_namesRow, *m_wholeRow;
};

} // namespace remat::studio
