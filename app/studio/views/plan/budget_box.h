// The budget in the plan panel: field, share, device presets and slider.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/work/document/document.h"
#include "core/costs/device.h"

#include <QLineEdit>

namespace remat::studio {

class BudgetSlider;

/// Shows and sets the document's budget.
class BudgetBox : public QWidget
{
    Q_OBJECT
public:
    BudgetBox(Document *document, const std::vector<Device> &devices, QWidget *parent = nullptr);
    void focusField();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void showBudget();
    void showModel();
    void check(bool commit);
    void setError(const QString &sentence);
    void placeShare();
    std::int64_t bytesOf(int sliderValue) const;
    void addPresets(const std::vector<Device> &devices);

    Document *m_document;
    QLineEdit *m_field;
    TokenLabel *m_share;
    TokenLabel *m_error;
    StudioButton *m_presets;
    QMenu *m_presetMenu;
    BudgetSlider *m_slider;
};

} // namespace remat::studio
