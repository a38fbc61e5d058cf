// SPDX-License-Identifier: Apache-2.0
// What the palette offers: commands, ops, storages, help.
#pragma once

#include "app/studio/shell/palette/fuzzy.h"
#include "core/base/ids.h"

#include <QAction>
#include <QPointer>

namespace remat {
struct OpenModel;
}

namespace remat::studio {

class Commands;

/// What the first letter of the text asks for.
enum class PaletteScope : std::uint8_t { Everything, Commands, Ops, Storages, Help };

/// One row.
struct PaletteItem {
    enum class Kind : std::uint8_t { Command, Op, Storage, Help };
    Kind kind = Kind::Command;
    QString icon;  ///< Lucide name; may be empty
    QString title; ///< what is matched and shown
    QString place; ///< where it belongs: a menu, `h.11 · backward`
    QString key;   ///< `Ctrl+R`; mostly empty
    FuzzyText text;
    FuzzyText name;           ///< what files, the command line or others call it; asked where the title does not fit
    QPointer<QAction> action; ///< set for commands, and for help that leads to one
    OpId op;
    StorageId storage;

    bool enabled() const { return kind == Kind::Op || kind == Kind::Storage || (action && action->isEnabled()); }
};

/// A line of text split into scope and pattern: `@addmm` is the pattern `addmm` over ops.
struct PaletteQuestion {
    PaletteScope scope = PaletteScope::Everything;
    QString pattern;
    bool operator==(const PaletteQuestion &) const = default;
};
PaletteQuestion paletteQuestion(const QString &text);
bool belongsTo(PaletteItem::Kind kind, PaletteScope scope);

std::vector<PaletteItem> commandItems(const Commands &commands);
/// Features of the program, which lead to their commands.
std::vector<PaletteItem> helpItems(const Commands &commands);
/// All ops, then all storages that plans hold and free. O(graph); 10,000 ops take tens of milliseconds, so on a worker
/// thread.
std::vector<PaletteItem> modelItems(const OpenModel &model);

} // namespace remat::studio
