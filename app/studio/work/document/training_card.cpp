// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/document/training_card.h"

#include "app/studio/base/text/text.h"

#include <QRegularExpression>
#include <QSettings>

#include <algorithm>

namespace remat::studio {

namespace {

const QString kNameKey = QStringLiteral("card/name"), kTitleKey = QStringLiteral("card/title"),
              kBytesKey = QStringLiteral("card/bytes"), kOptimizerKey = QStringLiteral("card/optimizer");

} // namespace

TrainingCard::TrainingCard(Document &document, QObject *parent)
    : QObject(parent), m_document(document), m_optimizer(knownOptimizers().front())
{
    const QSettings settings;
    if (const qint64 bytes = settings.value(kBytesKey).toLongLong(); bytes > 0)
        m_card = {settings.value(kNameKey).toString().toStdString(), settings.value(kTitleKey).toString(), bytes};
    if (const auto known = findOptimizer(settings.value(kOptimizerKey).toString().toStdString())) m_optimizer = *known;
    connect(&m_document, &Document::modelChanged, this, &TrainingCard::sumUp);
}

KnownOptimizer TrainingCard::countedOptimizer() const
{
    const auto model = m_document.model();
    if (!model || !model->open->updates.given()) return m_optimizer;
    KnownOptimizer counted = m_optimizer;
    counted.states = counted.temporaries = 0; // they are inputs of the step
    return counted;
}

void TrainingCard::setCard(std::optional<CardModel> card)
{
    if (card == m_card) return;
    m_card = std::move(card);
    QSettings settings;
    settings.setValue(kNameKey, m_card ? toQString(m_card->name) : QString());
    settings.setValue(kTitleKey, m_card ? m_card->title : QString());
    settings.setValue(kBytesKey, static_cast<qint64>(m_card ? m_card->memoryBytes : 0));
    Q_EMIT changed();
}

void TrainingCard::setOptimizer(const KnownOptimizer &optimizer)
{
    if (std::string_view(optimizer.name) == m_optimizer.name) return;
    m_optimizer = optimizer;
    QSettings().setValue(kOptimizerKey, QString::fromLatin1(optimizer.name));
    sumUp();
}

void TrainingCard::sumUp()
{
    const auto model = m_document.model();
    m_needs.reset();
    if (model) m_needs = fitNeeds(model->graph(), *model->costs, model->keepAll->peakBytes, countedOptimizer());
    Q_EMIT changed();
}

std::int64_t TrainingCard::leftOn(std::int64_t memoryBytes) const
{
    return m_needs ? std::max<std::int64_t>(leftForStep(*m_needs, memoryBytes, kFitReserve), 0) : 0;
}

std::optional<CardModel> TrainingCard::otherCard(const QString &text)
{
    static const QRegularExpression amount(QStringLiteral(R"(^\D*?(\d+(?:[.,]\d+)?)\s*(k|m|g|t)?i?b?$)"),
                                           QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = amount.match(text.trimmed());
    if (!match.hasMatch()) return {};
    const QString unit = match.captured(2).toLower();
    const double factor = unit == QLatin1String("k")   ? 1024.0
                          : unit == QLatin1String("m") ? 1024.0 * 1024
                          : unit == QLatin1String("t") ? 1024.0 * 1024 * 1024 * 1024
                                                       : 1024.0 * 1024 * 1024;
    const double bytes = match.captured(1).replace(QLatin1Char(','), QLatin1Char('.')).toDouble() * factor;
    if (bytes < 1 || bytes > 1e15) return {};
    const auto whole = static_cast<std::int64_t>(bytes);
    return CardModel{{}, tr("Other: %1").arg(bytesText(whole)), whole};
}

} // namespace remat::studio
