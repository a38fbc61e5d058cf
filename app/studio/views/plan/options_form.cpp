// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/options_form.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "core/base/number.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace remat::studio {

namespace {

constexpr int kRowHeight = 28;

QString suffix(const OptionRecord &record)
{
    return record.unit.empty() ? QString() : QStringLiteral(" ") + toQString(record.unit);
}

int toInt(double value)
{
    constexpr double kMost = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(value, -kMost, kMost));
}

/// Shows a point, as all numbers of the window do; a comma may be typed for it.
class NumberBox final : public QDoubleSpinBox
{
public:
    explicit NumberBox(QWidget *parent) : QDoubleSpinBox(parent) { setLocale(QLocale::c()); }

protected:
    QValidator::State validate(QString &input, int &position) const override
    {
        input.replace(QLatin1Char(','), QLatin1Char('.'));
        return QDoubleSpinBox::validate(input, position);
    }
};

/// Digits after the point that a range needs: a value between 0 and 1 needs more of them.
int decimalsOf(const OptionRecord &record)
{
    return record.maximum <= 10 ? 4 : 2;
}

} // namespace

QWidget *labelledRow(const QString &label, QWidget *field, const QString &tooltip, QWidget *parent)
{
    auto *row = new QWidget(parent);
    row->setFixedHeight(kRowHeight);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto *text = new TokenLabel(label, FontRole::Body, Token::Text2, row);
    text->setBuddy(field);
    text->setToolTip(tooltip);
    layout->addWidget(text, 1);
    layout->addWidget(field);
    field->setToolTip(tooltip);
    field->setAccessibleName(label);
    return row;
}

OptionsForm::OptionsForm(QWidget *parent) : QWidget(parent), m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
}

void OptionsForm::setRecords(const std::vector<OptionRecord> &records, const std::map<std::string, std::string> &values)
{
    delete m_content;
    m_rows.clear();
    m_content = new QWidget(this);
    auto *column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    const auto valueOf = [&values](const OptionRecord &record) {
        const auto place = values.find(record.name);
        return place == values.end() ? nullptr : &place->second;
    };
    for (const OptionRecord &record : records)
        if (!record.advanced) addRow(column, record, valueOf(record));

    const auto advanced = std::count_if(records.begin(), records.end(), [](const auto &r) { return r.advanced; });
    if (advanced > 0) {
        auto *fold = new StudioButton(tr("Advanced"), {}, ButtonKind::Quiet, m_content);
        fold->setObjectName(QStringLiteral("advancedFold"));
        fold->setKeyText(advanced == 1 ? tr("1 option") : tr("%1 options").arg(advanced));
        fold->setFixedHeight(26);
        fold->setFlush(true);
        fold->setCheckable(true);
        fold->setChecked(m_advancedOpen);
        fold->setToolTip(tr("Options that rarely need a change"));
        fold->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        auto *folded = new QWidget(m_content);
        auto *foldedColumn = new QVBoxLayout(folded);
        foldedColumn->setContentsMargins(0, 0, 0, 0);
        foldedColumn->setSpacing(2);
        for (const OptionRecord &record : records)
            if (record.advanced) addRow(foldedColumn, record, valueOf(record));
        const auto open = [this, fold, folded](bool on) {
            m_advancedOpen = on;
            folded->setVisible(on);
            fold->setIconName(on ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"));
        };
        open(m_advancedOpen);
        connect(fold, &QAbstractButton::toggled, this, open);
        column->addWidget(fold);
        column->addWidget(folded);
    }
    m_column->addWidget(m_content);
}

void OptionsForm::addRow(QVBoxLayout *column, const OptionRecord &record, const std::string *value)
{
    QWidget *field = makeField(record, value, m_content);
    field->setObjectName(QStringLiteral("option.") + toQString(record.name));
    column->addWidget(labelledRow(toQString(record.label), field, toQString(record.text), m_content));
    if (auto *box = qobject_cast<QAbstractSpinBox *>(field)) explainRange(column, record, box);
}

/// A field takes no key that leads out of its range; the sentence below it says what the range is.
void OptionsForm::explainRange(QVBoxLayout *column, const OptionRecord &record, QAbstractSpinBox *box)
{
    const QString unit = suffix(record);
    const auto number = [&](double value) { return QLocale::c().toString(value, 'g', 9) + unit; };
    const QString range = tr("%1 to %2").arg(number(record.minimum), number(record.maximum));
    auto *hint = new TokenLabel(record.type == OptionType::Int ? tr("A whole number, %1").arg(range)
                                                               : tr("A number, %1").arg(range),
                                FontRole::Label, Token::Error, m_content);
    hint->setObjectName(QStringLiteral("hint.") + toQString(record.name));
    hint->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    hint->hide();
    column->addWidget(hint);
    const auto show = [box, hint](bool wrong) {
        hint->setVisible(wrong);
        box->setProperty("invalid", wrong);
        box->setAccessibleDescription(wrong ? hint->text() : QString());
        box->style()->unpolish(box);
        box->style()->polish(box);
    };
    connect(box->findChild<QLineEdit *>(), &QLineEdit::inputRejected, hint, [show] { show(true); });
    connect(box->findChild<QLineEdit *>(), &QLineEdit::textChanged, hint, [show, hint] {
        if (!hint->isHidden()) show(false);
    });
    connect(box, &QAbstractSpinBox::editingFinished, hint, [show] { show(false); });
}

QWidget *OptionsForm::makeField(const OptionRecord &record, const std::string *value, QWidget *parent)
{
    const QString given = value ? toQString(*value) : QString();
    if (record.type == OptionType::Bool) {
        auto *box = new QCheckBox(parent);
        const bool standard = record.defaultNumber != 0;
        const bool on = given == QLatin1String("true") || given == QLatin1String("1");
        box->setChecked(given.isEmpty() ? standard : on);
        connect(box, &QCheckBox::toggled, this, &OptionsForm::changed);
        m_rows.push_back({record, [box, standard] {
                              if (box->isChecked() == standard) return std::string();
                              return std::string(box->isChecked() ? "true" : "false");
                          }});
        return box;
    }
    if (record.type == OptionType::Choice) {
        auto *box = new QComboBox(parent);
        for (const std::string &choice : record.choices)
            box->addItem(toQString(choice));
        box->setCurrentText(given.isEmpty() ? toQString(record.defaultChoice) : given);
        box->setFixedWidth(kFieldWidth);
        connect(box, &QComboBox::currentTextChanged, this, &OptionsForm::changed);
        m_rows.push_back({record, [box, standard = toQString(record.defaultChoice)] {
                              return box->currentText() == standard ? std::string() : box->currentText().toStdString();
                          }});
        return box;
    }
    const auto prepare = [](QAbstractSpinBox *box) {
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
        box->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        box->setFixedWidth(kFieldWidth);
        box->setFocusPolicy(Qt::StrongFocus);
    };
    if (record.type == OptionType::Int) {
        auto *box = new QSpinBox(parent);
        prepare(box);
        box->setRange(toInt(record.minimum), toInt(record.maximum));
        box->setSuffix(suffix(record));
        const int standard = toInt(record.defaultNumber);
        box->setValue(readWhole<int>(given.toStdString()).value_or(standard));
        connect(box, &QSpinBox::valueChanged, this, &OptionsForm::changed);
        m_rows.push_back({record, [box, standard] {
                              return box->value() == standard ? std::string() : std::to_string(box->value());
                          }});
        return box;
    }
    auto *box = new NumberBox(parent);
    prepare(box);
    box->setDecimals(decimalsOf(record));
    box->setRange(record.minimum, record.maximum);
    box->setSuffix(suffix(record));
    box->setValue(readTypedNumber(given.toStdString()).value_or(record.defaultNumber));
    const double standard = record.defaultNumber;
    const double resolution = std::pow(10.0, -decimalsOf(record)) / 2;
    connect(box, &QDoubleSpinBox::valueChanged, this, &OptionsForm::changed);
    m_rows.push_back({record, [box, standard, resolution] {
                          // What the field cannot show is not a change.
                          if (std::abs(box->value() - standard) < resolution) return std::string();
                          return QString::number(box->value(), 'g', 12).toStdString();
                      }});
    return box;
}

std::map<std::string, std::string> OptionsForm::values() const
{
    std::map<std::string, std::string> values;
    for (const Row &row : m_rows) {
        std::string text = row.text();
        if (!text.empty()) values.emplace(row.record.name, std::move(text));
    }
    return values;
}

} // namespace remat::studio
