// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/help/about_window.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/fact_grid.h"
#include "core/base/version.h"
#include "gpu/torch_location.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QSysInfo>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

QString torchText()
{
    const auto place = chooseTorch(torchPlaces());
    if (!place) return toQString(place.error().message);
    return AboutWindow::tr("%1 in %2")
        .arg(place->version.empty() ? AboutWindow::tr("unknown version") : toQString(place->version),
             toQString(place->folder.string()));
}

} // namespace

QList<QPair<QString, QString>> aboutFacts()
{
    return {{AboutWindow::tr("Version"), toQString(programVersion())},
            {AboutWindow::tr("Licence"), AboutWindow::tr("Apache 2.0; parts of others are named in the manual")},
            {QStringLiteral("PyTorch"), torchText()},
            {QStringLiteral("Qt"), QString::fromLatin1(qVersion())},
            {AboutWindow::tr("System"), QSysInfo::prettyProductName() + u' ' + QSysInfo::currentCpuArchitecture()}};
}

AboutWindow::AboutWindow(QWidget *parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("aboutWindow"));
    setWindowTitle(tr("About Remat Studio"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 18);
    column->setSpacing(14);
    auto *head = new QHBoxLayout;
    head->setSpacing(12);
    head->addWidget(new IconLabel(QStringLiteral("layers"), 40, Token::Accent, this));
    head->addWidget(new TokenLabel(tr("Remat Studio"), FontRole::PageTitle, Token::Text, this), 1);
    column->addLayout(head);
    auto *grid = new FactGrid;
    QStringList lines;
    for (const auto &[what, text] : aboutFacts()) {
        const QString name = QStringLiteral("about.%1").arg(lines.size());
        grid->add(what, qPrintable(name), text, this);
        lines << QStringLiteral("%1: %2").arg(what, text);
    }
    column->addLayout(grid);
    column->addStretch(1);
    auto *row = new QHBoxLayout;
    row->addStretch(1);
    auto *copy = new StudioButton(tr("Copy"), QStringLiteral("copy"), ButtonKind::Plain, this);
    copy->setObjectName(QStringLiteral("copyAbout"));
    connect(copy, &QAbstractButton::clicked, this, [lines] { QApplication::clipboard()->setText(lines.join(u'\n')); });
    auto *close = new StudioButton(tr("Close"), {}, ButtonKind::Primary, this);
    connect(close, &QAbstractButton::clicked, this, &QDialog::accept);
    row->addWidget(copy);
    row->addWidget(close);
    column->addLayout(row);
    resize(560, sizeHint().height());
}

} // namespace remat::studio
