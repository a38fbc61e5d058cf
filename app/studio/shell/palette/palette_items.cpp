// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/palette/palette_items.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/text/phase_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/help/features_table.h"
#include "app/studio/work/document/document.h"
#include "core/views/graph_names.h"

namespace remat::studio {

namespace {

QString keyOf(const QAction &action)
{
    return action.shortcut().toString(QKeySequence::NativeText);
}

} // namespace

PaletteQuestion paletteQuestion(const QString &text)
{
    PaletteQuestion question;
    const QString trimmed = text.trimmed();
    question.pattern = trimmed.mid(1);
    if (trimmed.startsWith(QLatin1Char('>')))
        question.scope = PaletteScope::Commands;
    else if (trimmed.startsWith(QLatin1Char('@')))
        question.scope = PaletteScope::Ops;
    else if (trimmed.startsWith(QLatin1Char('#')))
        question.scope = PaletteScope::Storages;
    else if (trimmed.startsWith(QLatin1Char('?')))
        question.scope = PaletteScope::Help;
    else
        question.pattern = trimmed;
    return question;
}

bool belongsTo(PaletteItem::Kind kind, PaletteScope scope)
{
    switch (scope) {
    case PaletteScope::Everything:
        return kind != PaletteItem::Kind::Help;
    case PaletteScope::Commands:
        return kind == PaletteItem::Kind::Command;
    case PaletteScope::Ops:
        return kind == PaletteItem::Kind::Op;
    case PaletteScope::Storages:
        return kind == PaletteItem::Kind::Storage;
    case PaletteScope::Help:
        return kind == PaletteItem::Kind::Help;
    }
    return false;
}

std::vector<PaletteItem> commandItems(const Commands &commands)
{
    std::vector<PaletteItem> items;
    for (const Commands::Item &command : commands.items()) {
        PaletteItem item;
        item.icon = command.action->property("iconName").toString();
        item.title = plainText(*command.action);
        item.place = Commands::sectionTitle(command.section);
        item.key = keyOf(*command.action);
        item.text = FuzzyText(item.title);
        item.name = FuzzyText(command.action->property("alsoCalled").toString());
        item.action = command.action;
        items.push_back(std::move(item));
    }
    return items;
}

std::vector<PaletteItem> helpItems(const Commands &commands)
{
    std::vector<PaletteItem> items;
    for (const FeatureRow &feature : featureRows()) {
        PaletteItem item;
        item.kind = PaletteItem::Kind::Help;
        item.icon = QStringLiteral("circle-help");
        item.title = feature.title;
        item.place = feature.place;
        item.action = commands.find(feature.command);
        if (!item.action) continue;
        item.key = keyOf(*item.action);
        item.text = FuzzyText(item.title);
        items.push_back(std::move(item));
    }
    return items;
}

std::vector<PaletteItem> modelItems(const OpenModel &model)
{
    const Graph &graph = model.model->graph;
    const OpLabels labels(graph);
    std::vector<PaletteItem> items;
    items.reserve(graph.ops.size() + graph.storages.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        PaletteItem item;
        item.kind = PaletteItem::Kind::Op;
        item.icon = QStringLiteral("workflow");
        item.title = labels.op(graph, OpId(i));
        item.place = toQString(humanKind(op.kind)) + QStringLiteral(" · ") + phaseText(op.phase);
        item.text = FuzzyText(item.title);
        item.name = FuzzyText(toQString(op.name));
        item.op = OpId(i);
        items.push_back(std::move(item));
    }
    for (std::size_t i = 0; i < graph.storages.size(); ++i) {
        const Storage &storage = graph.storages[i];
        if (!storage.producer) continue;
        PaletteItem item;
        item.kind = PaletteItem::Kind::Storage;
        item.icon = QStringLiteral("box");
        item.title = labels.storage(graph, StorageId(i));
        item.place = (storage.type.empty() ? QString() : toQString(storage.type) + QStringLiteral(" · ")) +
                     bytesText(storage.bytes);
        item.text = FuzzyText(item.title);
        item.name = FuzzyText(toQString(storage.name));
        item.storage = StorageId(i);
        items.push_back(std::move(item));
    }
    return items;
}

} // namespace remat::studio
