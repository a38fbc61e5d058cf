// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/shared/other_batch.h"

#include "app/studio/base/text/text.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>

namespace remat::studio {

namespace {

struct OtherBatchText {
    Q_DECLARE_TR_FUNCTIONS(OtherBatch)
};

} // namespace

void askForOtherBatch(Session &session, QWidget &asker)
{
    const auto model = session.document.model();
    if (!model) return;
    auto *dialog = new QFileDialog(asker.window(), OtherBatchText::tr("A trace of the same step with another batch"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(OtherBatchText::tr("Models (*.pt2 *.json)"));
    dialog->setDirectory(QFileInfo(toQString(model->open->model->path)).absolutePath());
    QObject::connect(dialog, &QFileDialog::fileSelected, &session.batches, &BatchOutlook::open);
    dialog->open();
}

} // namespace remat::studio
