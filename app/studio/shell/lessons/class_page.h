// SPDX-License-Identifier: Apache-2.0
// The page for lecturers: what to click in a class, and what students will ask.
#pragma once

#include <QDialog>

namespace remat::studio {

/// Shows `lessons/CLASS.md` of the resources, in the window's language where it is there; `memory:1` in it is a link
/// that opens the step. Stays open beside the window. GUI thread only.
class ClassPage : public QDialog
{
    Q_OBJECT
public:
    explicit ClassPage(QWidget *parent = nullptr);

Q_SIGNALS:
    void wanted(const QString &lesson, int step); ///< a lesson's name, and a step from 1

private:
    void follow(const QString &target);
};

} // namespace remat::studio
