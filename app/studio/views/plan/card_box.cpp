// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/card_box.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/work/document/training_card.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace remat::studio {

namespace {

constexpr int kComboHeight = 30;
const QString kNoCard = QStringLiteral("\n.none"), kTyped = QStringLiteral("\n.typed");

/// Cards that people train on first, then what they rent, then what is small.
enum class CardGroup : std::uint8_t { Consumer, DataCenter, Edge, Microcontroller };

CardGroup groupOf(const Device &device)
{
    constexpr std::int64_t kSmall = 16 * kMiB;
    if (device.memoryBytes < kSmall) return CardGroup::Microcontroller;
    const auto named = [&](const char *part) { return device.title.find(part) != std::string::npos; };
    if (named("GeForce") || named("NVIDIA RTX") || named("Radeon") || named("Apple")) return CardGroup::Consumer;
    const bool edge = named("Jetson") || named("Pi") || named("Laptop");
    return edge ? CardGroup::Edge : CardGroup::DataCenter;
}

QString titleOf(CardGroup group)
{
    switch (group) {
    case CardGroup::Consumer:
        return CardBox::tr("Desktop and workstation");
    case CardGroup::DataCenter:
        return CardBox::tr("Data centre");
    case CardGroup::Edge:
        return CardBox::tr("Laptop and edge");
    case CardGroup::Microcontroller:
        break;
    }
    return CardBox::tr("Microcontrollers");
}

} // namespace

CardBox::CardBox(Document *document, ModelLoader *loader, TrainingCard *card, QThreadPool *pool, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_loader(loader),
      m_card(card),
      m_cards(new QComboBox(this)),
      m_optimizers(new QComboBox(this)),
      m_sentence(new TokenLabel({}, FontRole::Body, Token::Text2, this)),
      m_use(new StudioButton({}, QStringLiteral("arrow-down-to-line"), ButtonKind::Plain, this)),
      m_tracker(*pool)
{
    m_cards->setObjectName(QStringLiteral("card"));
    m_cards->setAccessibleName(tr("Card"));
    m_cards->setToolTip(tr("What you train on. Choose a card, or type any memory, such as 8 GB."));
    m_cards->setEditable(true);
    m_cards->setInsertPolicy(QComboBox::NoInsert);
    m_cards->lineEdit()->setPlaceholderText(tr("Choose, or type 8 GB"));
    m_cards->lineEdit()->setAcceptDrops(false);
    m_optimizers->setObjectName(QStringLiteral("cardOptimizer"));
    m_optimizers->setAccessibleName(tr("Optimizer"));
    m_optimizers->setToolTip(tr("Its states lie on the card beside the step, unless the step that is open holds them"));
    for (QComboBox *box : {m_cards, m_optimizers}) {
        box->setFixedHeight(kComboHeight);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    }
    for (const KnownOptimizer &known : knownOptimizers())
        m_optimizers->addItem(known.title ? QString::fromLatin1(known.title) : tr("No optimizer"),
                              QString::fromLatin1(known.name));
    m_sentence->setObjectName(QStringLiteral("cardVerdict"));
    m_sentence->setWordWrap(true);
    m_use->setObjectName(QStringLiteral("cardBudget"));
    m_use->setFixedHeight(28);

    auto *grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    const auto addRow = [&](int row, const QString &label, QComboBox *box) {
        auto *text = new TokenLabel(label, FontRole::Body, Token::Text2, this);
        text->setBuddy(box);
        grid->addWidget(text, row, 0);
        grid->addWidget(box, row, 1);
    };
    addRow(0, tr("Card"), m_cards);
    addRow(1, tr("Optimizer"), m_optimizers);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(grid);
    column->addWidget(m_sentence);
    column->addWidget(m_use);

    connect(m_cards, &QComboBox::activated, this, &CardBox::choose);
    connect(m_cards->lineEdit(), &QLineEdit::editingFinished, this, &CardBox::takeTyped);
    connect(m_optimizers, &QComboBox::activated, this,
            [this](int row) { m_card->setOptimizer(knownOptimizers()[static_cast<std::size_t>(row)]); });
    connect(m_use, &QAbstractButton::clicked, this, &CardBox::useBudget);
    connect(m_card, &TrainingCard::changed, this, &CardBox::fill);
    connect(m_document, &Document::pinsChanged, this, [this] {
        m_lookedBytes = 0; // what was found may decide otherwise
        showVerdict();
    });
    for (const auto signal : {&Document::budgetChanged, &Document::currentPlanChanged, &Document::plansChanged})
        connect(m_document, signal, this, &CardBox::showVerdict);
    fill();
}

void CardBox::fill()
{
    m_lookedBytes = 0;
    m_tracker.cancel();
    const QSignalBlocker quiet(m_cards), quietToo(m_optimizers);
    m_cards->clear();
    std::array<std::vector<const Device *>, 4> groups;
    for (const Device &device : m_loader->devices())
        if (device.name != "reference") groups[static_cast<std::size_t>(groupOf(device))].push_back(&device);
    for (std::size_t group = 0; group < groups.size(); ++group) {
        if (groups[group].empty()) continue;
        m_cards->addItem(titleOf(static_cast<CardGroup>(group)), QString());
        if (auto *items = qobject_cast<QStandardItemModel *>(m_cards->model()))
            items->item(m_cards->count() - 1)->setEnabled(false);
        for (const Device *device : groups[group])
            m_cards->addItem(toQString(device->title), toQString(device->name));
    }
    m_cards->insertSeparator(m_cards->count());
    m_cards->addItem(tr("Other: type its memory"), kTyped);
    m_cards->addItem(tr("No card"), kNoCard);
    const auto &card = m_card->card();
    m_cards->setCurrentIndex(card && !card->name.empty() ? m_cards->findData(toQString(card->name)) : -1);
    m_cards->setEditText(card ? card->title : QString());
    m_optimizers->setCurrentIndex(m_optimizers->findData(QString::fromLatin1(m_card->optimizer().name)));
    showVerdict();
}

void CardBox::choose(int row)
{
    const QString item = m_cards->itemData(row).toString();
    if (item == kTyped) {
        m_cards->setEditText(QString());
        m_cards->lineEdit()->setFocus();
        return;
    }
    if (item == kNoCard) return m_card->setCard({});
    const auto &devices = m_loader->devices();
    const auto device =
        std::find_if(devices.begin(), devices.end(), [&](const Device &each) { return toQString(each.name) == item; });
    if (device == devices.end()) return fill();
    m_card->setCard(CardModel{device->name, toQString(device->title), device->memoryBytes});
    useBudget();
    if (m_document->model() && !m_loader->costChoice().profile) m_loader->useDevice(item);
}

void CardBox::takeTyped()
{
    const QString text = m_cards->currentText();
    const auto &card = m_card->card();
    if (text.trimmed().isEmpty() || (card && text == card->title)) return fill();
    if (m_cards->findText(text) >= 0) return choose(m_cards->findText(text));
    if (auto other = TrainingCard::otherCard(text)) {
        m_card->setCard(std::move(*other));
        useBudget();
    } else {
        m_sentence->setText(tr("%1 is no memory of a card. Write it like 8 GB.").arg(text.left(40)));
        m_sentence->setToken(Token::Error);
        m_sentence->show();
    }
}

void CardBox::useBudget()
{
    const auto model = m_document->model();
    const auto &card = m_card->card();
    if (!model || !card) return;
    const std::int64_t left = m_card->leftOn(card->memoryBytes);
    // More than keep-all takes buys nothing.
    if (left > 0) m_document->moveBudget(std::min(left, model->keepAllPeakBytes));
}

QString CardBox::fitsSentence(std::int64_t left)
{
    const CostedModel &model = *m_document->model();
    const FitNeeds &needs = *m_card->needs();
    const QString room = bytesText(left, Rounding::Down);
    if (left <= 0)
        return tr("Cannot fit: parameters, inputs and states alone take %1.")
            .arg(memoryText(needs.residentBytes + needs.optimizerBytes));
    if (needs.gradientsBytes + needs.updateBytes > left)
        return tr("Cannot fit: the update alone takes %1 for gradients and temporaries, and %2 are left.")
            .arg(memoryText(needs.gradientsBytes + needs.updateBytes), room);
    if (needs.stepBytes <= left)
        return tr("Fits as it is: %1 of %2.")
            .arg(memoryText(needs.neededBytes()), memoryText(m_card->card()->memoryBytes));
    if (model.floor.bytes > left)
        return model.floor.op ? tr("Cannot fit: %1 alone needs %2, and %3 are left for the step.")
                                    .arg(OpLabels(model.graph()).op(model.graph(), model.floor.op),
                                         memoryText(model.floor.bytes), room)
                              : tr("Cannot fit: the results alone need %1, and %2 are left for the step.")
                                    .arg(memoryText(model.floor.bytes), room);
    std::shared_ptr<const PlanEntry> best;
    for (const auto &plan : m_document->plans())
        if (plan->timeline->peakBytes <= left && verdictOf(*plan, 0).level != VerdictLevel::Failed &&
            (!best || plan->timeline->timeUs < best->timeline->timeUs))
            best = plan;
    std::optional<double> overhead;
    if (best) overhead = best->timeline->timeUs / model.keepAllTimeUs - 1;
    if (m_lookedBytes == left && m_found && (!overhead || *m_found < *overhead)) overhead = m_found;
    if (overhead)
        return best && !best->quick ? tr("Fits at %1 more time.").arg(shareText(*overhead))
                                    : tr("Fits at %1 more time or less: Solve.").arg(shareText(*overhead));
    if (m_lookedBytes == left && !m_tracker.running()) return tr("No quick plan fits: Solve looks longer.");
    look(left);
    return tr("Looking for a plan…");
}

void CardBox::look(std::int64_t left)
{
    if (m_lookedBytes == left && m_tracker.running()) return;
    m_lookedBytes = left;
    m_found.reset();
    m_tracker.start([model = m_document->model(), left, pins = m_document->pins()](
                        const Job &job) { return makeQuickPlan(*model, left, pins, 0, 0, job.stop()); },
                    [this, model = m_document->model()](const QuickPlan &quick) {
                        if (model != m_document->model()) return;
                        if (quick.entry) m_found = quick.entry->timeline->timeUs / model->keepAllTimeUs - 1;
                        showVerdict();
                    });
}

void CardBox::showVerdict()
{
    const auto model = m_document->model();
    const auto &card = m_card->card();
    const bool asked = model && card && m_card->needs();
    m_sentence->setVisible(asked);
    m_use->setVisible(false);
    if (!asked) {
        m_tracker.cancel();
        m_lookedBytes = 0;
        return;
    }
    const std::int64_t left = m_card->leftOn(card->memoryBytes);
    const FitNeeds &needs = *m_card->needs();
    const QString sentence = fitsSentence(left);
    const bool cannot = left < model->floor.bytes || needs.gradientsBytes + needs.updateBytes > left;
    m_sentence->setText(sentence);
    m_sentence->setToken(cannot ? Token::Error : needs.stepBytes <= left ? Token::Ok : Token::Text);
    m_sentence->setToolTip(
        tr("%1 of %2 are left for the step, beside parameters and inputs (%3), states of the optimizer "
           "(%4) and %5 that stay free.")
            .arg(bytesText(left, Rounding::Down), memoryText(card->memoryBytes), memoryText(needs.residentBytes),
                 memoryText(needs.optimizerBytes), shareText(kFitReserve)));
    const std::int64_t budget = std::min(left, model->keepAllPeakBytes);
    m_use->setVisible(!cannot && budget != m_document->budgetBytes());
    m_use->setText(tr("Budget: the %1 that it leaves").arg(bytesText(left, Rounding::Down)));
}

} // namespace remat::studio
