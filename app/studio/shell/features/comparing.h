// Compare: its views, and the ways plans get their letters.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QObject>

namespace remat::studio {

class CompareView;
class SummaryView;

/// GUI thread only.
class Comparing : public QObject
{
    Q_OBJECT
public:
    explicit Comparing(const FeatureHost &host);
    CompareView *view() const { return m_view; }
    SummaryView *summary() const { return m_summary; }
    /// Writes the rows the table shows; says so, or why not.
    void saveCsv(const QString &path);

private:
    void chooseCsvFile();

    FeatureHost m_host;
    CompareView *m_view;
    SummaryView *m_summary;
};

} // namespace remat::studio
