// SPDX-License-Identifier: Apache-2.0
// The form of a planner's options, made from its records.
#pragma once

#include "solvers/interface/options.h"

#include <QWidget>

#include <functional>

class QAbstractSpinBox;
class QVBoxLayout;

namespace remat::studio {

/// The width of choices and fields at the right of the panel's rows [pixels].
inline constexpr int kFieldWidth = 108;

class StudioButton;

/// One row per option; advanced ones are folded away. What differs from its default is what values() gives.
class OptionsForm : public QWidget
{
    Q_OBJECT
public:
    explicit OptionsForm(QWidget *parent = nullptr);

    /// Makes the rows anew. `values` are set over the defaults where they are known and in range.
    void setRecords(const std::vector<OptionRecord> &records, const std::map<std::string, std::string> &values);
    /// As `--set` takes them, only those that differ from their default.
    std::map<std::string, std::string> values() const;

Q_SIGNALS:
    void changed();

private:
    struct Row {
        OptionRecord record;
        std::function<std::string()> text; ///< text of the field's value; empty for the default
    };
    QWidget *makeField(const OptionRecord &record, const std::string *value, QWidget *parent);
    void explainRange(QVBoxLayout *column, const OptionRecord &record, QAbstractSpinBox *box);
    void addRow(QVBoxLayout *column, const OptionRecord &record, const std::string *value);

    QVBoxLayout *m_column;
    QWidget *m_content = nullptr;
    std::vector<Row> m_rows;
    bool m_advancedOpen = false;
};

/// One line of the panel: label left, field of 108 right. Takes over the field.
QWidget *labelledRow(const QString &label, QWidget *field, const QString &tooltip, QWidget *parent);

} // namespace remat::studio
