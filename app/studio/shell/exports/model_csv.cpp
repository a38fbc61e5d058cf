// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/exports/model_csv.h"

#include "app/studio/base/text/text.h"
#include "core/io/csv.h"

#include <QAbstractItemView>

namespace remat::studio {

namespace {

void addRows(const QAbstractItemModel &model, const QModelIndex &parent, int depth, bool tree, std::string &text)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        std::vector<std::string> fields;
        if (tree) fields.push_back(std::to_string(depth));
        for (int column = 0; column < model.columnCount(parent); ++column)
            fields.push_back(model.index(row, column, parent).data().toString().toStdString());
        text += csvLine(fields);
        const QModelIndex first = model.index(row, 0, parent);
        if (model.hasChildren(first)) addRows(model, first, depth + 1, tree, text);
    }
}

bool isTree(const QAbstractItemModel &model)
{
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.hasChildren(model.index(row, 0))) return true;
    return false;
}

} // namespace

QString csvOf(const QAbstractItemModel &model)
{
    const bool tree = isTree(model);
    std::vector<std::string> head;
    if (tree) head.emplace_back("depth");
    for (int column = 0; column < model.columnCount(); ++column)
        head.push_back(model.headerData(column, Qt::Horizontal).toString().toStdString());
    std::string text = csvLine(head);
    addRows(model, {}, 0, tree, text);
    return toQString(text);
}

QAbstractItemModel *tableOf(const QWidget &view)
{
    for (const QAbstractItemView *shown : view.findChildren<QAbstractItemView *>())
        if (shown->isVisibleTo(&view) && shown->model()) return shown->model();
    const auto twins = view.findChildren<QAbstractItemModel *>(QString(), Qt::FindDirectChildrenOnly);
    return twins.isEmpty() ? nullptr : twins.front();
}

} // namespace remat::studio
