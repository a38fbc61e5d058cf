// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/help/gestures.h"

#include <QCoreApplication>

namespace remat::studio {

namespace {

struct GestureText {
    Q_DECLARE_TR_FUNCTIONS(Gestures)
};

GestureGroup graph()
{
    return {
        GestureText::tr("Graph"),
        QStringLiteral("showGraph"),
        {{GestureText::tr("Zoom at the mouse"), GestureText::tr("Ctrl+Wheel")},
         {GestureText::tr("Scroll"), GestureText::tr("Wheel, Page up, Page down")},
         {GestureText::tr("Move the picture"), GestureText::tr("Drag, middle button, Space+Drag")},
         {GestureText::tr("Zoom in, zoom out"), GestureText::tr("W, S, +, −")},
         {GestureText::tr("Move up, down"), GestureText::tr("A, D")},
         {GestureText::tr("Centre the selection, then fit all"), GestureText::tr("F")},
         {GestureText::tr("Fit all"), GestureText::tr("Space, 0")},
         {GestureText::tr("Actual size"), GestureText::tr("Shift+Backspace")},
         {GestureText::tr("Open or close a cluster"), GestureText::tr("Enter, double-click")},
         {GestureText::tr("Open or close with everything below"), GestureText::tr("Alt+Enter, Alt+click on the arrow")},
         {GestureText::tr("To the cluster around"), GestureText::tr("Backspace, Left")},
         {GestureText::tr("Next and previous card"), GestureText::tr("Up, Down, Home, End")},
         {GestureText::tr("To the branch beside, then to the other column"), GestureText::tr("Left, Right")},
         {GestureText::tr("To what makes its input"), GestureText::tr("[")},
         {GestureText::tr("To what reads its output"), GestureText::tr("]")},
         {GestureText::tr("Another of identical blocks"), GestureText::tr("Ctrl+Up, Ctrl+Down")},
         {GestureText::tr("Select nothing"), GestureText::tr("Esc")}}};
}

/// What all views over time share.
GestureGroup time()
{
    return {GestureText::tr("All views over time"),
            QStringLiteral("memoryPanel"),
            {{GestureText::tr("Zoom at the mouse"), GestureText::tr("Wheel")},
             {GestureText::tr("Move along time"), GestureText::tr("Drag, Shift+Wheel, A, D")},
             {GestureText::tr("Zoom in, zoom out"), GestureText::tr("W, S")},
             {GestureText::tr("All of the time"), GestureText::tr("F, double-click")},
             {GestureText::tr("Previous and next step"), GestureText::tr("Left, Right, comma, full stop")},
             {GestureText::tr("Select the op at the cursor"), GestureText::tr("Click, Enter")},
             {GestureText::tr("Select nothing"), GestureText::tr("Esc")}}};
}

GestureGroup ranges()
{
    return {GestureText::tr("Ranges of time"),
            QStringLiteral("measureRange"),
            {{GestureText::tr("Choose a range"), GestureText::tr("Drag on the axis, Shift+Drag")},
             {GestureText::tr("Forget it"), GestureText::tr("Esc, click on the axis")}}};
}

GestureGroup memory()
{
    return {GestureText::tr("Memory"),
            QStringLiteral("memoryPanel"),
            {{GestureText::tr("Budget"), GestureText::tr("Drag the line")},
             {GestureText::tr("Budget 1 % more or less"), GestureText::tr("Up, Down")},
             {GestureText::tr("Budget 0.1 % more or less"), GestureText::tr("Shift+Up, Shift+Down")},
             {GestureText::tr("Smallest budget, all memory"), GestureText::tr("Home, End")},
             {GestureText::tr("Select the storage below the mouse"), GestureText::tr("Ctrl+Click")},
             {GestureText::tr("Bands of categories or of storages"), GestureText::tr("G")},
             {GestureText::tr("Hold the list at the peak"), GestureText::tr("P, click on the mark")},
             {GestureText::tr("Everything alive at the peak"), GestureText::tr("Shift+P")}}};
}

GestureGroup addresses()
{
    return {GestureText::tr("Address map"),
            QStringLiteral("show.addresses"),
            {{GestureText::tr("Play and pause"), GestureText::tr("Space")}}};
}

GestureGroup matrix()
{
    return {GestureText::tr("R/S matrix"),
            QStringLiteral("show.matrix"),
            {{GestureText::tr("Move over ops"), GestureText::tr("A, D")},
             {GestureText::tr("Move over slots"), GestureText::tr("Up, Down")},
             {GestureText::tr("Zoom"), GestureText::tr("W, S, Wheel")}}};
}

GestureGroup slider()
{
    return {GestureText::tr("Budget slider"),
            QStringLiteral("editBudget"),
            {{GestureText::tr("1 % more or less"), GestureText::tr("Arrow keys")},
             {GestureText::tr("0.1 % more or less"), GestureText::tr("Shift+Arrow keys")},
             {GestureText::tr("Smallest budget, all memory"), GestureText::tr("Home, End")}}};
}

GestureGroup curve()
{
    return {GestureText::tr("Trade-off"),
            QStringLiteral("showCurve"),
            {{GestureText::tr("Select the nearest plan"), GestureText::tr("Click")},
             {GestureText::tr("Take the plan as the current one"), GestureText::tr("Double-click, Enter")},
             {GestureText::tr("Budget"), GestureText::tr("Drag the line")}}};
}

GestureGroup finding()
{
    return {GestureText::tr("Find and palette"),
            QStringLiteral("find"),
            {{GestureText::tr("Next and previous match"), GestureText::tr("Enter, Shift+Enter")},
             {GestureText::tr("Close"), GestureText::tr("Esc")},
             {GestureText::tr("Commands, ops, storages, help"), GestureText::tr(">  @  #  ?  as the first letter")},
             {GestureText::tr("List all ops that match"), GestureText::tr("Ctrl+Enter")}}};
}

} // namespace

std::vector<GestureGroup> gestureGroups()
{
    return {graph(), time(), ranges(), memory(), addresses(), matrix(), slider(), curve(), finding()};
}

} // namespace remat::studio
