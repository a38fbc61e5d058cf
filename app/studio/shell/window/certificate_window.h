// SPDX-License-Identifier: Apache-2.0
// A certificate of training, in a small window beside the main one.
#pragma once

#include "core/io/certificate.h"

#include <QDialog>

class QGridLayout;

namespace remat::studio {

class Document;

/// What was promised and what was measured, and whether it is of the graph and a plan that were open when it was
/// opened. GUI thread only.
class CertificateWindow : public QDialog
{
    Q_OBJECT
public:
    /// Reads the file and shows it over `parent`, until it is closed. Fails with a sentence where there is nothing to
    /// show.
    static Expected<void> open(const QString &path, const Document &document, QWidget *parent);

private:
    CertificateWindow(const Certificate &certificate, const QString &file, const Document &document, QWidget *parent);
    QGridLayout *measures(const Certificate &certificate);
    QGridLayout *facts(const Certificate &certificate, const Document &document);
};

} // namespace remat::studio
