// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/chunk_line.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/work/document/chunks_text.h"
#include "core/chunk/title.h"

#include <QHBoxLayout>

namespace remat::studio {

namespace {

QString shareOfPeak(const CostedModel &model, std::int64_t bytes)
{
    return memoryShareText(static_cast<double>(bytes) / static_cast<double>(model.keepAllPeakBytes));
}

} // namespace

ChunkLine::ChunkLine(Document *document, ChunkOutlook *outlook, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_outlook(outlook),
      m_text(new TokenLabel({}, FontRole::Label, Token::Text2, this)),
      m_button(new StudioButton({}, {}, ButtonKind::Plain, this))
{
    m_text->setObjectName(QStringLiteral("chunkText"));
    m_button->setObjectName(QStringLiteral("chunkButton"));
    m_button->setFixedHeight(24);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_text, 1);
    row->addWidget(m_button);
    connect(m_document, &Document::modelChanged, this, &ChunkLine::show);
    connect(m_outlook, &ChunkOutlook::changed, this, &ChunkLine::show);
    connect(m_button, &QAbstractButton::clicked, this, [this] {
        const auto model = m_document->model();
        if (!model) return;
        if (model->open->whole)
            Q_EMIT wholeWanted();
        else
            Q_EMIT chunksWanted();
    });
    show();
}

void ChunkLine::show()
{
    const auto model = m_document->model();
    const auto &floor = m_outlook->floor();
    setVisible(model && (model->open->whole || floor));
    if (!model) return;
    if (model->open->whole) {
        const Chunking &chunking = model->open->from.chunking;
        m_text->setText(tr("Runs in %1").arg(chunksText(chunking)));
        m_text->setToolTip(
            tr("%1. What is proven here is proven of plans in these chunks.").arg(toQString(chunkingTitle(chunking))));
        m_button->setText(tr("Ops whole"));
        m_button->setToolTip(tr("Shows the model with its ops whole"));
    } else if (floor) {
        m_text->setText(tr("In %1: floor %2").arg(chunksText(floor->chunking), shareOfPeak(*model, floor->floorBytes)));
        m_text->setToolTip(toQString(chunkingTitle(floor->chunking)));
        m_button->setText(tr("Solve so"));
        m_button->setToolTip(tr("Solves for this budget with the chunks that suit it, and opens the model so beside "
                                "this one"));
    }
}

} // namespace remat::studio
