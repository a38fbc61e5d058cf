// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/window/page_tabs.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/work/pages/model_pages.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QToolButton>

namespace remat::studio {

namespace {

constexpr int kHeight = 32;
constexpr int kIcon = 13;
constexpr int kCross = 18;

/// Tabs as wide as their names, up to a width that leaves room for six. Names are cut for this weight, so the one that
/// is shown has no other.
const char *const kSheet = R"(
QTabBar::tab { min-width: 60px; max-width: 190px; min-height: 30px; padding: 0 4px 0 12px; }
QTabBar::tab:selected { font-weight: 500; }
)";

QIcon iconOf(const ModelTab &tab)
{
    const Theme &theme = Theme::instance();
    if (!tab.problem.isEmpty()) return theme.icon(QStringLiteral("triangle-alert"), Token::Warn);
    if (tab.working) return theme.icon(QStringLiteral("play"), Token::Accent);
    if (tab.hasNews) return theme.icon(QStringLiteral("circle-check"), Token::Ok);
    return {};
}

QString stateText(const ModelTab &tab)
{
    if (!tab.problem.isEmpty()) return tab.problem;
    const QString plans = tab.plans == 1 ? PageTabs::tr("1 plan") : PageTabs::tr("%1 plans").arg(tab.plans);
    if (tab.working) return PageTabs::tr("%1, solving").arg(plans);
    if (tab.hasNews) return PageTabs::tr("%1, some of them new").arg(plans);
    return plans;
}

} // namespace

PageTabs::PageTabs(QWidget *parent) : QWidget(parent), m_bar(new QTabBar(this)), m_more(new QToolButton(this))
{
    setObjectName(QStringLiteral("pageTabs"));
    setFixedHeight(kHeight);
    m_bar->setObjectName(QStringLiteral("pageTabBar"));
    m_bar->setAccessibleName(tr("Open models"));
    m_bar->setDrawBase(false);
    m_bar->setExpanding(false);
    m_bar->setMovable(true);
    m_bar->setUsesScrollButtons(true);
    m_bar->setElideMode(Qt::ElideMiddle);
    m_bar->setIconSize({kIcon, kIcon});
    m_bar->setFocusPolicy(Qt::TabFocus);
    m_bar->setStyleSheet(QString::fromUtf8(kSheet));
    m_bar->installEventFilter(this);
    m_bar->setContextMenuPolicy(Qt::CustomContextMenu);
    m_more->setObjectName(QStringLiteral("pageTabsMore"));
    m_more->setIcon(Theme::instance().icon(QStringLiteral("plus")));
    m_more->setIconSize({kIcon + 2, kIcon + 2});
    m_more->setFixedSize(24, 24);
    m_more->setAutoRaise(true);
    m_more->setToolTip(tr("Opens another model"));
    m_more->setAccessibleName(tr("Open another model"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 12, 1);
    row->setSpacing(4);
    row->addWidget(m_bar);
    row->addWidget(m_more);
    row->addStretch(1);
    hide();
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    connect(m_bar, &QWidget::customContextMenuRequested, this,
            [this](const QPoint &at) { showMenu(m_bar->tabAt(at), m_bar->mapToGlobal(at)); });
}

void PageTabs::setPages(ModelPages *pages, const Commands *commands)
{
    m_pages = pages;
    m_commands = commands;
    connect(pages, &ModelPages::changed, this, &PageTabs::take);
    connect(m_more, &QAbstractButton::clicked, this, [this] {
        if (m_inFront) m_commands->action(command::kStartPage)->trigger();
    });
    connect(m_bar, &QTabBar::currentChanged, this, [this](int index) {
        if (!m_taking) m_pages->show(idAt(index));
    });
    // Also the one that is current already, behind the start page.
    connect(m_bar, &QTabBar::tabBarClicked, this, [this](int index) {
        if (!m_inFront && index == m_bar->currentIndex()) m_pages->show(idAt(index));
    });
    connect(m_bar, &QTabBar::tabMoved, this, [this](int from, int to) {
        if (m_taking) return;
        m_taking = true; // the tab is where it is wanted
        m_pages->move(from, to);
        m_taking = false;
    });
    take();
}

int PageTabs::idAt(int index) const
{
    return m_bar->tabData(index).toInt();
}

void PageTabs::setInFront(bool inFront)
{
    if (m_inFront == inFront) return;
    m_inFront = inFront;
    m_bar->setStyleSheet(
        QString::fromUtf8(kSheet) +
        (inFront ? QString() : QStringLiteral("QTabBar::tab:selected { border-color: transparent; }")));
    m_more->setEnabled(inFront);
}

void PageTabs::addTab()
{
    const int index = m_bar->addTab(QString());
    auto *cross = new QToolButton(m_bar);
    cross->setIcon(Theme::instance().icon(QStringLiteral("x")));
    cross->setIconSize({kIcon, kIcon});
    cross->setFixedSize(kCross, kCross);
    cross->setStyleSheet(QStringLiteral("padding: 0;"));
    cross->setAutoRaise(true);
    cross->setFocusPolicy(Qt::NoFocus); // Ctrl+W is its key
    m_bar->setTabButton(index, QTabBar::RightSide, cross);
    connect(cross, &QAbstractButton::clicked, this, [this, cross] {
        for (int i = 0; i < m_bar->count(); ++i)
            if (m_bar->tabButton(i, QTabBar::RightSide) == cross) return m_pages->close(idAt(i));
    });
}

void PageTabs::take()
{
    if (m_taking) return;
    m_taking = true;
    const std::vector<ModelTab> tabs = m_pages->tabs();
    const auto count = static_cast<int>(tabs.size());
    while (m_bar->count() > count)
        m_bar->removeTab(m_bar->count() - 1);
    while (m_bar->count() < count)
        addTab();
    bool anyProblem = false;
    for (int i = 0; i < count; ++i) {
        const ModelTab &tab = tabs[static_cast<std::size_t>(i)];
        anyProblem = anyProblem || !tab.problem.isEmpty();
        QString title = tab.title;
        title.replace(QLatin1Char('&'), QStringLiteral("&&")); // no key
        m_bar->setTabData(i, tab.id);
        if (m_bar->tabText(i) != title) m_bar->setTabText(i, title);
        m_bar->setTabIcon(i, iconOf(tab));
        m_bar->setTabToolTip(
            i, QStringLiteral("<p style='white-space:pre'>%1\n%2\n%3</p>")
                   .arg(tab.title.toHtmlEscaped(), stateText(tab).toHtmlEscaped(), tab.path.toHtmlEscaped()));
        m_bar->setAccessibleTabName(i, QStringLiteral("%1, %2").arg(tab.title, stateText(tab)));
        m_bar->tabButton(i, QTabBar::RightSide)->setAccessibleName(tr("Close %1").arg(tab.title));
        if (tab.id == m_pages->shownId()) m_bar->setCurrentIndex(i);
    }
    setVisible(count > 1 || anyProblem);
    m_taking = false;
}

void PageTabs::showMenu(int index, const QPoint &at)
{
    if (index < 0) return;
    const int id = idAt(index);
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Close")), &QAction::triggered, this, [this, id] { m_pages->close(id); });
    QAction *others = menu->addAction(tr("Close the others"));
    others->setEnabled(m_bar->count() > 1);
    connect(others, &QAction::triggered, this, [this, id] {
        for (const ModelTab &tab : m_pages->tabs())
            if (tab.id != id) m_pages->close(tab.id);
    });
    menu->addSeparator();
    menu->addAction(m_commands->action(command::kReopenClosed));
    menu->popup(at);
}

bool PageTabs::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseButtonRelease) {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        const int index = m_bar->tabAt(mouse->position().toPoint());
        if (mouse->button() == Qt::MiddleButton && index >= 0) {
            m_pages->close(idAt(index));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void PageTabs::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Token::Window));
    painter.fillRect(0, height() - 1, width(), 1, Theme::instance().color(Token::Line));
}

} // namespace remat::studio
