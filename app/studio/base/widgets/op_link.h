// SPDX-License-Identifier: Apache-2.0
// A note that names an op and selects it.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "core/base/ids.h"

namespace remat::studio {

/// A label that, while it has an op, takes clicks, Space and Return. Without one it is a plain note.
class OpLink : public TokenLabel
{
    Q_OBJECT
public:
    explicit OpLink(QWidget *parent = nullptr);
    /// `op` may be none.
    void setOp(OpId op);

Q_SIGNALS:
    void chosen(remat::OpId op);

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    OpId m_op;
};

} // namespace remat::studio
