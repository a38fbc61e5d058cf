// SPDX-License-Identifier: Apache-2.0
// The line under the budget: what chunks would make of the floor.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/work/jobs/chunk_outlook.h"

namespace remat::studio {

/// "In 8 chunks: floor 4.5 %", below the slider with its own: a click asks for a plan in chunks. Of a model in chunks
/// it says which, and a click asks for the one with its ops whole. Hidden where there is nothing to say.
class ChunkLine : public QWidget
{
    Q_OBJECT
public:
    ChunkLine(Document *document, ChunkOutlook *outlook, QWidget *parent = nullptr);

Q_SIGNALS:
    void chunksWanted();
    void wholeWanted();

private:
    void show();

    Document *m_document;
    ChunkOutlook *m_outlook;
    TokenLabel *m_text;
    StudioButton *m_button;
};

} // namespace remat::studio
