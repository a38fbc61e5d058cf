// SPDX-License-Identifier: Apache-2.0
// The words that lessons explain, each with a sentence and the step where it is shown.
#pragma once

#include "core/teaching/lessons/lesson.h"

#include <QDialog>

#include <vector>

class QLineEdit;

namespace remat::studio {

class CardRow;

/// GUI thread only.
class Glossary : public QDialog
{
    Q_OBJECT
public:
    explicit Glossary(const std::vector<Lesson> &lessons, QWidget *parent = nullptr);

Q_SIGNALS:
    void wanted(const QString &lesson, int step); ///< a lesson's file, and a step from 1

private:
    void narrow(const QString &text);

    QLineEdit *m_field;
    std::vector<CardRow *> m_rows;
};

} // namespace remat::studio
