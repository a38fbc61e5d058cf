// SPDX-License-Identifier: Apache-2.0
// All lessons, how long each takes and how far it was walked.
#pragma once

#include "core/teaching/lessons/lesson.h"

#include <QDialog>

#include <vector>

namespace remat::studio {

/// GUI thread only.
class LessonList : public QDialog
{
    Q_OBJECT
public:
    explicit LessonList(const std::vector<Lesson> &lessons, QWidget *parent = nullptr);

Q_SIGNALS:
    void wanted(const QString &path);
    void glossaryWanted();
    void puzzlesWanted();
    void storiesWanted();
    void progressWanted();
    void classPageWanted();
};

} // namespace remat::studio
