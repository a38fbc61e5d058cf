#include "app/studio/shell/features/comparing.h"

#include "app/studio/base/text/text.h"
#include "app/studio/shell/workspace/left_panel.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/compare/compare_view.h"
#include "app/studio/views/compare/summary_view.h"
#include "app/studio/views/plans/plans_table.h"
#include "core/base/file.h"

#include <QFileDialog>

namespace remat::studio {

namespace {

const QString &viewId()
{
    static const QString id = QStringLiteral("compare");
    return id;
}

} // namespace

Comparing::Comparing(const FeatureHost &host)
    : QObject(host.window),
      m_host(host),
      m_view(new CompareView(&host.session.document)),
      m_summary(new SummaryView(&host.session.document, m_view))
{
    Document &document = host.session.document;
    host.workspace.addView(
        Workspace::Area::Center,
        {viewId(), tr("Compare"), QStringLiteral("git-compare"), m_view, m_view->header(), m_view->canvas(), {}});
    host.workspace.addView(
        Workspace::Area::Right,
        {QStringLiteral("summary"), tr("Summary"), QStringLiteral("git-compare"), m_summary, nullptr, m_summary, {}});

    const auto command = [&](const char *id, Section section, const QString &text, const char *icon,
                             const QKeySequence &key, const QString &tooltip, auto work) {
        QAction *action = host.commands.add({QLatin1String(id), section, text, QLatin1String(icon), {key}, tooltip});
        connect(action, &QAction::triggered, this, work);
        return action;
    };
    QAction *show = command("showCompare", Section::View, tr("Compare"), "git-compare", {Qt::ALT | Qt::Key_7},
                            tr("Lays plans over each other in the centre"), [this] {
                                m_host.workspace.showView(QStringLiteral("summary"));
                                m_host.workspace.showView(viewId());
                            });
    QAction *swap =
        command("compareSwap", Section::Plan, tr("Swap A and B"), "refresh-cw", {Qt::CTRL | Qt::ALT | Qt::Key_X},
                tr("Changes the letters of the two compared plans"), [&document] {
                    std::vector<int> ids = document.compared();
                    if (ids.size() < 2) return;
                    std::swap(ids[0], ids[1]);
                    document.setCompared(ids);
                });
    QAction *csv = command("compareCsv", Section::File, tr("Save differences as CSV…"), "file-output",
                           {Qt::CTRL | Qt::ALT | Qt::Key_D}, tr("Writes the rows that the table of differences shows"),
                           [this] { chooseCsvFile(); });
    const auto enable = [show, swap, csv, &document] {
        show->setEnabled(document.model() != nullptr);
        swap->setEnabled(document.compared().size() >= 2);
        csv->setEnabled(document.compared().size() >= 2);
    };
    connect(&document, &Document::modelChanged, this, enable);
    connect(&document, &Document::comparedChanged, this, enable);
    enable();

    connect(m_view, &CompareView::csvRequested, csv, &QAction::trigger);
    connect(m_view, &CompareView::openRequested, host.commands.action(Command::Open), &QAction::trigger);
    connect(m_view, &CompareView::solveRequested, host.commands.action(Command::Solve), &QAction::trigger);
    connect(host.workspace.leftPanel()->plans(), &PlansTable::compareWanted, show, &QAction::trigger);
    ViewStates &states = host.session.viewStates;
    states.add(viewId(), {[this] { return m_view->saveState(); },
                          [this](const QJsonObject &state) { m_view->restoreState(state); }});
    connect(m_view, &CompareView::touched, this, [&states](const QString &change) { states.touch(viewId(), change); });
    // Features that come later may bring a report.
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (QAction *report = m_host.commands.find(QStringLiteral("report"))) m_summary->addAction(report);
        },
        Qt::QueuedConnection);
}

void Comparing::chooseCsvFile()
{
    auto *dialog = new QFileDialog(m_host.window, tr("Save differences"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Tables (*.csv)"));
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile(QStringLiteral("differences.csv"));
    connect(dialog, &QFileDialog::fileSelected, this, &Comparing::saveCsv);
    dialog->open();
}

void Comparing::saveCsv(const QString &path)
{
    const auto written = writeFileAtomically(toPath(path), m_view->table()->csv().toStdString());
    Notice notice;
    notice.isError = !written;
    notice.sentence = written ? tr("The differences are in %1.").arg(path)
                              : tr("%1 Choose another folder.").arg(toQString(written.error().message));
    m_host.say(notice);
}

} // namespace remat::studio
