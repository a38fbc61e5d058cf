// SPDX-License-Identifier: Apache-2.0
// The ids of commands that more than one place knows: what an action is found, kept and started by.
#pragma once

#include <QLatin1String>

namespace remat::studio::command {

inline constexpr QLatin1String kOpen("open");
inline constexpr QLatin1String kReopenClosed("reopenClosed");
inline constexpr QLatin1String kReopenLast("reopenLast");
inline constexpr QLatin1String kSavePlan("savePlan");
inline constexpr QLatin1String kTrain("train");
inline constexpr QLatin1String kSaveSession("saveSession");
inline constexpr QLatin1String kStartPage("startPage");
inline constexpr QLatin1String kCloseModel("closeModel");
inline constexpr QLatin1String kCloseWindow("closeWindow");
inline constexpr QLatin1String kQuit("quit");
inline constexpr QLatin1String kNewWindow("newWindow");
inline constexpr QLatin1String kNextModel("nextModel");
inline constexpr QLatin1String kPreviousModel("previousModel");
inline constexpr QLatin1String kEditBudget("editBudget");
inline constexpr QLatin1String kGoToFloor("goToFloorAction");
inline constexpr QLatin1String kRemovePlan("removePlan");
inline constexpr QLatin1String kSolve("solve");
inline constexpr QLatin1String kStop("stop");
inline constexpr QLatin1String kValidate("validate");
inline constexpr QLatin1String kMeasure("measure");
inline constexpr QLatin1String kSweep("sweep");
inline constexpr QLatin1String kShowGraph("showGraph");
inline constexpr QLatin1String kShowCurve("showCurve");
inline constexpr QLatin1String kFit("fit");
inline constexpr QLatin1String kLeftPanel("leftPanel");
inline constexpr QLatin1String kMemoryPanel("memoryPanel");
inline constexpr QLatin1String kPlanPanel("planPanelAction");
inline constexpr QLatin1String kNextPanel("nextPanel");
inline constexpr QLatin1String kPreviousPanel("previousPanel");
inline constexpr QLatin1String kResetLayout("resetLayout");
inline constexpr QLatin1String kKeys("keys");
inline constexpr QLatin1String kTracer("tracer");
inline constexpr QLatin1String kAbout("about");

} // namespace remat::studio::command
