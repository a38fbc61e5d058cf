// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/puzzles/puzzles.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/puzzles/puzzle_list.h"
#include "app/studio/shell/puzzles/puzzle_window.h"
#include "app/studio/shell/workspace/file_dialogs.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/work/session/session.h"
#include "core/base/file.h"
#include "core/teaching/puzzles/puzzle_json.h"
#include "core/views/targets.h"
#include "solvers/puzzles/optimum.h"

#include <QAction>
#include <QDir>
#include <QMainWindow>

#include <algorithm>

namespace remat::studio {

Puzzles::Puzzles(const FeatureHost &host) : QObject(host.owner), m_host(host), m_tracker(host.session.pool)
{
    setObjectName(QStringLiteral("puzzles"));
    QAction *list = host.commands.add({QStringLiteral("puzzles"),
                                       Section::Help,
                                       tr("Puzzles…"),
                                       QStringLiteral("target"),
                                       {Qt::CTRL | Qt::SHIFT | Qt::Key_J},
                                       tr("Schedule small graphs by hand, beside a proven best")});
    connect(list, &QAction::triggered, this, &Puzzles::showList);
    m_make =
        host.commands.add({QStringLiteral("puzzle.make"),
                           Section::Help,
                           tr("Make a puzzle from this"),
                           QStringLiteral("target"),
                           {Qt::ALT | Qt::SHIFT | Qt::Key_J},
                           tr("The selected cluster as a puzzle, with a budget that is proven to cost something")});
    m_make->setEnabled(false);
    connect(m_make, &QAction::triggered, this, &Puzzles::make);
    const auto enable = [this] {
        const Document &document = m_host.session.document;
        m_make->setEnabled(document.model() && (document.selection() != Selection{} || !m_cluster.empty()));
    };
    connect(host.workspace.graph(), &GraphView::clusterSelected, this, [this, enable](const QString &path) {
        m_cluster = path.toStdString();
        enable();
    });
    connect(&host.session.document, &Document::selectionChanged, this, enable);
    connect(&host.session.document, &Document::modelChanged, this, [this, enable] {
        m_cluster.clear();
        enable();
    });
}

Puzzles::~Puzzles() = default;

PuzzleWindow *Puzzles::window() const
{
    return m_window;
}

void Puzzles::say(bool isError, const QString &sentence)
{
    m_host.say(isError ? Notice::failure(sentence) : Notice::news(sentence));
}

bool Puzzles::open(const QString &puzzle)
{
    auto read = readPuzzle(puzzlePath(puzzle.toStdString()));
    if (!read) {
        say(true, toQString(read.error().message));
        return false;
    }
    show(std::move(*read));
    return true;
}

void Puzzles::show(Puzzle puzzle)
{
    if (m_window) m_window->close();
    m_window = new PuzzleWindow(m_host.session.pool, std::move(puzzle), m_host.window);
    m_window->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_window, &PuzzleWindow::listWanted, this, &Puzzles::showList);
    connect(m_window, &PuzzleWindow::nextWanted, this, &Puzzles::showNumber, Qt::QueuedConnection);
    connect(m_window, &PuzzleWindow::saveWanted, this, &Puzzles::askWhereToSave);
    m_window->show();
}

void Puzzles::showNumber(int number)
{
    const std::vector<Puzzle> all = readPuzzles();
    const auto found =
        std::find_if(all.begin(), all.end(), [number](const Puzzle &each) { return each.number == number; });
    if (found == all.end())
        showList();
    else
        show(*found);
}

void Puzzles::showList()
{
    auto *list = new PuzzleList(readPuzzles(), m_window ? static_cast<QWidget *>(m_window) : m_host.window);
    list->setAttribute(Qt::WA_DeleteOnClose);
    connect(list, &PuzzleList::wanted, this, &Puzzles::open, Qt::QueuedConnection);
    list->show();
}

void Puzzles::make()
{
    const Document &document = m_host.session.document;
    const auto model = document.model();
    if (!model) return;
    const Targets targets =
        targetsOf(model->graph(), document.selection(), m_host.workspace.graph()->scene().tree, m_cluster);
    if (targets.ops.empty()) return;
    const std::string name = m_cluster.empty() ? model->graph().op(targets.ops.front()).name : m_cluster;
    say(false, tr("Proving the best play of %1…").arg(toQString(name)));
    m_tracker.start(
        [model, ops = targets.ops, name](const Job &job) {
            PuzzleEffort effort;
            effort.stop = [&job] { return job.stop().stopRequested(); };
            return puzzleFromOps(model->graph(), *model->costs, ops, name, effort);
        },
        [this](Expected<Puzzle> made) {
            if (!made) {
                say(true, toQString(made.error().message));
                return;
            }
            made->text = tr("A part of %1. What the rest of the network does in between is one op of no time.")
                             .arg(toQString(m_host.session.document.model()->graph().name))
                             .toStdString();
            say(false, tr("The puzzle is open in a window of its own; there it can be saved."));
            show(std::move(*made));
        });
}

void Puzzles::askWhereToSave()
{
    FileQuestion question;
    question.title = tr("Save the puzzle");
    question.filters = {tr("Puzzle (*.json)")};
    question.folderKey = QStringLiteral("puzzles");
    question.folder = QDir::homePath();
    question.suffix = QStringLiteral("json");
    question.name = toQString(m_window->run().puzzle().name) + QStringLiteral(".json");
    remat::studio::askWhereToSave(m_window, question, [this](const QString &path) { save(path); });
}

void Puzzles::save(const QString &path)
{
    if (!m_window) return;
    Puzzle puzzle = m_window->run().puzzle();
    puzzle.graphFile.clear(); // it may lie in another folder now
    const auto written = writeFileAtomically(path.toStdString(), puzzleFileText(puzzle));
    say(!written, written ? tr("The puzzle is in %1.").arg(path) : toQString(written.error().message));
}

} // namespace remat::studio
