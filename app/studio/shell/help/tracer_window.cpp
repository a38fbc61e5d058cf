// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/help/tracer_window.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "core/base/resources.h"
#include "core/exports/quoted.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QVBoxLayout>

namespace remat::studio {

TracerWindow::TracerWindow(QWidget *parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("tracerWindow"));
    setWindowTitle(tr("Trace your own model"));
    const QString folder = toQString(shellQuoted((resourceDir() / "python").string()));
    const QString command = QStringLiteral("PYTHONPATH=%1 python3 -m remat_studio.trace \\\n"
                                           "    my_model.py:make -o my_model.pt2")
                                .arg(folder);
    const QString factory = QStringLiteral("# my_model.py\n"
                                           "import torch, torchvision\n\n"
                                           "def make():\n"
                                           "    model = torchvision.models.resnet50()\n"
                                           "    return model, (torch.randn(64, 3, 224, 224),)");
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 18);
    column->setSpacing(8);
    const auto code = [this, column](const QString &name, const QString &text) {
        auto *field = new QPlainTextEdit(text, this);
        field->setObjectName(name);
        field->setReadOnly(true);
        field->setFont(Theme::instance().font(FontRole::Mono));
        field->setWordWrapMode(QTextOption::WrapAnywhere);
        const int line = field->fontMetrics().lineSpacing();
        field->setFixedHeight(line * (static_cast<int>(text.count(u'\n')) + 1) + 24);
        // All of it is seen, however often it wraps: what would be scrolled is counted in lines.
        connect(field->verticalScrollBar(), &QScrollBar::rangeChanged, field, [field, line](int, int hidden) {
            if (hidden > 0) field->setFixedHeight(field->height() + line * hidden);
        });
        column->addWidget(field);
        return field;
    };
    const auto say = [this, column](const QString &text, FontRole role, Token token) {
        auto *label = new TokenLabel(text, role, token, this);
        label->setWordWrap(true);
        column->addWidget(label);
    };
    say(tr("1. A function that returns the model and what it is called with"), FontRole::Name, Token::Text);
    code(QStringLiteral("tracerFactory"), factory)->setAccessibleName(tr("Example of such a function"));
    say(tr("It may return a loss function as a third value. Without one the model's own loss is taken, or the mean of "
           "squares of its outputs."),
        FontRole::Body, Token::Text2);
    column->addSpacing(8);
    say(tr("2. The command that traces it, in an environment with PyTorch"), FontRole::Name, Token::Text);
    code(QStringLiteral("tracerCommand"), command)->setAccessibleName(tr("Command"));
    auto *row = new QHBoxLayout;
    auto *copy = new StudioButton(tr("Copy the command"), QStringLiteral("copy"), ButtonKind::Primary, this);
    copy->setObjectName(QStringLiteral("copyTracerCommand"));
    connect(copy, &QAbstractButton::clicked, this, [command] { QApplication::clipboard()->setText(command); });
    row->addStretch(1);
    row->addWidget(copy);
    column->addLayout(row);
    column->addSpacing(8);
    say(tr("3. Drop my_model.pt2 on the window."), FontRole::Name, Token::Text);
    column->addStretch(1);
    resize(640, sizeHint().height());
}

} // namespace remat::studio
