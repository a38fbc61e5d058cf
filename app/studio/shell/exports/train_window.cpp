// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/exports/train_window.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/exports/exports.h"
#include "app/studio/work/session/session.h"
#include "core/base/resources.h"
#include "core/exports/quoted.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <tuple>

namespace remat::studio {

namespace {

constexpr int kWidth = 720, kHeight = 600, kSide = 20;

/// Forms that somebody trains with; the others are for looking at.
constexpr std::array kTraining = {"python",      "inductor-partitioner", "sac-policy",
                                  "torch-remat", "torchtitan-policy",    "jax-names"};

QString figuresText(const RouteFigures &figures)
{
    return TrainWindow::tr("%1, %2 more time").arg(memoryText(figures.peakBytes), shareText(figures.overhead));
}

} // namespace

std::vector<TrainRoute> trainRoutes(const CostedModel &model, const Plan &plan)
{
    std::vector<TrainRoute> routes;
    for (const ExportFormat &format : exportFormats()) {
        if (std::find(kTraining.begin(), kTraining.end(), format.name) == kTraining.end()) continue;
        TrainRoute route{&format, {}, {}};
        const auto text = format.write({*model.open->model, *model.costs, plan, &route.figures});
        if (!text) route.problem = toQString(text.error().message);
        routes.push_back(std::move(route));
    }
    // What holds the plan itself has no figures of its own and comes first.
    const auto order = [](const TrainRoute &route) {
        return std::tuple(!route.problem.isEmpty(), route.figures.peakBytes > 0, route.figures.overhead,
                          route.figures.peakBytes);
    };
    std::stable_sort(routes.begin(), routes.end(),
                     [&](const TrainRoute &a, const TrainRoute &b) { return order(a) < order(b); });
    return routes;
}

QString trainLines(TrainPath path, std::int64_t budgetBytes)
{
    const QString head = QStringLiteral("# PYTHONPATH=%1 python3 train.py\n")
                             .arg(toQString(shellQuoted((resourceDir() / "python").string())));
    const qint64 budget = std::max<std::int64_t>(budgetBytes / kMiB, 1);
    switch (path) {
    case TrainPath::Module:
        return head + QStringLiteral("import remat_studio\n\n"
                                     "model = remat_studio.planned(model, batch, budget=\"%1MiB\")\n"
                                     "# The rest stays: Trainer(model=model, ...), accelerator.prepare(model),\n"
                                     "# DistributedDataParallel(model), or a LightningModule that holds it.")
                          .arg(budget);
    case TrainPath::Inductor:
        return head + QStringLiteral("import torch, remat_studio\n\n"
                                     "remat_studio.install(budget=\"%1MiB\")\n"
                                     "model = torch.compile(model)  # as it is today")
                          .arg(budget);
    case TrainPath::Loop:
        break;
    }
    return head + QStringLiteral("import torch, remat_studio\n\n"
                                 "def step(batch):  # model and loss together\n"
                                 "    return loss_fn(model(batch))\n\n"
                                 "step = torch.compile(step, backend=\"remat\", options={\"budget\": \"%1MiB\"})\n"
                                 "for batch in data:\n"
                                 "    step(batch).backward()\n"
                                 "    optimizer.step(), optimizer.zero_grad()")
                      .arg(budget);
}

TrainWindow::TrainWindow(const FeatureHost &host, Exports &exports)
    : QDialog(host.window), m_host(host), m_exports(exports), m_tracker(host.session.pool)
{
    setObjectName(QStringLiteral("trainWindow"));
    setWindowTitle(tr("Train with this"));
    auto *body = new QWidget(this);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(kSide, 16, kSide, 16);
    column->setSpacing(8);
    const auto say = [body](QVBoxLayout *into, const QString &text, FontRole role, Token token) {
        auto *label = new TokenLabel(text, role, token, body);
        label->setWordWrap(true);
        into->addWidget(label);
        return label;
    };
    const Document &document = host.session.document;
    say(column, tr("In your own script, under this budget"), FontRole::Name, Token::Text);
    column->addWidget(makeLines(body));

    column->addSpacing(8);
    say(column, tr("This very plan, or what other programs can take of it"), FontRole::Name, Token::Text);
    m_routes = new QVBoxLayout;
    m_routes->setSpacing(10);
    column->addLayout(m_routes);
    column->addStretch(1);
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(body);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    resize(QSize(kWidth, kHeight).boundedTo(host.window->size() - QSize(40, 40)));

    const auto model = document.model();
    const auto entry = document.currentPlan();
    if (!model || !entry) {
        say(m_routes, tr("There is no plan yet. Solve first."), FontRole::Body, Token::Text2);
        return;
    }
    say(m_routes, tr("Looking at what each takes…"), FontRole::Body, Token::Text3);
    m_tracker.start([model, entry](const Job &) { return trainRoutes(*model, *entry->plan); },
                    [this](const std::vector<TrainRoute> &routes) { showRoutes(routes); });
}

/// A choice of who runs the step, what that means, and the lines to copy.
QWidget *TrainWindow::makeLines(QWidget *body)
{
    const std::array said = {
        tr("The step is planned anew where it runs, with the same planners, and computes with PyTorch's own kernels: "
           "loss "
           "and gradients are equal to the bit."),
        tr("The model as a module with its own forward, which Trainer, Accelerate, Lightning and DDP take as it is. It "
           "computes with PyTorch's own kernels: loss and gradients are equal to the bit."),
        tr("The compiler's kernels stay, and the budget is of what they hold, which is known before one is compiled. "
           "Values "
           "agree to rounding. Add graph=\"step.json\" to open what was planned here."),
    };
    auto *part = new QWidget(body);
    auto *column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto *paths = new SegmentedControl({tr("A loop"), tr("Trainer, Lightning"), tr("Inductor's kernels")}, part);
    paths->setObjectName(QStringLiteral("trainPath"));
    paths->setAccessibleName(tr("What runs the step"));
    auto *sentence = new TokenLabel(said[0], FontRole::Body, Token::Text2, part);
    sentence->setWordWrap(true);
    auto *code = new QPlainTextEdit(part);
    code->setObjectName(QStringLiteral("trainLines"));
    code->setAccessibleName(tr("Lines for your script"));
    code->setReadOnly(true);
    code->setFont(Theme::instance().font(FontRole::Mono));
    auto *copy = new StudioButton(tr("Copy the lines"), QStringLiteral("copy"), ButtonKind::Primary, part);
    copy->setObjectName(QStringLiteral("copyTrainLines"));
    connect(copy, &QAbstractButton::clicked, this, [code] { QApplication::clipboard()->setText(code->toPlainText()); });
    const std::int64_t budget = m_host.session.document.budgetBytes();
    const auto show = [code, sentence, said, budget](int path) {
        code->setPlainText(trainLines(static_cast<TrainPath>(path), budget));
        sentence->setText(said[static_cast<std::size_t>(path)]);
    };
    connect(paths, &SegmentedControl::currentChanged, this, show);
    show(0);
    code->setFixedHeight(code->fontMetrics().lineSpacing() * (code->blockCount() + 1) + 24);
    auto *above = new QHBoxLayout;
    above->addWidget(paths);
    above->addStretch(1);
    auto *below = new QHBoxLayout;
    below->addStretch(1);
    below->addWidget(copy);
    column->addLayout(above);
    column->addWidget(sentence);
    column->addWidget(code);
    column->addLayout(below);
    return part;
}

void TrainWindow::showRoutes(const std::vector<TrainRoute> &routes)
{
    while (QLayoutItem *item = m_routes->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const auto addRoute = [this](const QString &id, const QString &title, const QString &figures,
                                 const QStringList &sentences, const std::function<void()> &write) {
        auto *part = new QWidget(this);
        part->setObjectName(QStringLiteral("route.") + id);
        auto *column = new QVBoxLayout(part);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(2);
        auto *row = new QHBoxLayout;
        row->setSpacing(8);
        auto *name = new TokenLabel(title, FontRole::Name, Token::Text, part);
        auto *value = new TokenLabel(figures, FontRole::Body, Token::Text2, part);
        value->setObjectName(QStringLiteral("route.%1.figures").arg(id));
        row->addWidget(name);
        row->addWidget(value, 1);
        if (write) {
            auto *button = new StudioButton(tr("Write…"), QStringLiteral("file-output"), ButtonKind::Plain, part);
            button->setObjectName(QStringLiteral("route.%1.write").arg(id));
            button->setAccessibleName(tr("Write %1").arg(title));
            button->setFixedHeight(26);
            connect(button, &QAbstractButton::clicked, this, write);
            row->addWidget(button);
        }
        column->addLayout(row);
        for (const QString &sentence : sentences) {
            auto *label = new TokenLabel(sentence, FontRole::Label, Token::Text2, part);
            label->setWordWrap(true);
            column->addWidget(label);
        }
        m_routes->addWidget(part);
    };
    const auto entry = m_host.session.document.currentPlan();
    const auto model = m_host.session.document.model();
    if (!entry || !model) return;
    const RouteFigures own{entry->timeline->peakBytes,
                           model->keepAllTimeUs > 0 ? entry->timeline->timeUs / model->keepAllTimeUs - 1 : 0,
                           {}};
    QAction *save = m_host.commands.action(command::kSavePlan);
    addRoute(QStringLiteral("plan"), tr("Plan file"), figuresText(own),
             {tr("The plan itself: remat_studio.read_plan(\"plan.json\").apply(model, args, loss_fn) trains the traced "
                 "model with it. Nothing is lost.")},
             [save] { save->trigger(); });
    for (const TrainRoute &route : routes) {
        QStringList sentences{toQString(route.format->sentence) + QLatin1Char('.')};
        if (!route.problem.isEmpty()) sentences = {route.problem};
        for (const std::string &lost : route.figures.lost)
            sentences << tr("Lost: %1").arg(toQString(lost));
        const QString name = toQString(route.format->name);
        addRoute(name, toQString(route.format->title),
                 !route.problem.isEmpty() ? tr("not for this plan")
                                          : figuresText(route.figures.peakBytes > 0 ? route.figures : own),
                 sentences,
                 route.problem.isEmpty() ? std::function<void()>([this, name] { m_exports.chooseForm(name); })
                                         : std::function<void()>());
    }
}

} // namespace remat::studio
