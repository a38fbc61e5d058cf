// SPDX-License-Identifier: Apache-2.0
// Reports of real devices, as `remat doctor` wrote them, in a window beside the main one.
#pragma once

#include "core/io/report_json.h"

#include <QDialog>

class QListWidget;

namespace remat::studio {

class ReportRuns;
class TokenLabel;
class VerdictBox;

/// The reports that came with the program and those that a person opened; of the chosen one the verdict, the device,
/// its link, what was tried, and each plan that was run. GUI thread only.
class ReportsWindow : public QDialog
{
    Q_OBJECT
public:
    explicit ReportsWindow(QWidget *parent);

    /// Shows the window of `parent`, made where there is none.
    static ReportsWindow &shown(QWidget &parent);
    /// Reads a report and shows it there; the one that is there already where it is the same. Fails with a sentence
    /// where there is nothing to show.
    static Expected<void> open(const QString &path, QWidget &parent);

private:
    void showReport(Report report);
    void add(Report report);
    void choose(int row);

    std::vector<Report> m_reports;
    QListWidget *m_list;
    VerdictBox *m_verdict;
    TokenLabel *m_device, *m_link, *m_checks, *m_found;
    ReportRuns *m_runs;
};

} // namespace remat::studio
