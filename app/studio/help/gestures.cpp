#include "app/studio/help/gestures.h"

#include <QCoreApplication>

namespace remat::studio {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Gestures", text);
}

GestureGroup graph()
{
    return {tr("Graph"),
            QStringLiteral("showGraph"),
            {{tr("Zoom at the mouse"), tr("Ctrl+Wheel")},
             {tr("Scroll"), tr("Wheel, Page up, Page down")},
             {tr("Move the picture"), tr("Drag, middle button, Space+Drag")},
             {tr("Zoom in, zoom out"), tr("W, S, +, −")},
             {tr("Move up, down"), tr("A, D")},
             {tr("Centre the selection, then fit all"), tr("F")},
             {tr("Fit all"), tr("Space, 0")},
             {tr("Actual size"), tr("Shift+Backspace")},
             {tr("Open or close a cluster"), tr("Enter, double-click")},
             {tr("Open or close with everything below"), tr("Alt+Enter, Alt+click on the arrow")},
             {tr("To the cluster around"), tr("Backspace, Left")},
             {tr("Next and previous card"), tr("Up, Down, Home, End")},
             {tr("Across to the other column"), tr("Left, Right")},
             {tr("To what makes its input"), tr("[")},
             {tr("To what reads its output"), tr("]")},
             {tr("Another of identical blocks"), tr("Ctrl+Up, Ctrl+Down")},
             {tr("Select nothing"), tr("Esc")}}};
}

/// What all views over time share.
GestureGroup time()
{
    return {tr("All views over time"),
            QStringLiteral("memoryPanel"),
            {{tr("Zoom at the mouse"), tr("Wheel")},
             {tr("Move along time"), tr("Drag, Shift+Wheel, A, D")},
             {tr("Zoom in, zoom out"), tr("W, S")},
             {tr("All of the time"), tr("F, double-click")},
             {tr("Previous and next step"), tr("Left, Right, comma, full stop")},
             {tr("Select the op at the cursor"), tr("Click, Enter")},
             {tr("Select nothing"), tr("Esc")}}};
}

GestureGroup ranges()
{
    return {
        tr("Ranges of time"),
        QStringLiteral("measureRange"),
        {{tr("Choose a range"), tr("Drag on the axis, Shift+Drag")}, {tr("Forget it"), tr("Esc, click on the axis")}}};
}

GestureGroup memory()
{
    return {tr("Memory"),
            QStringLiteral("memoryPanel"),
            {{tr("Budget"), tr("Drag the line")},
             {tr("Budget 1 % more or less"), tr("Up, Down")},
             {tr("Budget 0.1 % more or less"), tr("Shift+Up, Shift+Down")},
             {tr("Budget to the floor, to all memory"), tr("Home, End")},
             {tr("Select the storage below the mouse"), tr("Ctrl+Click")},
             {tr("Bands of categories or of storages"), tr("G")},
             {tr("Hold the list at the peak"), tr("P, click on the mark")},
             {tr("Everything alive at the peak"), tr("Shift+P")}}};
}

GestureGroup addresses()
{
    return {tr("Address map"), QStringLiteral("show.addresses"), {{tr("Play and pause"), tr("Space")}}};
}

GestureGroup matrix()
{
    return {
        tr("R/S matrix"),
        QStringLiteral("show.matrix"),
        {{tr("Move over ops"), tr("A, D")}, {tr("Move over stages"), tr("Up, Down")}, {tr("Zoom"), tr("W, S, Wheel")}}};
}

GestureGroup slider()
{
    return {tr("Budget slider"),
            QStringLiteral("editBudget"),
            {{tr("1 % more or less"), tr("Arrow keys")},
             {tr("0.1 % more or less"), tr("Shift+Arrow keys")},
             {tr("The floor, all memory"), tr("Home, End")}}};
}

GestureGroup curve()
{
    return {tr("Trade-off"),
            QStringLiteral("showCurve"),
            {{tr("Select the nearest plan"), tr("Click")},
             {tr("Take the plan as the current one"), tr("Double-click, Enter")},
             {tr("Budget"), tr("Drag the line")}}};
}

GestureGroup finding()
{
    return {tr("Find and palette"),
            QStringLiteral("find"),
            {{tr("Next and previous match"), tr("Enter, Shift+Enter")},
             {tr("Close"), tr("Esc")},
             {tr("Commands, ops, storages, help"), tr(">  @  #  ?  as the first letter")},
             {tr("List all ops that fit"), tr("Ctrl+Enter")}}};
}

} // namespace

std::vector<GestureGroup> gestureGroups()
{
    return {graph(), time(), ranges(), memory(), addresses(), matrix(), slider(), curve(), finding()};
}

} // namespace remat::studio
