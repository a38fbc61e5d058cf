// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/exports/view_picture.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/text.h"
#include "core/base/file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace remat::studio {

namespace {

constexpr double kPixelRatio = 2;

struct PictureText {
    Q_DECLARE_TR_FUNCTIONS(ViewPicture)
};

} // namespace

void paintView(QWidget &view, QPainter &painter)
{
    painter.save();
    painter.setClipRect(view.rect(), Qt::IntersectClip);
    if (const auto *plot = qobject_cast<const PlotCanvas *>(&view))
        plot->paintPlot(painter, view.size(), kPixelRatio);
    else
        view.render(&painter, {}, {}, QWidget::DrawWindowBackground);
    for (QObject *child : view.children()) {
        auto *widget = qobject_cast<QWidget *>(child);
        if (!widget || widget->isWindow() || !widget->isVisibleTo(&view)) continue;
        painter.save();
        painter.translate(widget->pos());
        paintView(*widget, painter);
        painter.restore();
    }
    painter.restore();
}

QImage pictureOf(QWidget &view)
{
    QImage image(view.size() * kPixelRatio, QImage::Format_RGB32);
    image.setDevicePixelRatio(kPixelRatio);
    image.fill(Theme::instance().color(Token::Window));
    QPainter painter(&image);
    paintView(view, painter);
    return image;
}

QString writePicture(QWidget &view, const QString &title, const QString &path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    const QString unwritable = PictureText::tr("%1 cannot be written. Choose a folder that you may write to.")
                                   .arg(QFileInfo(path).absoluteFilePath());
    QBuffer file;
    file.open(QIODevice::WriteOnly);
    const auto written = [&] {
        return writeFileAtomically(toPath(path), file.data().toStdString()) ? QString() : unwritable;
    };
    if (suffix == QLatin1String("png")) return pictureOf(view).save(&file, "PNG") ? written() : unwritable;
    if (suffix != QLatin1String("svg") && suffix != QLatin1String("pdf"))
        return PictureText::tr("A picture ends in .svg, .pdf or .png, and %1 does not.")
            .arg(QFileInfo(path).fileName());
    QPainter painter;
    if (suffix == QLatin1String("svg")) {
        QSvgGenerator svg;
        svg.setOutputDevice(&file);
        svg.setTitle(title);
        svg.setSize(view.size());
        svg.setViewBox(view.rect());
        if (!painter.begin(&svg)) return unwritable;
        paintView(view, painter);
        painter.end();
    } else {
        QPdfWriter pdf(&file);
        constexpr int kDotsPerInch = 96;
        constexpr double kPointsPerInch = 72;
        pdf.setTitle(title);
        pdf.setResolution(kDotsPerInch);
        pdf.setPageSize(QPageSize(QSizeF(view.size()) * (kPointsPerInch / kDotsPerInch), QPageSize::Point, title,
                                  QPageSize::ExactMatch));
        pdf.setPageMargins({});
        if (!painter.begin(&pdf)) return unwritable;
        paintView(view, painter);
        painter.end();
    }
    return written();
}

} // namespace remat::studio
