// SPDX-License-Identifier: Apache-2.0
// Parts of the summary of compared plans, each painted from plain data.
#pragma once

#include "app/studio/views/shared/verdict.h"
#include "core/views/comparison_text.h"

#include <QWidget>

namespace remat::studio {

/// Letter, name, budget and verdict of a plan; takes plans that are dropped on it.
class PlanCard : public QWidget
{
    Q_OBJECT
public:
    explicit PlanCard(int place, QWidget *parent = nullptr);
    /// The verdict is under the present budget.
    void setPlan(const Document &document, const PlanEntry &plan);
    QSize sizeHint() const override { return {200, 52}; }

Q_SIGNALS:
    void planDropped(int planId);

protected:
    void paintEvent(QPaintEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    int m_place;
    QString m_title, m_note;
    VerdictLook m_verdict;
};

/// Columns A, B, A − B.
class FigureTable : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;
    void setRows(std::vector<FigureRow> rows, const QString &letter);
    const std::vector<FigureRow> &rows() const { return m_rows; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    std::vector<FigureRow> m_rows;
    QString m_letter;
};

/// Memory at the peak of each plan, by category, on one scale, and the legend of what occurs.
class PeakBars : public QWidget
{
    Q_OBJECT
public:
    explicit PeakBars(QWidget *parent = nullptr);
    void setPlans(std::vector<PlanUse> uses, std::vector<int> places);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {200, heightForWidth(width() > 0 ? width() : 300)}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    /// Legend entries with their places, for a width; the height it takes is returned.
    double layOutLegend(double width, double top, std::vector<std::pair<Category, QRectF>> *entries) const;

    std::vector<PlanUse> m_uses;
    std::vector<int> m_places;
};

} // namespace remat::studio
