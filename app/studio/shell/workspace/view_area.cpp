// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/view_area.h"

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/shell/workspace/dock_header.h"

#include <QAction>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

ViewArea::ViewArea(QWidget *parent)
    : QWidget(parent),
      m_tabs(new HeaderTabs({}, this)),
      m_icons(new QStackedWidget(this)),
      m_title(new TokenLabel({}, FontRole::Name, Token::Text, this)),
      m_headers(new QStackedWidget(this)),
      m_tools(new QStackedWidget(this)),
      m_stack(new QStackedWidget(this))
{
    auto *header = new DockHeader({}, {}, this);
    auto *body = new QWidget(header);
    auto *row = new QHBoxLayout(body);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_icons->setFixedSize(15 + 8, 15);
    m_tools->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    row->addWidget(m_icons);
    row->addWidget(m_title);
    row->addWidget(m_tabs);
    row->addSpacing(16);
    row->addWidget(m_headers, 1);
    row->addWidget(m_tools);
    header->setBody(body);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header);
    column->addWidget(m_stack, 1);
    connect(m_tabs, &HeaderTabs::currentChanged, this, [this] {
        showCurrent();
        Q_EMIT currentChanged(current());
    });
    showHeading();
}

void ViewArea::add(const ViewPlace &place)
{
    m_places.push_back(place);
    m_stack->addWidget(place.view);
    m_headers->addWidget(place.header ? place.header : new QWidget(m_headers));
    m_icons->addWidget(new IconLabel(place.icon, 15, Token::Text2, m_icons));
    auto *tools = new QWidget(m_tools);
    auto *row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    for (QAction *action : place.tools) {
        auto *button = new StudioButton({}, action->property("iconName").toString(), ButtonKind::Quiet, tools);
        button->setFixedSize(26, 26);
        button->setAccessibleName(action->text());
        button->followAction(action);
        row->addWidget(button);
    }
    m_tools->addWidget(tools);
    QStringList titles;
    for (const ViewPlace &each : m_places)
        titles << each.title;
    m_tabs->setTitles(titles);
    showHeading();
}

ViewPlace ViewArea::take(const QString &id)
{
    const int index = indexOf(id);
    const auto place = m_places.begin() + index;
    ViewPlace taken = *place;
    m_places.erase(place);
    m_stack->removeWidget(taken.view);
    if (taken.header)
        m_headers->removeWidget(taken.header);
    else
        delete m_headers->widget(index);
    delete m_icons->widget(index);
    delete m_tools->widget(index);
    QStringList titles;
    for (const ViewPlace &each : m_places)
        titles << each.title;
    m_tabs->setTitles(titles);
    m_tabs->setCurrent(std::max(0, std::min(m_tabs->current(), static_cast<int>(titles.size()) - 1)));
    showCurrent();
    return taken;
}

void ViewArea::addFooter(QWidget *footer)
{
    layout()->addWidget(footer);
}

void ViewArea::showCurrent()
{
    const int index = m_tabs->current();
    m_stack->setCurrentIndex(index);
    m_headers->setCurrentIndex(index);
    m_tools->setCurrentIndex(index);
    showHeading();
}

void ViewArea::showHeading()
{
    const bool tabs = m_places.size() > 1;
    m_tabs->setVisible(tabs);
    m_icons->setVisible(!tabs);
    m_title->setVisible(!tabs);
    const int index = m_tabs->current();
    if (index >= static_cast<int>(m_places.size())) return;
    m_icons->setCurrentIndex(index);
    m_title->setText(m_places[static_cast<std::size_t>(index)].title);
}

int ViewArea::indexOf(const QString &id) const
{
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (m_places[i].id == id) return static_cast<int>(i);
    return -1;
}

void ViewArea::show(const QString &id)
{
    if (has(id)) m_tabs->setCurrent(indexOf(id));
}

QString ViewArea::current() const
{
    const auto index = static_cast<std::size_t>(m_tabs->current());
    return index < m_places.size() ? m_places[index].id : QString();
}

QStringList ViewArea::ids() const
{
    QStringList ids;
    for (const ViewPlace &place : m_places)
        ids << place.id;
    return ids;
}

QString ViewArea::title(const QString &id) const
{
    const int index = indexOf(id);
    return index < 0 ? QString() : m_places[static_cast<std::size_t>(index)].title;
}

QWidget *ViewArea::view(const QString &id) const
{
    const int index = indexOf(id);
    return index < 0 ? nullptr : m_places[static_cast<std::size_t>(index)].view;
}

QWidget *ViewArea::focusTarget() const
{
    const auto index = static_cast<std::size_t>(m_tabs->current());
    if (index >= m_places.size()) return nullptr;
    const QWidget *view = m_places[index].view;
    const auto takesKeys = [view](const QWidget *widget) {
        return (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isEnabled() && widget->isVisibleTo(view);
    };
    QWidget *wanted = m_places[index].focus ? m_places[index].focus : m_places[index].view;
    if (takesKeys(wanted)) return wanted;
    const QList<QWidget *> others = view->findChildren<QWidget *>();
    const auto found = std::find_if(others.begin(), others.end(), takesKeys);
    return found != others.end() ? *found : m_places[index].view;
}

} // namespace remat::studio
