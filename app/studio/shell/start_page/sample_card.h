// SPDX-License-Identifier: Apache-2.0
// The samples of the start page: cards with their memory curve, chips for the tiny ones.
#pragma once

#include "app/studio/work/jobs/samples.h"

#include <QAbstractButton>

namespace remat::studio {

/// Keep-all outline, quick plan as bands, budget line; drawn to fit.
void paintPreview(QPainter &painter, const QRectF &area, const SamplePreview &preview);

/// One sample with its picture; hatched until its preview is there.
class SampleCard : public QAbstractButton
{
    Q_OBJECT
public:
    explicit SampleCard(const Sample &sample, QWidget *parent = nullptr);
    const Sample &sample() const { return m_sample; }
    void setPreview(const SamplePreview &preview);
    QSize sizeHint() const override { return {298, 205}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    Sample m_sample;
    std::optional<SamplePreview> m_preview;
};

} // namespace remat::studio
