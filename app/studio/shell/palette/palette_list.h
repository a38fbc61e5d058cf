// SPDX-License-Identifier: Apache-2.0
// The rows that fit what was typed, best first.
#pragma once

#include "app/studio/shell/palette/palette_items.h"

#include <QAbstractListModel>
#include <QTimer>

#include <functional>

namespace remat::studio {

/// Ranks thousands of items in slices of a few milliseconds, so that typing never waits; the same text over the same
/// items gives the same rows. GUI thread only.
class PaletteList : public QAbstractListModel
{
    Q_OBJECT
public:
    static constexpr int kMostRows = 100;
    static constexpr int kSliceMs = 6; ///< a slice ranks some items however short it is
    enum Role { PlaceRole = Qt::UserRole, KeyRole, IconRole, MatchedRole, EnabledRole };

    explicit PaletteList(QObject *parent = nullptr, int sliceMs = kSliceMs);
    /// The items to choose from. Of equally good ones those further up win.
    void setItems(std::vector<PaletteItem> commands, std::shared_ptr<const std::vector<PaletteItem>> ofModel);
    /// Titles of commands that were run last, newest first: they stand on top while nothing is typed.
    void setRecent(const QStringList &titles) { m_recent = titles; }
    /// Ops outside of `allowed` are left out; none allows all. Per op.
    void ask(const PaletteQuestion &question, std::optional<std::vector<std::uint8_t>> allowed = {});

    const PaletteItem &itemAt(int row) const { return *m_rows[static_cast<std::size_t>(row)].item; }
    /// All items that fit, also those beyond the last row.
    int fitting() const { return m_fitting; }
    bool ranking() const { return m_timer.isActive(); }
    /// Ranks what is left at once.
    void finish();

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

Q_SIGNALS:
    void ranked(); ///< after each slice

private:
    struct Row {
        const PaletteItem *item = nullptr;
        int score = 0;
        std::size_t order = 0;
        bool operator<(const Row &other) const;
    };
    const PaletteItem &item(std::size_t index) const;
    std::size_t count() const { return m_commands.size() + (m_ofModel ? m_ofModel->size() : 0); }
    void rankSlice(int milliseconds);
    void rank(std::size_t index);
    void publish();

    std::vector<PaletteItem> m_commands;
    std::shared_ptr<const std::vector<PaletteItem>> m_ofModel;
    QStringList m_recent;
    PaletteQuestion m_question;
    FuzzyPattern m_pattern;
    std::optional<std::vector<std::uint8_t>> m_allowed;
    std::size_t m_next = 0;  ///< the first item that is not ranked yet
    std::vector<Row> m_best; ///< a heap of the best so far, the worst on top
    std::vector<Row> m_rows;
    int m_fitting = 0;
    const int m_sliceMs;
    QTimer m_timer;
};

} // namespace remat::studio
