// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/measuring.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/views/shared/need_model.h"
#include "app/studio/views/shared/time_gestures.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/document/time_window.h"
#include "app/studio/work/session/session.h"

#include <QMainWindow>

namespace remat::studio {

Measuring::Measuring(const FeatureHost &host) : QObject(host.owner)
{
    Document *document = &host.session.document;
    TimeWindow *time = &document->time();
    QAction *measure = host.commands.add({QStringLiteral("measureRange"),
                                          Section::View,
                                          tr("Measure by dragging"),
                                          QStringLiteral("ruler"),
                                          {Qt::CTRL | Qt::ALT | Qt::Key_M},
                                          tr("A drag over a plot chooses a range, whose figures are shown"),
                                          true,
                                          true,
                                          ViewText::tr("Time and steps")});
    connect(measure, &QAction::triggered, time, &TimeWindow::setMeasuring);
    connect(time, &TimeWindow::measuringChanged, measure, [time, measure] { measure->setChecked(time->measuring()); });
    needModel(*document, {measure});
    QAction *range = host.commands.add({QStringLiteral("rangeOfSelection"),
                                        Section::View,
                                        tr("Range of the selection"),
                                        QStringLiteral("ruler"),
                                        {Qt::SHIFT | Qt::Key_R},
                                        tr("The range becomes the life of the selected storage, or the run of the op"),
                                        false,
                                        false,
                                        ViewText::tr("Time and steps")});
    connect(range, &QAction::triggered, this, [document] { rangeOfSelection(*document); });
    const auto enable = [range, document] {
        range->setEnabled(document->model() && document->selection() != Selection{});
    };
    connect(document, &Document::modelChanged, this, enable);
    connect(document, &Document::selectionChanged, this, enable);
    enable();
}

} // namespace remat::studio
