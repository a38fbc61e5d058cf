// SPDX-License-Identifier: Apache-2.0
// How far a plan has been proven, as badge and as box.
#pragma once

#include "app/studio/base/style/theme.h"
#include "app/studio/work/document/document.h"

#include <QMetaType>
#include <QWidget>

namespace remat::studio {

/// Words and colours of a verdict.
struct VerdictLook {
    QString icon;
    QString title; ///< `Validated on GPU`
    QString sentence;
    Token ink = Token::Text2;
    Token back = Token::Sunken;
};

/// How a plan of the document stands under its budget: what the checker or a real run found, and how far its search has
/// come where both are well. `running` is the stage of the check or run under way, empty when there is none.
VerdictLook verdictLook(const Document &document, const PlanEntry &entry, const QString &running = {});

/// 26 high, in the tool bar. Hidden while there is no plan.
class VerdictBadge : public QWidget
{
    Q_OBJECT
public:
    explicit VerdictBadge(QWidget *parent = nullptr);
    void setLook(const VerdictLook &look);
    const VerdictLook &look() const { return m_look; }
    /// Only its icon.
    void setCompact(bool compact);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    VerdictLook m_look;
    bool m_compact = false;
};

/// In the panel: title and sentence.
class VerdictBox : public QWidget
{
    Q_OBJECT
public:
    explicit VerdictBox(QWidget *parent = nullptr);
    void setLook(const VerdictLook &look);
    const VerdictLook &look() const { return m_look; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    VerdictLook m_look;
};

} // namespace remat::studio

Q_DECLARE_METATYPE(remat::studio::VerdictLook)
