// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/compare/comparing.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/compare/compare_view.h"
#include "app/studio/work/session/session.h"
#include "core/base/file.h"

#include <QFileDialog>

namespace remat::studio {

Comparing::Comparing(const ViewHost &host, CompareView *view) : QObject(view), m_view(view), m_say(host.say)
{
    Document &document = host.session.document;
    const auto add = [&](const char *id, Section section, const QString &text, const char *icon,
                         const QKeySequence &key, const QString &tooltip, auto work) {
        QAction *action = host.commands.add({QLatin1String(id), section, text, QLatin1String(icon), {key}, tooltip});
        connect(action, &QAction::triggered, this, work);
        return action;
    };
    QAction *swap =
        add("compareSwap", Section::Plan, tr("Swap A and B"), "refresh-cw", {Qt::CTRL | Qt::ALT | Qt::Key_X},
            tr("Changes the letters of the two compared plans"), [&document] {
                std::vector<int> ids = document.compared();
                if (ids.size() < 2) return;
                std::swap(ids[0], ids[1]);
                document.setCompared(ids);
            });
    QAction *csv = add("compareCsv", Section::Plan, tr("Save differences as CSV…"), "file-output",
                       {Qt::CTRL | Qt::ALT | Qt::Key_D}, tr("Writes the rows that the table of differences shows"),
                       [this] { chooseCsvFile(); });
    const auto enable = [swap, csv, &document] {
        swap->setEnabled(document.compared().size() >= 2);
        csv->setEnabled(document.compared().size() >= 2);
    };
    connect(&document, &Document::comparedChanged, this, enable);
    enable();
    connect(m_view, &CompareView::csvRequested, csv, &QAction::trigger);
}

void Comparing::chooseCsvFile()
{
    auto *dialog = new QFileDialog(m_view->window(), tr("Save differences"));
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
    m_say(written ? Notice::news(tr("The differences are in %1.").arg(path))
                  : Notice::failure(tr("%1 Choose another folder.").arg(toQString(written.error().message))));
}

} // namespace remat::studio
