// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/lessons/class_page.h"

#include "app/studio/base/style/theme.h"
#include "app/studio/base/style/translation.h"
#include "app/studio/base/text/text.h"
#include "core/base/file.h"
#include "core/base/resources.h"

#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QUrl>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

/// The page as Markdown, with links in place of steps.
QString pageText()
{
    const std::filesystem::path folder = resourceDir() / "lessons";
    auto text = readFile(folder / translationLanguage().toStdString() / "CLASS.md");
    if (!text) text = readFile(folder / "CLASS.md");
    if (!text) return toQString(text.error().message);
    static const QRegularExpression step(QStringLiteral("`([a-z]+:[0-9]+)`"));
    return toQString(*text).replace(step, QStringLiteral("[\\1](step:\\1)"));
}

/// Markdown gives tables no room and headings no distance.
void giveRoom(QTextDocument &page)
{
    for (QTextFrame *frame : page.rootFrame()->childFrames()) {
        auto *table = qobject_cast<QTextTable *>(frame);
        if (!table) continue;
        QTextTableFormat format = table->format();
        format.setCellPadding(6);
        format.setCellSpacing(0);
        format.setBorderCollapse(true);
        format.setBorder(1);
        format.setBorderBrush(Theme::instance().color(Token::Line));
        format.setTopMargin(6);
        format.setBottomMargin(12);
        table->setFormat(format);
    }
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0) continue;
        QTextBlockFormat format = block.blockFormat();
        format.setTopMargin(18);
        format.setBottomMargin(6);
        QTextCursor(block).setBlockFormat(format);
    }
}

} // namespace

ClassPage::ClassPage(QWidget *parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("classPage"));
    setWindowTitle(tr("For lecturers"));
    resize(860, 760);
    auto *page = new QTextBrowser(this);
    page->setObjectName(QStringLiteral("classText"));
    page->setAccessibleName(windowTitle());
    page->setFrameShape(QFrame::NoFrame);
    page->setOpenLinks(false);
    page->setFont(Theme::instance().font(FontRole::Body));
    const auto show = [page] {
        QPalette colors = page->palette();
        colors.setColor(QPalette::Base, Theme::instance().color(Token::Panel));
        colors.setColor(QPalette::Text, Theme::instance().color(Token::Text));
        colors.setColor(QPalette::Link, Theme::instance().color(Token::Accent));
        page->setPalette(colors);
        page->setMarkdown(pageText());
        giveRoom(*page->document());
    };
    show();
    connect(&Theme::instance(), &Theme::changed, page, show);
    connect(page, &QTextBrowser::anchorClicked, this, [this](const QUrl &url) { follow(url.path()); });
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(20, 12, 8, 12);
    column->addWidget(page);
}

void ClassPage::follow(const QString &target)
{
    const QString step = target.section(QLatin1Char(':'), 1);
    if (!step.isEmpty()) Q_EMIT wanted(target.section(QLatin1Char(':'), 0, 0), step.toInt());
}

} // namespace remat::studio
