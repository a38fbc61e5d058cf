// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/window/certificate_window.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/fact_grid.h"
#include "app/studio/views/shared/verdict.h"
#include "app/studio/work/document/document.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QVBoxLayout>

#include <array>

namespace remat::studio {

namespace {

constexpr int kCertificateWidth = 560, kCertificateMargin = 20;

VerdictLook lookOf(const Certificate &certificate)
{
    const Certified found = certified(certificate);
    const QString sentence = toQString(found.sentence);
    if (!found.holds)
        return {QStringLiteral("circle-x"), CertificateWindow::tr("The plan did not hold what it promised"), sentence,
                Token::Error, Token::ErrorSoft};
    const std::string &pytorch = certificate.pytorchVerdict;
    if (!certificate.equal || pytorch.empty() || pytorch == "not compared")
        return {QStringLiteral("triangle-alert"), CertificateWindow::tr("Within the budget; results not compared"),
                sentence, Token::Warn, Token::WarnSoft};
    return {QStringLiteral("shield-check"), CertificateWindow::tr("The plan held what it promised"), sentence,
            Token::Ok, Token::OkSoft};
}

/// Says which of the open plans the certificate is of, or why none is.
QString ofWhichPlan(const Certificate &certificate, const Document &document)
{
    const auto model = document.model();
    if (!model)
        return CertificateWindow::tr("Open the graph of the step, and the plan, before the certificate to see whether "
                                     "it is of them.");
    if (const auto isOf = certificateIsOf(certificate, model->graph(), nullptr); !isOf)
        return toQString(isOf.error().message);
    for (const auto &entry : document.plans())
        if (certificateIsOf(certificate, model->graph(), entry->plan.get()))
            return CertificateWindow::tr("It is of this graph and of the plan “%1”, step by step.")
                .arg(toQString(entry->title));
    return CertificateWindow::tr("It is of the open graph, and of none of its open plans. Open the plan of the "
                                 "training as well.");
}

} // namespace

Expected<void> CertificateWindow::open(const QString &path, const Document &document, QWidget *parent)
{
    const auto certificate = readCertificate(toPath(path));
    if (!certificate) return tl::unexpected(certificate.error());
    auto *window = new CertificateWindow(*certificate, QFileInfo(path).fileName(), document, parent);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
    return {};
}

CertificateWindow::CertificateWindow(const Certificate &certificate, const QString &file, const Document &document,
                                     QWidget *parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("certificateWindow"));
    setWindowTitle(tr("Certificate – %1").arg(file));
    auto *verdict = new VerdictBox(this);
    verdict->setObjectName(QStringLiteral("certificateVerdict"));
    verdict->resize(kCertificateWidth - 2 * kCertificateMargin, 0); // its height follows
    verdict->setLook(lookOf(certificate));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kCertificateMargin, 18, kCertificateMargin, 18);
    column->setSpacing(14);
    column->addWidget(verdict);
    column->addLayout(measures(certificate));
    column->addWidget(new Rule(this));
    column->addLayout(facts(certificate, document));
    column->addStretch(1);
    resize(kCertificateWidth, heightForWidth(kCertificateWidth));
}

QGridLayout *CertificateWindow::measures(const Certificate &certificate)
{
    const bool fitted = certificate.plainPeakBytes.has_value();
    const std::array<std::array<QString, 4>, 3> rows = {
        {{QString(), tr("Measured"), tr("Predicted"), tr("Without a plan")},
         {tr("Peak"), memoryText(certificate.measuredPeakBytes), memoryText(certificate.predictedPeakBytes),
          fitted ? memoryText(*certificate.plainPeakBytes) : tr("did not fit")},
         {tr("Time of the step"), timeText(certificate.measuredSeconds * 1e6), timeText(certificate.predictedTimeUs),
          fitted ? timeText(certificate.plainSeconds * 1e6) : dash()}}};
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(20);
    grid->setVerticalSpacing(6);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column) {
            const bool figure = row > 0 && column > 0;
            auto *cell = new TokenLabel(rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)],
                                        figure && column == 1 ? FontRole::Name : FontRole::Body,
                                        figure ? Token::Text : Token::Text2, this);
            if (figure) cell->setObjectName(QStringLiteral("certificate%1%2").arg(row).arg(column));
            grid->addWidget(cell, row, column, column == 0 ? Qt::AlignLeft : Qt::AlignRight);
        }
    grid->setColumnStretch(0, 1);
    return grid;
}

QGridLayout *CertificateWindow::facts(const Certificate &certificate, const Document &document)
{
    auto *grid = new FactGrid;
    const auto add = [this, grid](const QString &what, const char *name, const QString &text) {
        grid->add(what, name, text, this);
    };
    add(tr("Budget"), "certificateBudget",
        certificate.outsideBytes > 0
            ? tr("%1, and %2 known to lie beside the plan")
                  .arg(memoryText(certificate.budgetBytes), memoryText(certificate.outsideBytes))
            : memoryText(certificate.budgetBytes));
    add(tr("Peak held during"), "certificateOp", certificate.peakOp.empty() ? dash() : toQString(certificate.peakOp));
    add(tr("Proven bound"), "certificateBound",
        certificate.timeOverBound ? tr("no plan in this order of ops is faster by more than %1")
                                        .arg(shareText(*certificate.timeOverBound, Rounding::Up))
                                  : tr("none was proven for this plan"));
    add(tr("Graph"), "certificateGraph", toQString(certificate.graphName));
    add(tr("Made with"), "certificateVersions",
        tr("%1, PyTorch %2, on %3")
            .arg(toQString(certificate.writtenBy), toQString(certificate.torchVersion),
                 certificate.device == "cuda" ? tr("a GPU") : tr("a CPU")));
    add(tr("Its digest"), "certificateSeal", tr("agrees with its text: it is as training wrote it"));
    add(tr("Plan"), "certificatePlan", ofWhichPlan(certificate, document));
    return grid;
}

} // namespace remat::studio
