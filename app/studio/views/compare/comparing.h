// SPDX-License-Identifier: Apache-2.0
// The commands of Compare: its letters changed, its differences written.
#pragma once

#include "app/studio/views/shared/view_spec.h"

namespace remat::studio {

class CompareView;

/// Lives as long as the view. GUI thread only.
class Comparing : public QObject
{
    Q_OBJECT
public:
    Comparing(const ViewHost &host, CompareView *view);
    CompareView *view() const { return m_view; }
    /// Writes the rows the table shows; says so, or why not.
    void saveCsv(const QString &path);

private:
    void chooseCsvFile();

    CompareView *m_view;
    std::function<void(const Notice &)> m_say;
};

} // namespace remat::studio
