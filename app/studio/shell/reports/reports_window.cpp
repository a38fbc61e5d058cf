// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/reports/reports_window.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/fact_grid.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/shell/reports/report_runs.h"
#include "app/studio/views/shared/verdict.h"

#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kReportsMargin = 16, kReportsList = 240;

QString nameOf(const Report &report)
{
    if (report.device == "simulated") return ReportsWindow::tr("%1, simulated device").arg(toQString(report.title));
    return toQString(report.title);
}

VerdictLook lookOf(const Report &report)
{
    if (report.passed)
        return {QStringLiteral("shield-check"), ReportsWindow::tr("Plans run on it as they say"),
                toQString(report.verdict), Token::Ok, Token::OkSoft};
    return {QStringLiteral("circle-x"), ReportsWindow::tr("Not everything held"), toQString(report.verdict),
            Token::Error, Token::ErrorSoft};
}

QString linkOf(const Report &report)
{
    if (report.linkBytesPerSecond <= 0) return ReportsWindow::tr("not measured");
    return ReportsWindow::tr("%1 a second, %2 before a copy begins")
        .arg(bytesText(static_cast<std::int64_t>(report.linkBytesPerSecond), Rounding::Down),
             timeText(report.linkLatencyUs));
}

/// Those that failed with their sentences, else their names.
QString checksOf(const Report &report)
{
    QStringList failed, names;
    for (const ReportCheck &check : report.checks) {
        names << toQString(check.name);
        if (!check.passed) failed << toQString(check.name + ": " + check.sentence);
    }
    if (!failed.isEmpty()) return failed.join(u'\n');
    return names.isEmpty() ? ReportsWindow::tr("none") : names.join(QStringLiteral(", "));
}

QString foundOf(const Report &report)
{
    QStringList there, missing;
    for (const ReportFinding &found : report.found)
        (found.there ? there : missing) << toQString(found.name);
    QString text = there.join(QStringLiteral(", "));
    if (!missing.isEmpty()) text += ReportsWindow::tr("; without %1").arg(missing.join(QStringLiteral(", ")));
    return text;
}

} // namespace

ReportsWindow::ReportsWindow(QWidget *parent)
    : QDialog(parent), m_list(new QListWidget(this)), m_verdict(new VerdictBox(this)), m_runs(new ReportRuns(this))
{
    setObjectName(QStringLiteral("reportsWindow"));
    setWindowTitle(tr("Reports of devices"));
    m_list->setObjectName(QStringLiteral("reportList"));
    m_list->setAccessibleName(windowTitle());
    m_list->setFixedWidth(kReportsList);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setWordWrap(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_verdict->setObjectName(QStringLiteral("reportVerdict"));

    auto *facts = new FactGrid;
    const auto fact = [&](const QString &what, const char *name) { return facts->add(what, name, QString(), this); };
    m_device = fact(tr("Device"), "reportDevice");
    m_link = fact(tr("Link to the host"), "reportLink");
    m_checks = fact(tr("Tried"), "reportChecks");
    m_found = fact(tr("Found"), "reportFound");

    auto *table = new QTableView(this);
    table->setObjectName(QStringLiteral("reportRuns"));
    table->setAccessibleName(tr("Plans that were run"));
    table->setModel(m_runs);
    table->setItemDelegate(new PlainDelegate(table));
    makePlain(*table);
    setWidths(*table, {0, 130, 60, 84, 80, 80, 80, 80, 80}, 130);

    auto *column = new QVBoxLayout;
    column->setSpacing(12);
    column->addWidget(m_verdict);
    column->addLayout(facts);
    column->addWidget(new Rule(this));
    column->addWidget(table, 1);
    auto *whole = new QHBoxLayout(this);
    whole->setContentsMargins(kReportsMargin, kReportsMargin, kReportsMargin, kReportsMargin);
    whole->setSpacing(kReportsMargin);
    whole->addWidget(m_list);
    whole->addLayout(column, 1);
    resize(1120, 620);
    connect(m_list, &QListWidget::currentRowChanged, this, &ReportsWindow::choose);
    for (Report &report : keptReports())
        add(std::move(report));
    m_list->setCurrentRow(0);
}

ReportsWindow &ReportsWindow::shown(QWidget &parent)
{
    auto *window = parent.findChild<ReportsWindow *>(QString(), Qt::FindDirectChildrenOnly);
    if (!window) {
        window = new ReportsWindow(&parent);
        window->setAttribute(Qt::WA_DeleteOnClose);
    }
    window->show();
    window->raise();
    return *window;
}

Expected<void> ReportsWindow::open(const QString &path, QWidget &parent)
{
    auto report = readReport(toPath(path));
    if (!report) return tl::unexpected(report.error());
    shown(parent).showReport(std::move(*report));
    return {};
}

void ReportsWindow::showReport(Report report)
{
    const std::string text = reportText(report);
    auto same = std::find_if(m_reports.begin(), m_reports.end(),
                             [&](const Report &known) { return reportText(known) == text; });
    if (same == m_reports.end()) {
        add(std::move(report));
        same = std::prev(m_reports.end());
    }
    m_list->setCurrentRow(static_cast<int>(same - m_reports.begin()));
}

void ReportsWindow::add(Report report)
{
    auto *item = new QListWidgetItem(
        Theme::instance().icon(report.passed ? QStringLiteral("shield-check") : QStringLiteral("circle-x")),
        nameOf(report), m_list);
    item->setToolTip(toQString(report.made));
    m_reports.push_back(std::move(report));
}

void ReportsWindow::choose(int row)
{
    if (row < 0) return;
    const Report &report = m_reports[static_cast<std::size_t>(row)];
    m_verdict->setLook(lookOf(report));
    m_device->setText(tr("%1, %2, by %3").arg(nameOf(report), toQString(report.made), toQString(report.writtenBy)));
    m_link->setText(linkOf(report));
    m_checks->setText(checksOf(report));
    m_found->setText(foundOf(report));
    m_runs->show(report.runs);
}

} // namespace remat::studio
