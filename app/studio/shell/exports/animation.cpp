// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/exports/animation.h"

#include <QBuffer>
#include <QPainter>
#include <QtEndian>

#include <array>

namespace remat::studio {

namespace {

constexpr int kHeaderBytes = 8; ///< the signature of a PNG, before its first chunk

QByteArray number(std::uint32_t value)
{
    QByteArray bytes(4, '\0');
    qToBigEndian(value, bytes.data());
    return bytes;
}

/// The check of the PNG standard, annex D.
std::uint32_t checkOf(const QByteArray &bytes)
{
    static const auto kTable = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t n = 0; n < table.size(); ++n) {
            std::uint32_t c = n;
            for (int bit = 0; bit < 8; ++bit)
                c = (c & 1U) != 0 ? 0xedb88320U ^ (c >> 1U) : c >> 1U;
            table[n] = c;
        }
        return table;
    }();
    std::uint32_t check = 0xffffffffU;
    for (const char byte : bytes)
        check = kTable[(check ^ static_cast<unsigned char>(byte)) & 0xffU] ^ (check >> 8U);
    return check ^ 0xffffffffU;
}

QByteArray chunk(const char *type, const QByteArray &data)
{
    const QByteArray body = type + data;
    return number(static_cast<std::uint32_t>(data.size())) + body + number(checkOf(body));
}

/// What the chunks of a type hold, joined.
QByteArray chunksOf(const QByteArray &png, const char *type)
{
    QByteArray data;
    for (qsizetype at = kHeaderBytes; at + 12 <= png.size();) {
        const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(png.constData() + at));
        if (png.mid(at + 4, 4) == type) data += png.mid(at + 8, length);
        at += length + 12;
    }
    return data;
}

QByteArray pngOf(const QImage &image)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG", 0);
    return bytes;
}

/// Colours for all frames: those of the first, the middle and the last.
QList<QRgb> coloursOf(const std::vector<QImage> &frames)
{
    const QSize size = frames.front().size();
    QImage all(size.width(), size.height() * 3, QImage::Format_RGB32);
    QPainter painter(&all);
    int row = 0;
    for (const std::size_t at : {std::size_t(0), frames.size() / 2, frames.size() - 1})
        painter.drawImage(0, size.height() * row++, frames[at]);
    painter.end();
    return all.convertToFormat(QImage::Format_Indexed8, Qt::ThresholdDither | Qt::AvoidDither).colorTable();
}

/// The smallest rectangle outside of which two pictures are the same; one pixel where they are.
QRect difference(const QImage &before, const QImage &now)
{
    QRect changed;
    for (int y = 0; y < now.height(); ++y) {
        const uchar *a = before.constScanLine(y), *b = now.constScanLine(y);
        int from = 0, to = now.width() - 1;
        while (from <= to && a[from] == b[from])
            ++from;
        while (to > from && a[to] == b[to])
            --to;
        if (from <= to) changed |= QRect(from, y, to - from + 1, 1);
    }
    return changed.isEmpty() ? QRect(0, 0, 1, 1) : changed;
}

} // namespace

QByteArray animatedPng(const std::vector<QImage> &frames, int millisecondsPerFrame)
{
    if (frames.empty()) return {};
    const QList<QRgb> colours = coloursOf(frames);
    QByteArray file, images;
    QImage before;
    std::uint32_t order = 0;
    for (const QImage &frame : frames) {
        QImage now = frame.convertToFormat(QImage::Format_Indexed8, colours, Qt::ThresholdDither | Qt::AvoidDither);
        const QRect place = before.isNull() ? now.rect() : difference(before, now);
        QImage part = now.copy(place);
        part.setColorTable(colours);
        const QByteArray png = pngOf(part);
        if (before.isNull())
            file = png.left(kHeaderBytes) + chunk("IHDR", chunksOf(png, "IHDR")) +
                   chunk("acTL", number(static_cast<std::uint32_t>(frames.size())) + number(0)) +
                   chunk("PLTE", chunksOf(png, "PLTE"));
        QByteArray control = number(order++);
        for (const int value : {place.width(), place.height(), place.x(), place.y()})
            control += number(static_cast<std::uint32_t>(value));
        control += number(static_cast<std::uint32_t>(millisecondsPerFrame) << 16U | 1000U); // as a fraction of a second
        control += QByteArray(2, '\0'); // it stays, and replaces what was there
        images += chunk("fcTL", control);
        const QByteArray data = chunksOf(png, "IDAT");
        images += before.isNull() ? chunk("IDAT", data) : chunk("fdAT", number(order++) + data);
        before = std::move(now);
    }
    return file + images + chunk("IEND", {});
}

} // namespace remat::studio
