// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/style/letters.h"

#include <QMimeData>

#include <algorithm>
#include <array>

namespace remat::studio {

namespace {

constexpr std::array kTokens = {Token::PlanA, Token::PlanB, Token::Offloaded, Token::Workspace};

} // namespace

QString letterOf(int place)
{
    return QString(QLatin1Char(static_cast<char>('A' + place)));
}

Token letterToken(int place)
{
    return kTokens[static_cast<std::size_t>(place) % kTokens.size()];
}

QPen letterPen(int place, double width)
{
    QPen pen(Theme::instance().color(letterToken(place)), width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
    const auto dash = [&](std::initializer_list<double> lengths) {
        QList<qreal> pattern;
        for (const double length : lengths)
            pattern << length / width;
        pen.setDashPattern(pattern);
    };
    if (place == 1) dash({6, 2.5});
    if (place == 2) dash({2, 2});
    if (place == 3) dash({8, 2.5, 2, 2.5});
    return pen;
}

void paintLetter(QPainter &painter, const QRectF &box, int place)
{
    const Theme &theme = Theme::instance();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(letterPen(place, 2));
    painter.setBrush(theme.color(Token::Panel));
    painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4);
    painter.setPen(theme.color(Token::Text));
    QFont font = theme.font(FontRole::Small);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.drawText(box, Qt::AlignCenter, letterOf(place));
    painter.restore();
}

std::vector<int> withLetter(std::vector<int> compared, int place, int planId)
{
    const auto before = std::find(compared.begin(), compared.end(), planId);
    const auto wanted = std::min(static_cast<std::size_t>(place), compared.size());
    if (before != compared.end()) {
        std::swap(*before, compared[std::min(wanted, compared.size() - 1)]);
    } else if (wanted < compared.size()) {
        compared[wanted] = planId;
    } else if (compared.size() < kMostCompared) {
        compared.push_back(planId);
    }
    return compared;
}

std::vector<int> withoutLetter(std::vector<int> compared, int planId)
{
    std::erase(compared, planId);
    return compared;
}

QString planMimeType()
{
    return QStringLiteral("application/x-remat-plan");
}

QMimeData *planMime(int planId)
{
    auto *data = new QMimeData;
    data->setData(planMimeType(), QByteArray::number(planId));
    return data;
}

int planOf(const QMimeData *data)
{
    return data ? data->data(planMimeType()).toInt() : 0;
}

} // namespace remat::studio
