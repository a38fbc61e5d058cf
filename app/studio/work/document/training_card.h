// SPDX-License-Identifier: Apache-2.0
// The card that one trains on and the optimizer, chosen once: what both leave for the step.
#pragma once

#include "app/studio/work/document/document.h"
#include "solvers/uses/fit.h"

#include <optional>

namespace remat::studio {

/// A card of a list, or any other by its memory alone.
struct CardModel {
    std::string name; ///< as `--device` takes it; empty for any other
    QString title;
    std::int64_t memoryBytes = 0;
    bool operator==(const CardModel &) const = default;
};

/// Kept in the settings. Budget presets, Fits, trade-off and the verdict in the plan panel all ask here. GUI thread
/// only.
class TrainingCard : public QObject
{
    Q_OBJECT
public:
    explicit TrainingCard(Document &document, QObject *parent = nullptr);

    const std::optional<CardModel> &card() const { return m_card; } ///< none before one is chosen
    const KnownOptimizer &optimizer() const { return m_optimizer; }
    /// None where the step that is open holds updates: then their states are counted as they are.
    KnownOptimizer countedOptimizer() const;
    void setCard(std::optional<CardModel> card);
    void setOptimizer(const KnownOptimizer &optimizer);

    /// What training the open model takes with the optimizer; none without a model.
    const std::optional<FitNeeds> &needs() const { return m_needs; }
    /// What a card of that memory leaves for the step; 0 where that is nothing, or without a model.
    std::int64_t leftOn(std::int64_t memoryBytes) const;

    /// Reads `8`, `8 GB`, `8GiB` or `512 MiB` as the memory of a card, whose gigabytes are binary. None where it is
    /// none.
    static std::optional<CardModel> otherCard(const QString &text);

Q_SIGNALS:
    void changed();

private:
    void sumUp();

    Document &m_document;
    std::optional<CardModel> m_card;
    KnownOptimizer m_optimizer;
    std::optional<FitNeeds> m_needs;
};

} // namespace remat::studio
